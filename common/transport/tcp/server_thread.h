#ifndef FARGRAPH_COMMON_TRANSPORT_TCP_SERVER_THREAD_H_
#define FARGRAPH_COMMON_TRANSPORT_TCP_SERVER_THREAD_H_

#include <memory>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "common/transport/copy_marker.h"
#include "common/transport/tcp/target_connection.h"
#include "common/unique_fd.h"

namespace fargraph::transport::tcp {

/// A thread that serves connections, each in its turn. Any thread may call.
class ServerThread {
 public:
  static absl::StatusOr<std::unique_ptr<ServerThread>> Start();
  /// Closes all connections.
  ~ServerThread();

  /// Serves `connection` until its end.
  void Add(std::unique_ptr<TargetConnection> connection);
  /// Hangs up on the connections that have shown this ticket.
  void Disconnect(const Ticket& ticket);
  /// Returns when nothing is being copied under a key that was retired before the call.
  void AwaitCopyEnd() const;

 private:
  ServerThread(UniqueFd epoll, UniqueFd wake);

  void Run();
  void Serve(TargetConnection& connection);
  void CloseLateGreeters();

  const UniqueFd epoll_;
  const UniqueFd wake_;  ///< ends Run
  CopyMarker copying_;
  mutable absl::Mutex mutex_;
  /// By address, which is also what epoll knows them by. Connections end under the mutex alone.
  absl::flat_hash_map<TargetConnection*, std::unique_ptr<TargetConnection>> connections_
      ABSL_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace fargraph::transport::tcp

#endif  // FARGRAPH_COMMON_TRANSPORT_TCP_SERVER_THREAD_H_

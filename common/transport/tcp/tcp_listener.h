#ifndef FARGRAPH_COMMON_TRANSPORT_TCP_TCP_LISTENER_H_
#define FARGRAPH_COMMON_TRANSPORT_TCP_TCP_LISTENER_H_

#include <memory>
#include <thread>
#include <vector>

#include "common/transport/key_table.h"
#include "common/transport/tcp/server_thread.h"
#include "common/transport/tcp/target_connection.h"
#include "common/transport/transport.h"
#include "common/unique_fd.h"

namespace fargraph::transport::tcp {

/// Exposes memory over tcp. One thread accepts connections and deals them out to a few threads that
/// serve them.
class TcpListener final : public Listener {
 public:
  static absl::StatusOr<std::unique_ptr<Listener>> Listen(const ListenOptions& options);
  ~TcpListener() override;

  Endpoint endpoint() const override { return endpoint_; }
  absl::StatusOr<RemoteKey> Expose(uint64_t offset, uint64_t length, Access access) override;
  absl::Status Revoke(const RemoteKey& key) override;
  void Disconnect(const Ticket& ticket) override;

 private:
  using ServerThreads = std::vector<std::unique_ptr<ServerThread>>;

  TcpListener(const ListenOptions& options, KeyTable keys, Endpoint endpoint, UniqueFd socket,
              UniqueFd wake, ServerThreads servers);

  void AcceptAll();

  KeyTable keys_;
  const Exposure exposure_;
  const Endpoint endpoint_;
  const UniqueFd socket_;
  const UniqueFd wake_;  ///< ends AcceptAll
  const ServerThreads servers_;
  std::thread acceptor_;
};

}  // namespace fargraph::transport::tcp

#endif  // FARGRAPH_COMMON_TRANSPORT_TCP_TCP_LISTENER_H_

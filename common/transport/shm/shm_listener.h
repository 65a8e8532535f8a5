#ifndef FARGRAPH_COMMON_TRANSPORT_SHM_SHM_LISTENER_H_
#define FARGRAPH_COMMON_TRANSPORT_SHM_SHM_LISTENER_H_

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "common/memory/mapped_memory.h"
#include "common/monotonic_time.h"
#include "common/transport/key_table.h"
#include "common/transport/shm/handshake.h"
#include "common/transport/transport.h"
#include "common/unique_fd.h"

namespace fargraph::transport::shm {

/// Exposes shareable memory to processes of this host. One thread greets peers and notices their
/// end; it takes no part in reads and writes.
///
/// Revoke waits for peers that are in the middle of a copy under the key, which takes them
/// milliseconds. A peer that was stopped there (SIGSTOP) could go on to touch the memory whenever
/// it is continued, and nothing but its death rules that out. Revoke therefore gives up after
/// kRevokePatience: the key is dead and the peers with that ticket are disconnected, but Revoke
/// answers Unavailable, and the memory must not be used for anything else before a repeated Revoke
/// has answered OK. Nobody waits for these peers a second time.
class ShmListener final : public Listener {
 public:
  static constexpr absl::Duration kRevokePatience = absl::Seconds(2);

  /// InvalidArgument when the memory is not shareable.
  static absl::StatusOr<std::unique_ptr<Listener>> Listen(const ListenOptions& options);
  ~ShmListener() override;

  Endpoint endpoint() const override { return endpoint_; }
  absl::StatusOr<RemoteKey> Expose(uint64_t offset, uint64_t length, Access access) override;
  absl::Status Revoke(const RemoteKey& key) override;
  void Disconnect(const Ticket& ticket) override;

 private:
  /// One connected initiator; a Peer without a page has not said hello yet.
  struct Peer {
    explicit Peer(UniqueFd connected_socket) : socket(std::move(connected_socket)) {}
    PeerPage* page() const { return reinterpret_cast<PeerPage*>(page_memory.data()); }

    const UniqueFd socket;
    const absl::Time connected_at = MonotonicNow();
    Ticket ticket = {};
    MappedMemory page_memory;
    std::atomic<bool> gone{false};
    std::atomic<bool> stopped{false};  ///< a Revoke has waited for it, or its process, in vain
  };

  ShmListener(const ListenOptions& options, KeyTable keys, Endpoint endpoint, UniqueFd socket,
              UniqueFd key_table_fd, UniqueFd wake_fd);

  void Serve();
  void Accept();
  /// Reads the peer's hello and answers it; false when the peer is to be dropped.
  bool Greet(Peer& peer);
  void Drop(const std::shared_ptr<Peer>& peer);
  std::vector<std::shared_ptr<Peer>> Peers() const;
  static void Break(Peer& peer);
  /// Waits until no peer copies under `rkey`, or under any key, that was retired before the call.
  absl::Status AwaitCopies(std::optional<uint64_t> rkey) const;

  const ListenOptions options_;
  KeyTable keys_;
  const Endpoint endpoint_;
  const UniqueFd socket_;
  const UniqueFd key_table_fd_;  ///< read-only, for the peers
  const UniqueFd wake_fd_;       ///< ends Serve
  mutable absl::Mutex mutex_;
  std::vector<std::shared_ptr<Peer>> peers_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace fargraph::transport::shm

#endif  // FARGRAPH_COMMON_TRANSPORT_SHM_SHM_LISTENER_H_

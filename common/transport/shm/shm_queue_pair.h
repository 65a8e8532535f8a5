#ifndef FARGRAPH_COMMON_TRANSPORT_SHM_SHM_QUEUE_PAIR_H_
#define FARGRAPH_COMMON_TRANSPORT_SHM_SHM_QUEUE_PAIR_H_

#include <memory>

#include "common/memory/mapped_memory.h"
#include "common/transport/key_table.h"
#include "common/transport/polled_queue.h"
#include "common/transport/shm/handshake.h"
#include "common/unique_fd.h"

namespace fargraph::transport::shm {

/// What an admitted initiator holds of its peer.
struct Connection {
  UniqueFd socket;
  std::shared_ptr<const MappedMemory> exposed;  ///< all of the listener's memory
  MappedMemory key_table;
  MappedMemory peer_page;
};

/// Carries requests out by copying, in the thread that polls and in the order of posting. One Poll
/// stops after kBytesPerPoll, so that what it hands out is still in the processor's cache.
class ShmQueuePair final : public PolledQueuePair {
 public:
  static constexpr uint64_t kBytesPerPoll = 256 << 10;

  ShmQueuePair(Connection connection, const LocalMemoryTable& local_memory,
               CompletionQueue& completion_queue, size_t capacity);

 private:
  void Advance(size_t limit) override;
  bool CanAdvance() const override { return ring().has_pending(); }
  pollfd WaitFor() const override;
  void CheckPeer() override;

  /// Copies under the marker that makes a Revoke of the key wait; false when the key does not allow
  /// it, or was revoked meanwhile.
  bool Copy(const WorkRequest& request);
  PeerPage& page() const { return *reinterpret_cast<PeerPage*>(connection_.peer_page.data()); }

  const Connection connection_;
  const KeyTableView keys_;
  uint32_t advances_ = 0;
};

}  // namespace fargraph::transport::shm

#endif  // FARGRAPH_COMMON_TRANSPORT_SHM_SHM_QUEUE_PAIR_H_

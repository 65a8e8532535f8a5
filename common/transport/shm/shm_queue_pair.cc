#include "common/transport/shm/shm_queue_pair.h"

#include <cstring>
#include <utility>

namespace fargraph::transport::shm {
namespace {

/// A look at the socket costs as much as copying a kilobyte; a crashed peer's memory stays mapped,
/// so there is no hurry.
constexpr uint32_t kAdvancesPerPeerCheck = 64;

}  // namespace

ShmQueuePair::ShmQueuePair(Connection connection, const LocalMemoryTable& local_memory,
                           CompletionQueue& completion_queue, size_t capacity)
    : PolledQueuePair(local_memory, completion_queue, capacity),
      connection_(std::move(connection)),
      keys_(connection_.key_table.data()) {}

void ShmQueuePair::Advance(size_t limit) {
  if (++advances_ % kAdvancesPerPeerCheck == 0) CheckPeer();
  uint64_t copied = 0;
  for (; limit > 0 && copied < kBytesPerPoll && ring().has_pending(); --limit) {
    if (page().disconnected.load(std::memory_order_acquire) != 0) {
      ring().Fail(CompletionStatus::kRetryExceeded);
      return;
    }
    const WorkRequest& request = ring()[ring().finished()];
    if (!Copy(request)) {
      ring().Fail(CompletionStatus::kRemoteAccessError);
      return;
    }
    copied += request.length;
    ring().Finish();
  }
}

bool ShmQueuePair::Copy(const WorkRequest& request) {
  page().rkey.store(request.rkey, std::memory_order_release);
  page().copying.Enter();
  bool allowed = request.remote_address <= connection_.exposed->size() &&
                 request.length <= connection_.exposed->size() - request.remote_address &&
                 keys_.Allows(request.rkey, request.remote_address, request.length, request.opcode);
  if (allowed) {
    std::byte* remote = connection_.exposed->data() + request.remote_address;
    if (request.opcode == WorkRequest::Opcode::kRead) {
      std::memcpy(request.local_address, remote, request.length);
    } else {
      std::memcpy(remote, request.local_address, request.length);
    }
    allowed = keys_.Live(request.rkey);
  }
  page().copying.Leave();
  return allowed;
}

pollfd ShmQueuePair::WaitFor() const {
  return {.fd = connection_.socket.get(), .events = POLLIN, .revents = 0};
}

void ShmQueuePair::CheckPeer() {
  // The only thing that a listener ever sends is the wake-up of a disconnect.
  pollfd fd = WaitFor();
  if (poll(&fd, 1, 0) > 0) ring().Fail(CompletionStatus::kRetryExceeded);
}

}  // namespace fargraph::transport::shm

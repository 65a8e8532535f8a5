#include "common/transport/shm/shm_device.h"

#include <poll.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "common/memory/mapped_memory.h"
#include "common/monotonic_time.h"
#include "common/status_macros.h"
#include "common/transport/local_memory.h"
#include "common/transport/polled_queue.h"
#include "common/transport/shm/handshake.h"
#include "common/transport/shm/shm_listener.h"
#include "common/transport/shm/shm_queue_pair.h"

namespace fargraph::transport {
namespace {

/// Maps each exposed memory once, for as long as the device lives, however many queue pairs come
/// and go, so that its page table is filled once. Any thread may call.
class ExposedMemoryCache {
 public:
  absl::StatusOr<std::shared_ptr<const MappedMemory>> Map(int fd) {
    struct stat status = {};
    if (fstat(fd, &status) != 0) {
      return absl::InternalError(
          absl::StrCat("cannot use the shm peer's memory: ", std::strerror(errno)));
    }
    absl::MutexLock lock(&mutex_);
    std::shared_ptr<const MappedMemory>& memory = mapped_[{status.st_dev, status.st_ino}];
    if (memory == nullptr) {
      FARGRAPH_ASSIGN_OR_RETURN(MappedMemory mapping,
                                MappedMemory::MapShared(fd, /*writable=*/true));
      memory = std::make_shared<const MappedMemory>(std::move(mapping));
    }
    return memory;
  }

 private:
  absl::Mutex mutex_;
  absl::flat_hash_map<std::pair<dev_t, ino_t>, std::shared_ptr<const MappedMemory>> mapped_
      ABSL_GUARDED_BY(mutex_);
};

/// Waits for the listener's answer, and for the descriptors that come with an admission.
absl::Status AwaitWelcome(int socket, absl::Time deadline,
                          std::array<UniqueFd, shm::kPassedFds>& fds) {
  pollfd fd = {.fd = socket, .events = POLLIN, .revents = 0};
  const timespec patience =
      absl::ToTimespec(std::max(deadline - MonotonicNow(), absl::ZeroDuration()));
  if (ppoll(&fd, 1, &patience, nullptr) <= 0) {
    return absl::UnavailableError(
        "the memory node does not answer over shm; see whether it is stopped or overloaded");
  }
  FARGRAPH_ASSIGN_OR_RETURN(const shm::Welcome welcome, shm::ReceiveWelcome(socket, fds));
  switch (welcome.answer) {
    case shm::Welcome::Answer::kAdmitted:
      return absl::OkStatus();
    case shm::Welcome::Answer::kRefused:
      return absl::PermissionDeniedError(
          "the memory node does not admit this ticket over shm; open a new lease");
    case shm::Welcome::Answer::kOtherVersion:
      break;
  }
  return absl::FailedPreconditionError(
      absl::StrCat("the memory node speaks version ", welcome.version,
                   " of the shm protocol and this program version ", shm::kVersion,
                   "; install the same release on both"));
}

class ShmDevice final : public Device {
 public:
  Kind kind() const override { return Kind::kShm; }

  absl::StatusOr<std::unique_ptr<MemoryRegion>> RegisterMemory(
      absl::Span<std::byte> memory) override {
    return local_memory_.Register(memory);
  }

  absl::StatusOr<std::unique_ptr<CompletionQueue>> CreateCompletionQueue(size_t capacity) override {
    return std::make_unique<PolledCompletionQueue>(capacity);
  }

  absl::StatusOr<std::unique_ptr<QueuePair>> Connect(const Endpoint& endpoint, const Ticket& ticket,
                                                     CompletionQueue& completion_queue,
                                                     const QueuePairOptions& options) override {
    FARGRAPH_RETURN_IF_ERROR(PolledQueuePair::CheckCapacity(completion_queue, options.capacity));
    const absl::Time deadline = MonotonicNow() + options.connect_timeout;
    FARGRAPH_ASSIGN_OR_RETURN(UniqueFd socket, shm::ConnectTo(endpoint, deadline));
    FARGRAPH_RETURN_IF_ERROR(shm::SendHello(socket.get(), {.ticket = ticket}));
    std::array<UniqueFd, shm::kPassedFds> fds;
    FARGRAPH_RETURN_IF_ERROR(AwaitWelcome(socket.get(), deadline, fds));
    FARGRAPH_ASSIGN_OR_RETURN(shm::Connection connection, Map(std::move(socket), fds));
    return std::make_unique<shm::ShmQueuePair>(std::move(connection), local_memory_,
                                               completion_queue, options.capacity);
  }

  absl::StatusOr<std::unique_ptr<Listener>> Listen(const ListenOptions& options) override {
    return shm::ShmListener::Listen(options);
  }

 private:
  absl::StatusOr<shm::Connection> Map(UniqueFd socket,
                                      const std::array<UniqueFd, shm::kPassedFds>& fds) {
    shm::Connection connection;
    connection.socket = std::move(socket);
    FARGRAPH_ASSIGN_OR_RETURN(connection.exposed, exposed_memory_.Map(fds[shm::kMemoryFd].get()));
    FARGRAPH_ASSIGN_OR_RETURN(
        connection.key_table,
        MappedMemory::MapShared(fds[shm::kKeyTableFd].get(), /*writable=*/false));
    FARGRAPH_ASSIGN_OR_RETURN(
        connection.peer_page,
        MappedMemory::MapShared(fds[shm::kPeerPageFd].get(), /*writable=*/true));
    if (connection.key_table.size() < kKeySlots * sizeof(KeySlot) ||
        connection.peer_page.size() < sizeof(shm::PeerPage)) {
      return absl::InvalidArgumentError("the peer does not speak the shm protocol");
    }
    return connection;
  }

  LocalMemoryTable local_memory_;
  ExposedMemoryCache exposed_memory_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Device>> OpenShmDevice() { return std::make_unique<ShmDevice>(); }

}  // namespace fargraph::transport

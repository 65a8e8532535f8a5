#include "common/transport/tcp/tcp_device.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/monotonic_time.h"
#include "common/status_macros.h"
#include "common/transport/local_memory.h"
#include "common/transport/polled_queue.h"
#include "common/transport/tcp/protocol.h"
#include "common/transport/tcp/socket.h"
#include "common/transport/tcp/tcp_listener.h"
#include "common/transport/tcp/tcp_queue_pair.h"

namespace fargraph::transport {
namespace {

/// Shows the ticket and takes the listener's answer.
absl::Status Introduce(int socket, const Ticket& ticket, absl::Time deadline) {
  const tcp::Hello hello = {.ticket = ticket};
  tcp::Welcome welcome;
  FARGRAPH_RETURN_IF_ERROR(tcp::SendAll(socket, &hello, sizeof hello, deadline));
  FARGRAPH_RETURN_IF_ERROR(tcp::ReceiveAll(socket, &welcome, sizeof welcome, deadline));
  if (welcome.magic != tcp::kWelcomeMagic) {
    return absl::UnavailableError(
        "who answers at the tcp endpoint is not a memory node; check the address");
  }
  if (welcome.version != tcp::kVersion) {
    return absl::FailedPreconditionError(
        absl::StrCat("the memory node speaks version ", welcome.version,
                     " of the tcp protocol and this program version ", tcp::kVersion,
                     "; install the same release on both"));
  }
  if (welcome.answer != tcp::Answer::kAdmitted) {
    return absl::PermissionDeniedError(
        "the memory node does not admit this ticket over tcp; open a new lease");
  }
  return absl::OkStatus();
}

class TcpDevice final : public Device {
 public:
  explicit TcpDevice(const TcpOptions& options) : options_(options) {}

  Kind kind() const override { return Kind::kTcp; }

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
    FARGRAPH_ASSIGN_OR_RETURN(UniqueFd socket, tcp::ConnectTo(endpoint, deadline));
    FARGRAPH_RETURN_IF_ERROR(Introduce(socket.get(), ticket, deadline));
    return std::make_unique<tcp::TcpQueuePair>(std::move(socket), local_memory_, completion_queue,
                                               options.capacity, options_.silence_limit);
  }

  absl::StatusOr<std::unique_ptr<Listener>> Listen(const ListenOptions& options) override {
    return tcp::TcpListener::Listen(options);
  }

 private:
  const TcpOptions options_;
  LocalMemoryTable local_memory_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Device>> OpenTcpDevice(const TcpOptions& options) {
  return std::make_unique<TcpDevice>(options);
}

}  // namespace fargraph::transport

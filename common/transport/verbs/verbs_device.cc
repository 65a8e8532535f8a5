#include "common/transport/verbs/verbs_device.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "common/transport/verbs/cm_channel.h"
#include "common/transport/verbs/completion_queue.h"
#include "common/transport/verbs/connector.h"
#include "common/transport/verbs/device_context.h"
#include "common/transport/verbs/errors.h"
#include "common/transport/verbs/event_thread.h"
#include "common/transport/verbs/handles.h"
#include "common/transport/verbs/listener.h"
#include "common/transport/verbs/local_regions.h"
#include "common/transport/verbs/queue_pair.h"
#include "glog/logging.h"

namespace fargraph::transport {
namespace verbs {
namespace {

/// The RDMA device as this process uses it, with one protection domain for its local memory and one
/// thread for the events of the device and of the connections that it has made.
class VerbsDevice final : public Device {
 public:
  static absl::StatusOr<std::unique_ptr<Device>> Open() {
    FARGRAPH_ASSIGN_OR_RETURN(DeviceContext context, DeviceContext::Open());
    ProtectionDomain domain(ibv_alloc_pd(context.verbs()));
    if (domain == nullptr) return VerbsError("allocate a protection domain", errno);
    FARGRAPH_ASSIGN_OR_RETURN(CmChannel channel, CreateCmChannel());
    std::unique_ptr<VerbsDevice> device(
        new VerbsDevice(std::move(context), std::move(domain), std::move(channel)));
    FARGRAPH_RETURN_IF_ERROR(device->StartThread());
    return device;
  }

  Kind kind() const override { return Kind::kVerbs; }

  absl::StatusOr<std::unique_ptr<MemoryRegion>> RegisterMemory(
      absl::Span<std::byte> memory) override {
    return local_regions_.Register(memory);
  }

  absl::StatusOr<std::unique_ptr<CompletionQueue>> CreateCompletionQueue(size_t capacity) override {
    return VerbsCompletionQueue::Create(context_, capacity);
  }

  absl::StatusOr<std::unique_ptr<QueuePair>> Connect(const Endpoint& endpoint, const Ticket& ticket,
                                                     CompletionQueue& completion_queue,
                                                     const QueuePairOptions& options) override {
    auto& queue = static_cast<VerbsCompletionQueue&>(completion_queue);
    VerbsQueuePair::Shape shape = ShapeFor(options);
    if (shape.capacity == 0 || shape.capacity > queue.unclaimed() ||
        shape.queue_depth() > queue.unclaimed_entries()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "a queue pair for ", options.capacity,
          " requests does not fit its completion queue, which has room for ", queue.unclaimed()));
    }
    FARGRAPH_ASSIGN_OR_RETURN(Connector connector,
                              Connector::Create(context_, endpoint, options.connect_timeout));
    FARGRAPH_RETURN_IF_ERROR(connector.ResolveAddress());
    FARGRAPH_RETURN_IF_ERROR(connector.ResolveRoute());
    FARGRAPH_RETURN_IF_ERROR(
        connector.CreateQueuePair(domain_.get(), queue.hardware(), shape.queue_depth()));
    FARGRAPH_RETURN_IF_ERROR(connector.Connect(ticket));
    FARGRAPH_ASSIGN_OR_RETURN(shape.read_depth, connector.ReadDepth());
    auto queue_pair = std::make_unique<VerbsQueuePair>(connector.TakeConnection(), endpoint, shape,
                                                       local_regions_, queue);
    FARGRAPH_RETURN_IF_ERROR(queue_pair->ReportEventsTo(channel_.get()));
    thread_->Wake();  // an event may have come before the channel was this one
    return queue_pair;
  }

  absl::StatusOr<std::unique_ptr<Listener>> Listen(const ListenOptions& options) override {
    return VerbsListener::Listen(context_, options);
  }

 private:
  VerbsDevice(DeviceContext context, ProtectionDomain domain, CmChannel channel)
      : context_(std::move(context)),
        domain_(std::move(domain)),
        channel_(std::move(channel)),
        local_regions_(domain_.get()) {}

  absl::Status StartThread() {
    SetNonBlocking(context_.verbs()->async_fd);
    std::vector<EventThread::Source> sources;
    sources.push_back({channel_->fd, [this] { OnCmEvents(); }});
    sources.push_back({context_.verbs()->async_fd, [this] { OnDeviceEvents(); }});
    FARGRAPH_ASSIGN_OR_RETURN(thread_, EventThread::Start(std::move(sources)));
    return absl::OkStatus();
  }

  VerbsQueuePair::Shape ShapeFor(const QueuePairOptions& options) const {
    VerbsQueuePair::Shape shape;
    shape.max_piece_bytes = context_.max_piece_bytes();
    shape.pieces_per_request = context_.pieces_per_request();
    shape.capacity = std::min(options.capacity, context_.max_work_requests() - 1);
    return shape;
  }

  void OnCmEvents() {
    while (const CmEvent event = NextCmEvent(channel_.get())) {
      auto* const queue_pair = static_cast<VerbsQueuePair*>(event->id->context);
      if (event->event == RDMA_CM_EVENT_DISCONNECTED) queue_pair->OnDisconnected();
      if (event->event == RDMA_CM_EVENT_DEVICE_REMOVAL) queue_pair->OnDeviceLost();
    }
  }

  /// What concerns a queue pair comes as a completion or from rdma_cm too, so the log is enough.
  void OnDeviceEvents() {
    ibv_async_event event = {};
    while (ibv_get_async_event(context_.verbs(), &event) == 0) {
      const std::string text =
          absl::StrCat("RDMA device ", context_.name(), ": ", ibv_event_type_str(event.event_type));
      if (event.event_type == IBV_EVENT_DEVICE_FATAL) {
        LOG(ERROR) << text;
      } else {
        LOG(INFO) << text;
      }
      ibv_ack_async_event(&event);
    }
  }

  const DeviceContext context_;
  const ProtectionDomain domain_;
  const CmChannel channel_;
  LocalRegions local_regions_;
  std::unique_ptr<EventThread> thread_;
};

}  // namespace
}  // namespace verbs

absl::StatusOr<std::unique_ptr<Device>> OpenVerbsDevice() { return verbs::VerbsDevice::Open(); }

}  // namespace fargraph::transport

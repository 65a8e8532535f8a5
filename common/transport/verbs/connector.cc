#include "common/transport/verbs/connector.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/monotonic_time.h"
#include "common/status_macros.h"
#include "common/transport/verbs/errors.h"
#include "common/transport/verbs/handshake.h"
#include "common/transport/verbs/rejection.h"
#include "glog/logging.h"

namespace fargraph::transport::verbs {
namespace {

/// The hardware sends a request again after 4.096 us * 2^kAckTimeout = 0.27 s (some devices: up to
/// four times that) without a sign of life, kRetries times: a silent peer is given up after 2 to
/// 8 s. rdma_cm's own choice would take four times as long, and Soft-RoCE takes 7 for infinity.
constexpr uint8_t kAckTimeout = 16;
constexpr uint8_t kRetries = 6;

}  // namespace

absl::StatusOr<Connector> Connector::Create(const DeviceContext& device, const Endpoint& peer,
                                            absl::Duration timeout) {
  const absl::Time deadline = MonotonicNow() + timeout;
  FARGRAPH_ASSIGN_OR_RETURN(HostPort address, ParseHostPort(peer));
  FARGRAPH_ASSIGN_OR_RETURN(CmChannel channel, CreateCmChannel());
  FARGRAPH_ASSIGN_OR_RETURN(CmId id, CreateCmId(channel.get()));
  return Connector(device, std::move(address), deadline, std::move(channel), std::move(id));
}

absl::Status Connector::ResolveAddress() {
  FARGRAPH_ASSIGN_OR_RETURN(sockaddr_storage address, ResolveHost(peer_));
  if (rdma_resolve_addr(id_.get(), nullptr, reinterpret_cast<sockaddr*>(&address),
                        MillisecondsLeft()) != 0) {
    return NoAddress(errno);
  }
  FARGRAPH_RETURN_IF_ERROR(Await(RDMA_CM_EVENT_ADDR_RESOLVED));
  if (id_->verbs == device_->verbs()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("the way to ", peer_.ToString(), " leads over RDMA device ",
                   ibv_get_device_name(id_->verbs->device), ", but this process uses ",
                   device_->Describe(), "; choose the other one with FARGRAPH_RDMA_DEVICE=",
                   ibv_get_device_name(id_->verbs->device)));
}

std::string Connector::LocalGid() const { return FormatGid(id_->route.addr.addr.ibaddr.sgid); }

absl::Status Connector::ResolveRoute() {
  uint8_t ack_timeout = kAckTimeout;
  if (rdma_set_option(id_.get(), RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, &ack_timeout,
                      sizeof ack_timeout) != 0) {
    LOG(WARNING) << "This kernel cannot set the RDMA acknowledgement timeout; the loss of a memory "
                    "node may be noticed late";
  }
  if (rdma_resolve_route(id_.get(), MillisecondsLeft()) != 0) {
    return NoAddress(errno);
  }
  return Await(RDMA_CM_EVENT_ROUTE_RESOLVED);
}

absl::Status Connector::CreateQueuePair(ibv_pd* domain, ibv_cq* completion_queue,
                                        size_t work_requests) {
  ibv_qp_init_attr attributes = {};
  attributes.qp_type = IBV_QPT_RC;
  attributes.send_cq = completion_queue;
  attributes.recv_cq = completion_queue;
  attributes.cap.max_send_wr = static_cast<uint32_t>(work_requests);
  attributes.cap.max_send_sge = 1;
  attributes.cap.max_recv_wr = 1;
  attributes.cap.max_recv_sge = 1;
  if (rdma_create_qp(id_.get(), domain, &attributes) != 0) {
    return Error(absl::StrCat("create a queue pair for ", work_requests, " work requests"), errno);
  }
  return absl::OkStatus();
}

absl::Status Connector::Connect(const Ticket& ticket) {
  ConnectRequest request;
  request.ticket = ticket;
  rdma_conn_param parameters = {};
  parameters.private_data = &request;
  parameters.private_data_len = sizeof request;
  parameters.initiator_depth = device_->initiator_depth();
  parameters.responder_resources = 0;  // the peer reads nothing from here
  parameters.retry_count = kRetries;
  if (rdma_connect(id_.get(), &parameters) != 0) return Error("connect", errno);
  return Await(RDMA_CM_EVENT_ESTABLISHED);
}

absl::StatusOr<uint8_t> Connector::ReadDepth() {
  ibv_qp_attr attributes = {};
  ibv_qp_init_attr initial = {};
  if (const int error = ibv_query_qp(id_->qp, &attributes, IBV_QP_MAX_QP_RD_ATOMIC, &initial);
      error != 0) {
    return Error("query the queue pair", error);
  }
  if (attributes.max_rd_atomic > 0) return attributes.max_rd_atomic;
  return absl::FailedPreconditionError(
      absl::StrCat("the RDMA device of ", peer_.ToString(),
                   " answers no reads: the negotiated read depth is 0 "
                   "and this side's ",
                   device_->initiator_depth(),
                   "; raise the limit of outstanding reads "
                   "(max_qp_rd_atom in `ibv_devinfo -v`) there"));
}

int Connector::MillisecondsLeft() const {
  return static_cast<int>(
      std::max<int64_t>(absl::ToInt64Milliseconds(deadline_ - MonotonicNow()), 1));
}

absl::Status Connector::Await(rdma_cm_event_type expected) {
  while (MonotonicNow() < deadline_) {
    if (const CmEvent event = NextCmEvent(channel_.get()); event != nullptr) {
      return event->event == expected ? absl::OkStatus() : Unexpected(*event);
    }
    pollfd polled = {channel_->fd, POLLIN, 0};
    poll(&polled, 1, MillisecondsLeft());
  }
  return NobodyAnswers();
}

absl::Status Connector::Unexpected(const rdma_cm_event& event) const {
  switch (event.event) {
    case RDMA_CM_EVENT_ADDR_ERROR:
      return NoAddress(-event.status);
    case RDMA_CM_EVENT_REJECTED:
      return RejectionError(peer_.ToString(), event);
    default:
      break;
  }
  return absl::UnavailableError(absl::StrCat("cannot connect to ", peer_.ToString(), ": ",
                                             rdma_event_str(event.event), " (", event.status, ")"));
}

absl::Status Connector::NoAddress(int error) const {
  if (error != ENODEV) return NobodyAnswers();
  return absl::FailedPreconditionError(
      absl::StrCat("the way to ", peer_.ToString(), " does not lead over this host's ",
                   device_->Describe(), "; use an address that lies in its network"));
}

absl::Status Connector::NobodyAnswers() const {
  return absl::UnavailableError(
      absl::StrCat("nobody answers at ", peer_.ToString(), " over ", device_->Describe()));
}

absl::Status Connector::Error(absl::string_view doing, int error) const {
  return VerbsError(absl::StrCat(doing, " for the RDMA connection to ", peer_.ToString()), error);
}

}  // namespace fargraph::transport::verbs

#include "common/transport/verbs/listener.h"

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "common/transport/verbs/device_choice.h"
#include "common/transport/verbs/errors.h"
#include "common/transport/verbs/handshake.h"
#include "common/transport/verbs/local_regions.h"
#include "glog/logging.h"

namespace fargraph::transport::verbs {
namespace {

constexpr int kBacklog = 128;

bool IsLinkLocal(const std::string& address) { return absl::StartsWith(address, "fe80:"); }

/// What else to do where another device, which may be null, has the address to listen on.
std::string OrChoose(const ibv_context* other) {
  if (other == nullptr) return "";
  return absl::StrCat(", or choose the other device with ", kDeviceVariable, "=",
                      ibv_get_device_name(other->device));
}

void Refuse(rdma_cm_id* id, Refusal reason) {
  ConnectRefusal refusal;
  refusal.reason = reason;
  rdma_reject(id, &refusal, sizeof refusal);
}

int AccessFlags(Access access) {
  return access == Access::kRead
             ? IBV_ACCESS_REMOTE_READ
             : IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_LOCAL_WRITE;
}

}  // namespace

std::string StatedHost(const std::string& host, std::vector<std::string> addresses) {
  if (!IsWildcard(host)) return host;
  std::erase_if(addresses, IsLinkLocal);
  return addresses.size() == 1 ? addresses.front() : host;
}

absl::StatusOr<std::unique_ptr<Listener>> VerbsListener::Listen(const DeviceContext& device,
                                                                const ListenOptions& options) {
  std::unique_ptr<VerbsListener> listener(new VerbsListener(device, options));
  FARGRAPH_RETURN_IF_ERROR(listener->Open());
  return listener;
}

absl::Status VerbsListener::Open() {
  domain_.reset(ibv_alloc_pd(device_.verbs()));
  if (domain_ == nullptr) return VerbsError("allocate a protection domain", errno);
  completion_queue_.reset(ibv_create_cq(device_.verbs(), 1, nullptr, nullptr, 0));
  if (completion_queue_ == nullptr) return VerbsError("create a completion queue", errno);
  FARGRAPH_ASSIGN_OR_RETURN(channel_, CreateCmChannel());
  FARGRAPH_ASSIGN_OR_RETURN(listening_, CreateCmId(channel_.get()));
  FARGRAPH_RETURN_IF_ERROR(Bind());

  std::vector<EventThread::Source> sources;
  sources.push_back({channel_->fd, [this] { OnCmEvents(); }});
  FARGRAPH_ASSIGN_OR_RETURN(thread_, EventThread::Start(std::move(sources)));
  return absl::OkStatus();
}

absl::Status VerbsListener::Bind() {
  FARGRAPH_ASSIGN_OR_RETURN(sockaddr_storage address, ResolveHost({options_.host, 0}));
  const bool bound = rdma_bind_addr(listening_.get(), reinterpret_cast<sockaddr*>(&address)) == 0;
  const bool elsewhere =
      bound && listening_->verbs != device_.verbs() && !IsWildcard(options_.host);
  if (elsewhere || (!bound && (errno == ENODEV || errno == EADDRNOTAVAIL))) {
    return absl::FailedPreconditionError(
        absl::StrCat("cannot listen for RDMA connections on ", options_.host,
                     ", which is not an address of this host's ", device_.Describe(),
                     "; listen on one of those", OrChoose(listening_->verbs)));
  }
  if (!bound || rdma_listen(listening_.get(), kBacklog) != 0) {
    return VerbsError(absl::StrCat("listen for RDMA connections on ", options_.host), errno);
  }
  HostPort local = ToHostPort(*rdma_get_local_addr(listening_.get()));
  local.host = StatedHost(local.host, device_.Addresses());
  endpoint_ = local.ToString();
  return absl::OkStatus();
}

VerbsListener::~VerbsListener() {
  thread_.reset();
  absl::MutexLock lock(&mutex_);
  for (auto& [id, peer] : peers_) rdma_disconnect(id);
  peers_.clear();
  exposed_.clear();
}

absl::StatusOr<RemoteKey> VerbsListener::Expose(uint64_t offset, uint64_t length, Access access) {
  const absl::Span<std::byte> memory = options_.memory->bytes();
  if (length == 0 || offset > memory.size() || length > memory.size() - offset) {
    return absl::InvalidArgumentError(absl::StrCat("cannot expose ", length, " bytes at offset ",
                                                   offset, " of ", memory.size(),
                                                   " bytes of memory"));
  }
  FARGRAPH_ASSIGN_OR_RETURN(
      RegisteredMemory registered,
      RegisterWithDevice(domain_.get(), memory.subspan(offset, length), AccessFlags(access)));
  const RemoteKey key = {reinterpret_cast<uintptr_t>(registered->addr), registered->rkey};
  absl::MutexLock lock(&mutex_);
  exposed_[registered->rkey] = std::move(registered);
  return key;
}

absl::Status VerbsListener::Revoke(const RemoteKey& key) {
  RegisteredMemory revoked;
  {
    absl::MutexLock lock(&mutex_);
    const auto found = exposed_.find(static_cast<uint32_t>(key.rkey));
    if (found == exposed_.end()) {
      return absl::NotFoundError("no memory is exposed under the key that is to be revoked");
    }
    revoked = std::move(found->second);
    exposed_.erase(found);
  }
  ibv_mr* const memory = revoked.release();
  if (const int error = ibv_dereg_mr(memory); error != 0) {
    absl::MutexLock lock(&mutex_);
    exposed_[memory->rkey].reset(memory);  // to be revoked again
    return VerbsError("take exposed memory back from the RDMA device", error);
  }
  return absl::OkStatus();
}

void VerbsListener::Disconnect(const Ticket& ticket) {
  absl::MutexLock lock(&mutex_);
  for (auto& [id, peer] : peers_) {
    if (peer.ticket != ticket) continue;
    peer.disconnected = true;
    // Its queue pair answers nothing any more. The event that follows removes it.
    if (id->qp != nullptr) rdma_disconnect(id);
  }
}

void VerbsListener::OnCmEvents() {
  while (CmEvent event = NextCmEvent(channel_.get())) {
    switch (event->event) {
      case RDMA_CM_EVENT_CONNECT_REQUEST:
        OnConnectRequest(*event);
        break;
      case RDMA_CM_EVENT_DEVICE_REMOVAL:
        if (!device_lost_.exchange(true)) {
          LOG(ERROR) << device_.name() << " has been removed, and its connections are lost; start "
                     << "the memory node again once the device is back";
        }
        [[fallthrough]];
      case RDMA_CM_EVENT_DISCONNECTED:
      case RDMA_CM_EVENT_CONNECT_ERROR:
      case RDMA_CM_EVENT_UNREACHABLE:
      case RDMA_CM_EVENT_REJECTED: {
        rdma_cm_id* const id = event->id;
        event.reset();
        absl::MutexLock lock(&mutex_);
        peers_.erase(id);
        break;
      }
      default:
        break;
    }
  }
}

void VerbsListener::OnConnectRequest(const rdma_cm_event& event) {
  rdma_cm_id* const id = event.id;
  CmId owned(id);
  const auto request = ReadPrivateData<ConnectRequest>(event.param.conn);
  if (!request.has_value()) return Refuse(id, Refusal::kNotAdmitted);
  if (id->verbs != device_.verbs()) return Refuse(id, Refusal::kOtherDevice);
  {
    // Known before it is admitted, so that a Disconnect in between is not lost.
    absl::MutexLock lock(&mutex_);
    peers_[id] = {std::move(owned), request->ticket};
  }
  const bool admitted = options_.admit(request->ticket);

  absl::MutexLock lock(&mutex_);
  const Peer& peer = peers_[id];
  if (!admitted || peer.disconnected) {
    Refuse(id, Refusal::kNotAdmitted);
    peers_.erase(id);
  } else if (const absl::Status status = Accept(id, event.param.conn); !status.ok()) {
    LOG(ERROR) << status.message();
    Refuse(id, Refusal::kOutOfResources);
    peers_.erase(id);
  }
}

absl::Status VerbsListener::Accept(rdma_cm_id* id, const rdma_conn_param& request) {
  ibv_qp_init_attr attributes = {};
  attributes.qp_type = IBV_QPT_RC;
  attributes.send_cq = completion_queue_.get();
  attributes.recv_cq = completion_queue_.get();
  attributes.cap = {.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1};
  if (rdma_create_qp(id, domain_.get(), &attributes) != 0) {
    return VerbsError("create a queue pair for a peer", errno);
  }
  rdma_conn_param answer = {};
  answer.responder_resources = std::min(request.responder_resources, device_.responder_resources());
  answer.initiator_depth = 0;  // nothing is read from the peer
  if (rdma_accept(id, &answer) != 0) return VerbsError("accept a peer's connection", errno);
  VLOG(1) << "Admitted " << ToHostPort(*rdma_get_peer_addr(id)).ToString() << " with "
          << int{answer.responder_resources} << " outstanding reads";
  return absl::OkStatus();
}

}  // namespace fargraph::transport::verbs

#include "common/control/remote_lease.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "absl/random/random.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "common/address.h"
#include "common/control/protocol.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

using proto::MemoryNode;

/// Distinguishes this request from every other, so that the node recognises its repetition.
std::string NewRequestId() {
  absl::BitGen random;
  return absl::StrFormat("%016x%016x", absl::Uniform<uint64_t>(random),
                         absl::Uniform<uint64_t>(random));
}

/// For the operator of the node: who holds a lease.
std::string DescribeThisProcess() {
  std::array<char, 256> host = {};
  gethostname(host.data(), host.size() - 1);
  return absl::StrCat(program_invocation_short_name, " (process ", getpid(), " on ", host.data(),
                      ")");
}

/// A node that listens on every address of its host names none: it is reached where its control
/// port is.
transport::Endpoint Reachable(const transport::Endpoint& endpoint, const HostPort& control) {
  auto data = ParseHostPort(endpoint);
  if (!data.ok() || !IsWildcard(data->host)) return endpoint;
  data->host = control.host;
  return data->ToString();
}

RemoteRegion FromProto(const proto::Region& region) {
  return {region.region_id(), region.name(), region.bytes(), {region.address(), region.rkey()}};
}

}  // namespace

absl::StatusOr<std::unique_ptr<RemoteLease>> RemoteLease::Open(
    std::shared_ptr<ControlChannel> channel, transport::Kind kind,
    std::function<uint64_t()> bytes_moved) {
  auto lease =
      std::unique_ptr<RemoteLease>(new RemoteLease(std::move(channel), std::move(bytes_moved)));
  FARGRAPH_RETURN_IF_ERROR(lease->Request(kind));
  lease->renewal_ = std::thread(&RemoteLease::KeepRenewed, lease.get());
  return lease;
}

absl::Status RemoteLease::Request(transport::Kind kind) {
  proto::OpenLeaseRequest request;
  request.set_request_id(NewRequestId());
  request.set_transport(ToProto(kind));
  request.set_holder(DescribeThisProcess());
  proto::OpenLeaseReply reply;
  const absl::Time sent = MonotonicNow();
  FARGRAPH_RETURN_IF_ERROR(
      channel_->Call("open a lease on", &MemoryNode::Stub::OpenLease, request, &reply));

  if (reply.ticket().size() != ticket_.size() || reply.duration_milliseconds() == 0) {
    return absl::UnavailableError(
        absl::StrCat("memory node ", channel_->address(),
                     " answers with a lease that makes no sense; check that it is a "
                     "fargraph-memory-node of this version"));
  }
  id_ = reply.lease_id();
  endpoint_ = Reachable(reply.endpoint(), channel_->peer());
  std::transform(reply.ticket().begin(), reply.ticket().end(), ticket_.begin(),
                 [](char byte) { return static_cast<std::byte>(byte); });
  duration_ = absl::Milliseconds(reply.duration_milliseconds());
  valid_until_ = sent + duration_;
  return absl::OkStatus();
}

RemoteLease::~RemoteLease() {
  if (!renewal_.joinable()) return;
  const absl::Time deadline = absl::Now() + channel_->TimeFor(ReclaimableBytes());
  closing_.Notify();
  renewal_.join();
  if (!RemoteLease::Health().ok())
    return;  // the node has ended the lease, or will without being told
  proto::CloseLeaseRequest request;
  request.set_lease_id(id_);
  request.set_bytes_moved_total(BytesMoved());
  proto::CloseLeaseReply reply;
  channel_->CallOnce(&MemoryNode::Stub::CloseLease, request, &reply, deadline);
}

void RemoteLease::KeepRenewed() {
  const absl::Duration between_renewals = duration_ / 3;
  const absl::Duration between_attempts = duration_ / 20;
  absl::Duration pause = between_renewals;
  while (!closing_.WaitForNotificationWithTimeout(pause)) {
    const absl::Time sent = MonotonicNow();
    const grpc::Status status = Renew(std::min(between_renewals, channel_->call_timeout()));
    if (status.ok()) {
      valid_until_ = sent + duration_;
      pause = between_renewals;
      continue;
    }
    if (status.error_code() == grpc::StatusCode::ABORTED || MonotonicNow() >= valid_until_) {
      const absl::MutexLock lock(&mutex_);
      health_ = Lost(status);
      return;
    }
    pause = between_attempts;
  }
}

grpc::Status RemoteLease::Renew(absl::Duration patience) {
  proto::RenewLeaseRequest request;
  request.set_lease_id(id_);
  request.set_bytes_moved_total(BytesMoved());
  proto::RenewLeaseReply reply;
  return channel_->CallOnce(&MemoryNode::Stub::RenewLease, request, &reply, absl::Now() + patience);
}

absl::Status RemoteLease::Lost(const grpc::Status& reason) const {
  return absl::UnavailableError(
      absl::StrCat(channel_->Explain("keep the lease on", reason, duration_).message(),
                   "; what the lease held is gone, so start the job again"));
}

absl::Status RemoteLease::CheckNotEnded() {
  const grpc::Status status = Renew(channel_->call_timeout());
  return status.error_code() == grpc::StatusCode::ABORTED ? Lost(status) : absl::OkStatus();
}

absl::Status RemoteLease::Health() const {
  const absl::MutexLock lock(&mutex_);
  return health_;
}

absl::StatusOr<RemoteRegion> RemoteLease::Allocate(const std::string& name, uint64_t bytes) {
  proto::AllocateRequest request;
  request.set_lease_id(id_);
  request.set_request_id(NewRequestId());
  request.set_name(name);
  request.set_bytes(bytes);
  proto::Region reply;
  FARGRAPH_RETURN_IF_ERROR(channel_->Call(absl::StrCat("allocate region '", name, "' on"),
                                          &MemoryNode::Stub::Allocate, request, &reply, bytes));
  AddReclaimable(reply.region_id(), bytes);
  return FromProto(reply);
}

absl::StatusOr<RemoteRegion> RemoteLease::Seal(const RemoteRegion& region, bool keep) {
  proto::SealRequest request;
  request.set_lease_id(id_);
  request.set_region_id(region.region_id);
  request.set_keep(keep);
  proto::Region reply;
  FARGRAPH_RETURN_IF_ERROR(channel_->Call(absl::StrCat("seal region '", region.name, "' on"),
                                          &MemoryNode::Stub::Seal, request, &reply, region.bytes));
  RemoveReclaimable(region.region_id);
  if (!keep) AddReclaimable(reply.region_id(), region.bytes);  // maybe another's, sealed before
  return FromProto(reply);
}

absl::StatusOr<RemoteRegion> RemoteLease::Attach(const std::string& name) {
  FARGRAPH_ASSIGN_OR_RETURN(const proto::RegionSummary sealed, Summary(name));
  proto::AttachRequest request;
  request.set_lease_id(id_);
  request.set_name(name);
  proto::Region reply;
  FARGRAPH_RETURN_IF_ERROR(channel_->Call(absl::StrCat("attach to region '", name, "' on"),
                                          &MemoryNode::Stub::Attach, request, &reply,
                                          sealed.bytes()));
  if (!sealed.keep()) AddReclaimable(reply.region_id(), sealed.bytes());
  return FromProto(reply);
}

absl::StatusOr<proto::RegionSummary> RemoteLease::Summary(const std::string& name) {
  proto::ListRequest request;
  request.set_name_prefix(name);
  proto::ListReply reply;
  FARGRAPH_RETURN_IF_ERROR(channel_->Call(absl::StrCat("look for region '", name, "' on"),
                                          &MemoryNode::Stub::List, request, &reply));
  for (const proto::RegionSummary& region : reply.regions()) {
    if (region.name() == name) return region;
  }
  return proto::RegionSummary();
}

absl::Status RemoteLease::Free(const RemoteRegion& region) {
  proto::FreeRequest request;
  request.set_lease_id(id_);
  request.set_region_id(region.region_id);
  proto::FreeReply reply;
  FARGRAPH_RETURN_IF_ERROR(channel_->Call(absl::StrCat("free region '", region.name, "' on"),
                                          &MemoryNode::Stub::Free, request, &reply, region.bytes));
  RemoveReclaimable(region.region_id);
  return absl::OkStatus();
}

void RemoteLease::AddReclaimable(const std::string& region_id, uint64_t bytes) {
  const absl::MutexLock lock(&mutex_);
  reclaimable_[region_id] = bytes;
}

void RemoteLease::RemoveReclaimable(const std::string& region_id) {
  const absl::MutexLock lock(&mutex_);
  reclaimable_.erase(region_id);
}

uint64_t RemoteLease::ReclaimableBytes() const {
  const absl::MutexLock lock(&mutex_);
  uint64_t total = 0;
  for (const auto& [id, bytes] : reclaimable_) total += bytes;
  return total;
}

}  // namespace fargraph

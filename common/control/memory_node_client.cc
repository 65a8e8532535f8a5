#include "common/control/memory_node_client.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/address.h"
#include "common/control/control_channel.h"
#include "common/control/protocol.h"
#include "common/control/remote_lease.h"
#include "common/control/token.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

using proto::MemoryNode;

MemoryNodeDescription FromProto(const proto::DescribeReply& reply) {
  MemoryNodeDescription description;
  description.node_id = reply.node_id();
  description.host_id = reply.host_id();
  for (const int transport : reply.transports()) {
    const auto kind = fargraph::FromProto(static_cast<proto::Transport>(transport));
    if (kind.ok()) description.transports.push_back(*kind);
  }
  description.capacity_bytes = reply.capacity_bytes();
  description.pages = reply.pages();
  description.extent_bytes = reply.extent_bytes();
  return description;
}

doctor::Level FromProto(proto::FindingLevel level) {
  switch (level) {
    case proto::FINDING_LEVEL_OK:
      return doctor::Level::kOk;
    case proto::FINDING_LEVEL_WARNING:
      return doctor::Level::kWarning;
    default:
      return doctor::Level::kProblem;
  }
}

NodeDiagnosis FromProto(const proto::DiagnoseReply& reply) {
  NodeDiagnosis diagnosis;
  for (const proto::Finding& finding : reply.findings()) {
    diagnosis.findings.push_back(
        {finding.check(), FromProto(finding.level()), finding.value(), finding.mend()});
  }
  if (reply.has_rdma()) {
    diagnosis.rdma = {.device = reply.rdma().device(),
                      .mtu_bytes = reply.rdma().mtu_bytes(),
                      .reads_answered = reply.rdma().reads_answered()};
  }
  return diagnosis;
}

class GrpcMemoryNodeClient : public MemoryNodeClient {
 public:
  GrpcMemoryNodeClient(const std::string& address, const ControlOptions& options)
      : channel_(std::make_shared<ControlChannel>(address, options)) {}

  /// Asks the node who it is; an error when nobody answers or when it speaks another version.
  absl::Status Describe() {
    proto::DescribeReply reply;
    FARGRAPH_RETURN_IF_ERROR(channel_->Call("connect to", &MemoryNode::Stub::Describe, {}, &reply));
    if (reply.protocol_version() != kProtocolVersion) {
      return absl::FailedPreconditionError(
          absl::StrCat("memory node ", address(), " speaks version ", reply.protocol_version(),
                       " of the control protocol and this program version ", kProtocolVersion,
                       "; install the same release of Fargraph on both"));
    }
    description_ = FromProto(reply);
    return absl::OkStatus();
  }

  const std::string& address() const override { return channel_->address(); }
  const MemoryNodeDescription& description() const override { return description_; }

  using MemoryNodeClient::OpenLease;
  absl::StatusOr<std::unique_ptr<Lease>> OpenLease(transport::Kind kind,
                                                   std::function<uint64_t()> bytes_moved) override {
    return RemoteLease::Open(channel_, kind, std::move(bytes_moved));
  }

  absl::StatusOr<std::vector<RegionSummary>> List(const std::string& name_prefix) override {
    proto::ListRequest request;
    request.set_name_prefix(name_prefix);
    proto::ListReply reply;
    FARGRAPH_RETURN_IF_ERROR(
        channel_->Call("list the regions of", &MemoryNode::Stub::List, request, &reply));
    std::vector<RegionSummary> regions;
    for (const proto::RegionSummary& region : reply.regions()) {
      regions.push_back(
          {region.region_id(), region.name(), region.bytes(), region.keep(), region.holders()});
    }
    return regions;
  }

  absl::Status Free(const RegionSummary& region) override {
    proto::FreeRequest request;
    request.set_region_id(region.region_id);
    proto::FreeReply reply;
    return channel_->Call(absl::StrCat("free region ", region.region_id, " on"),
                          &MemoryNode::Stub::Free, request, &reply, region.bytes);
  }

  absl::StatusOr<MemoryNodeStats> Stats() override {
    proto::StatsReply reply;
    FARGRAPH_RETURN_IF_ERROR(
        channel_->Call("read the statistics of", &MemoryNode::Stub::Stats, {}, &reply));
    MemoryNodeStats stats = {.capacity_bytes = reply.capacity_bytes(),
                             .allocated_bytes = reply.allocated_bytes(),
                             .regions = reply.regions(),
                             .leases = reply.leases(),
                             .leases_expired_total = reply.leases_expired_total(),
                             .allocations_refused_total = reply.allocations_refused_total(),
                             .uptime_seconds = reply.uptime_seconds(),
                             .bytes_moved_total = reply.bytes_moved_total()};
    for (const proto::Client& client : reply.clients()) {
      const auto kind = fargraph::FromProto(client.transport());
      stats.clients.push_back({.holder = client.holder(),
                               .transport = kind.value_or(transport::Kind::kTcp),
                               .bytes_moved_total = client.bytes_moved_total(),
                               .bytes_per_second = client.bytes_per_second()});
    }
    return stats;
  }

  absl::StatusOr<NodeDiagnosis> Diagnose() override {
    proto::DiagnoseReply reply;
    FARGRAPH_RETURN_IF_ERROR(
        channel_->Call("ask the host of", &MemoryNode::Stub::Diagnose, {}, &reply));
    return FromProto(reply);
  }

 private:
  const std::shared_ptr<ControlChannel> channel_;
  MemoryNodeDescription description_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<MemoryNodeClient>> MemoryNodeClient::Connect(
    const std::string& address, const ControlOptions& options) {
  FARGRAPH_ASSIGN_OR_RETURN(const HostPort host_port, ParseHostPort(address));
  if (host_port.port == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("memory node '", address,
                     "' has no port; give the one that the node printed at its start"));
  }
  if (!options.token.empty()) FARGRAPH_RETURN_IF_ERROR(CheckToken(options.token));
  auto client = std::make_unique<GrpcMemoryNodeClient>(address, options);
  FARGRAPH_RETURN_IF_ERROR(client->Describe());
  return client;
}

}  // namespace fargraph

#include "memory_node/service.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/control/memory_node_client.h"
#include "common/control/protocol.h"
#include "common/control/token.h"
#include "common/doctor/check_host.h"
#include "common/host/huge_pages.h"
#include "common/log/log_fields.h"
#include "common/monotonic_time.h"
#include "common/status_macros.h"
#include "glog/logging.h"

namespace fargraph {
namespace {

void Fill(const LentRegion& region, proto::Region* reply) {
  reply->set_region_id(region.id);
  reply->set_name(region.name);
  reply->set_bytes(region.bytes);
  reply->set_address(region.key.address);
  reply->set_rkey(region.key.rkey);
}

void Fill(const ClientSummary& client, proto::Client* reply) {
  reply->set_holder(client.holder);
  reply->set_transport(ToProto(client.transport));
  reply->set_bytes_moved_total(client.bytes_moved_total);
  reply->set_bytes_per_second(client.bytes_per_second);
}

proto::FindingLevel ToProto(doctor::Level level) {
  switch (level) {
    case doctor::Level::kOk:
      return proto::FINDING_LEVEL_OK;
    case doctor::Level::kWarning:
      return proto::FINDING_LEVEL_WARNING;
    case doctor::Level::kProblem:
      return proto::FINDING_LEVEL_PROBLEM;
  }
  return proto::FINDING_LEVEL_PROBLEM;
}

void Fill(const doctor::Finding& finding, proto::Finding* reply) {
  reply->set_check(finding.check);
  reply->set_level(ToProto(finding.level));
  reply->set_value(finding.value);
  reply->set_mend(finding.mend);
}

/// On which pages the lent memory is, as a finding.
doctor::Finding CheckLentPages(const MappedMemory& memory) {
  doctor::Finding finding = {.check = "lent memory", .value = memory.description(), .mend = {}};
  if (memory.page_bytes() >= kHugePageBytes) return finding;
  finding.level = doctor::Level::kWarning;
  const uint64_t wanted = (memory.size() + kHugePageBytes - 1) / kHugePageBytes;
  finding.mend = absl::StrCat(ReserveHugePages(ReadHugePages(), wanted),
                              "  # once the memory node is stopped; then start it again");
  return finding;
}

}  // namespace

ControlService::ControlService(std::string node_id, std::string token, const Arena& arena,
                               const LeaseTable& leases, const DataPlane& data_plane,
                               Broker& broker)
    : node_id_(std::move(node_id)),
      token_(std::move(token)),
      arena_(arena),
      leases_(leases),
      data_plane_(data_plane),
      broker_(broker),
      started_(MonotonicNow()) {}

grpc::Status ControlService::Serve(const grpc::ServerContext& context,
                                   absl::FunctionRef<absl::Status()> operation) const {
  if (const absl::Status admitted = Authenticate(context); !admitted.ok()) {
    const LogFields fields({{"client", context.peer()}});
    LOG(WARNING) << "a caller from " << context.peer() << " was refused: " << admitted.message();
    return ToGrpc(admitted);
  }
  return ToGrpc(operation());
}

absl::Status ControlService::Authenticate(const grpc::ServerContext& context) const {
  if (token_.empty()) return absl::OkStatus();
  const auto shown = context.client_metadata().find(kAuthorizationKey);
  if (shown == context.client_metadata().end()) {
    return absl::UnauthenticatedError(
        "it asks for a token and got none; name the file that holds it with --token_file");
  }
  const absl::string_view value(shown->second.data(), shown->second.size());
  if (!TokensEqual(value, AuthorizationValue(token_))) {
    return absl::UnauthenticatedError(
        "it does not know the token; check that --token_file holds the same on both ends");
  }
  return absl::OkStatus();
}

grpc::Status ControlService::Describe(grpc::ServerContext* context,
                                      const proto::DescribeRequest* /*request*/,
                                      proto::DescribeReply* reply) {
  return Serve(*context, [&] {
    reply->set_protocol_version(kProtocolVersion);
    reply->set_node_id(node_id_);
    reply->set_host_id(LocalHostId());
    for (const transport::Kind kind : data_plane_.transports()) {
      reply->add_transports(ToProto(kind));
    }
    reply->set_capacity_bytes(arena_.capacity());
    reply->set_pages(arena_.memory().description());
    reply->set_extent_bytes(arena_.extent_bytes());
    return absl::OkStatus();
  });
}

grpc::Status ControlService::OpenLease(grpc::ServerContext* context,
                                       const proto::OpenLeaseRequest* request,
                                       proto::OpenLeaseReply* reply) {
  return Serve(*context, [&]() -> absl::Status {
    FARGRAPH_ASSIGN_OR_RETURN(const transport::Kind kind, FromProto(request->transport()));
    FARGRAPH_ASSIGN_OR_RETURN(const std::shared_ptr<LeaseRecord> lease,
                              broker_.OpenLease(request->request_id(), kind, request->holder()));
    reply->set_lease_id(lease->id);
    reply->set_duration_milliseconds(
        static_cast<uint64_t>(absl::ToInt64Milliseconds(leases_.duration())));
    reply->set_endpoint(data_plane_.endpoint(kind));
    reply->set_ticket(lease->ticket.data(), lease->ticket.size());
    return absl::OkStatus();
  });
}

grpc::Status ControlService::RenewLease(grpc::ServerContext* context,
                                        const proto::RenewLeaseRequest* request,
                                        proto::RenewLeaseReply* /*reply*/) {
  return Serve(*context, [&] {
    return broker_.RenewLease(request->lease_id(), request->bytes_moved_total());
  });
}

grpc::Status ControlService::CloseLease(grpc::ServerContext* context,
                                        const proto::CloseLeaseRequest* request,
                                        proto::CloseLeaseReply* /*reply*/) {
  return Serve(*context, [&] {
    broker_.CloseLease(request->lease_id(), request->bytes_moved_total());
    return absl::OkStatus();
  });
}

grpc::Status ControlService::Allocate(grpc::ServerContext* context,
                                      const proto::AllocateRequest* request, proto::Region* reply) {
  return Serve(*context, [&]() -> absl::Status {
    FARGRAPH_ASSIGN_OR_RETURN(const LentRegion region,
                              broker_.Allocate(request->lease_id(), request->request_id(),
                                               request->name(), request->bytes()));
    Fill(region, reply);
    return absl::OkStatus();
  });
}

grpc::Status ControlService::Seal(grpc::ServerContext* context, const proto::SealRequest* request,
                                  proto::Region* reply) {
  return Serve(*context, [&]() -> absl::Status {
    FARGRAPH_ASSIGN_OR_RETURN(
        const LentRegion region,
        broker_.Seal(request->lease_id(), request->region_id(), request->keep()));
    Fill(region, reply);
    return absl::OkStatus();
  });
}

grpc::Status ControlService::Attach(grpc::ServerContext* context,
                                    const proto::AttachRequest* request, proto::Region* reply) {
  return Serve(*context, [&]() -> absl::Status {
    FARGRAPH_ASSIGN_OR_RETURN(const LentRegion region,
                              broker_.Attach(request->lease_id(), request->name()));
    Fill(region, reply);
    return absl::OkStatus();
  });
}

grpc::Status ControlService::Free(grpc::ServerContext* context, const proto::FreeRequest* request,
                                  proto::FreeReply* /*reply*/) {
  return Serve(*context, [&] { return broker_.Free(request->lease_id(), request->region_id()); });
}

grpc::Status ControlService::List(grpc::ServerContext* context, const proto::ListRequest* request,
                                  proto::ListReply* reply) {
  return Serve(*context, [&] {
    for (const RegionTable::Summary& summary : broker_.regions().List(request->name_prefix())) {
      proto::RegionSummary* region = reply->add_regions();
      region->set_region_id(summary.region.id);
      region->set_name(summary.region.name);
      region->set_bytes(summary.region.bytes);
      region->set_keep(summary.keep);
      region->set_holders(summary.holders);
    }
    return absl::OkStatus();
  });
}

MemoryNodeStats ControlService::Stats() const {
  return {.capacity_bytes = arena_.capacity(),
          .allocated_bytes = arena_.capacity() - arena_.FreeBytes(),
          .regions = broker_.regions().size(),
          .leases = leases_.size(),
          .leases_expired_total = broker_.leases_expired_total(),
          .allocations_refused_total = broker_.allocations_refused_total(),
          .uptime_seconds = static_cast<uint64_t>(absl::ToInt64Seconds(MonotonicNow() - started_)),
          .bytes_moved_total = leases_.bytes_moved_total(),
          .clients = leases_.Clients()};
}

grpc::Status ControlService::Stats(grpc::ServerContext* context,
                                   const proto::StatsRequest* /*request*/,
                                   proto::StatsReply* reply) {
  return Serve(*context, [&] {
    const MemoryNodeStats stats = Stats();
    reply->set_capacity_bytes(stats.capacity_bytes);
    reply->set_allocated_bytes(stats.allocated_bytes);
    reply->set_regions(stats.regions);
    reply->set_leases(stats.leases);
    reply->set_leases_expired_total(stats.leases_expired_total);
    reply->set_allocations_refused_total(stats.allocations_refused_total);
    reply->set_uptime_seconds(stats.uptime_seconds);
    reply->set_bytes_moved_total(stats.bytes_moved_total);
    for (const ClientSummary& client : stats.clients) Fill(client, reply->add_clients());
    return absl::OkStatus();
  });
}

grpc::Status ControlService::Diagnose(grpc::ServerContext* context,
                                      const proto::DiagnoseRequest* /*request*/,
                                      proto::DiagnoseReply* reply) {
  return Serve(*context, [&] {
    doctor::HostView host = doctor::HostView::OfThisProcess();
    host.memory_bytes = arena_.capacity();
    host.lends = true;
    host.memory_is_held = true;
    for (const doctor::Finding& finding : doctor::CheckHost(host)) {
      Fill(finding, reply->add_findings());
    }
    Fill(CheckLentPages(arena_.memory()), reply->add_findings());
    if (host.rdma.ok()) {
      reply->mutable_rdma()->set_device(host.rdma->device);
      reply->mutable_rdma()->set_mtu_bytes(host.rdma->mtu_bytes);
      reply->mutable_rdma()->set_reads_answered(host.rdma->reads_answered);
    }
    return absl::OkStatus();
  });
}

}  // namespace fargraph

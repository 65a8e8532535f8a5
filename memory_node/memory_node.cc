#include "memory_node/memory_node.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/address.h"
#include "common/control/token.h"
#include "common/host/lock_limit.h"
#include "common/metrics/metrics_server.h"
#include "common/monotonic_time.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "glog/logging.h"
#include "memory_node/arena.h"
#include "memory_node/broker.h"
#include "memory_node/control_server.h"
#include "memory_node/lease_table.h"
#include "memory_node/node_metrics.h"
#include "memory_node/service.h"

namespace fargraph {
namespace {

constexpr size_t kNodeIdBytes = 8;
/// A lease is reclaimed late by this share of its duration at most.
constexpr int kSweepsPerLease = 10;

absl::Status CheckOptions(const MemoryNodeOptions& options, const HostPort& listen) {
  if (options.lease_duration < absl::Milliseconds(10)) {
    return absl::InvalidArgumentError("a lease must last 10 ms or longer");
  }
  FARGRAPH_ASSIGN_OR_RETURN(const bool is_loopback, IsLoopback(listen.host));
  if (!options.token.empty()) return CheckToken(options.token);
  if (is_loopback) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "cannot listen on ", listen.host,
      " without a token: other hosts could read and fill this memory; give --token_file, or listen "
      "on 127.0.0.1"));
}

/// The kernel counts memory once for each of its registrations, and every lease has its own.
void WarnOfLockLimit() {
  const std::optional<uint64_t> limit = LockLimitBytes();
  if (!limit.has_value()) return;
  LOG(WARNING) << "the limit on locked memory (RLIMIT_MEMLOCK) is " << FormatBytes(*limit)
               << ", and memory counts anew for each job that attaches to it over verbs; set it to "
                  "unlimited, for a service with LimitMEMLOCK=infinity in its systemd unit";
}

class RunningNode : public MemoryNode {
 public:
  explicit RunningNode(const MemoryNodeOptions& options) : leases_(options.lease_duration) {}

  absl::Status Launch(const MemoryNodeOptions& options) {
    FARGRAPH_ASSIGN_OR_RETURN(const HostPort listen, ParseHostPort(options.listen));
    FARGRAPH_RETURN_IF_ERROR(CheckOptions(options, listen));
    FARGRAPH_ASSIGN_OR_RETURN(const std::string node_id, RandomHex(kNodeIdBytes));
    FARGRAPH_ASSIGN_OR_RETURN(arena_, Arena::Map(options.capacity_bytes));
    FARGRAPH_RETURN_IF_ERROR(OpenDataPlane(options, listen.host));
    broker_ = std::make_unique<Broker>(node_id, *arena_, leases_, *data_plane_);
    service_ = std::make_unique<ControlService>(node_id, options.token, *arena_, leases_,
                                                *data_plane_, *broker_);
    sweeper_ = std::thread([this] { SweepLeases(); });
    FARGRAPH_ASSIGN_OR_RETURN(server_, ControlServer::Start(listen, *service_));
    address_ = server_->address();
    if (!options.metrics_port.has_value()) return absl::OkStatus();
    FARGRAPH_ASSIGN_OR_RETURN(
        metrics_, MetricsServer::Start({listen.host, *options.metrics_port}, options.token,
                                       [this] { return NodeMetrics(service_->Stats()); }));
    return absl::OkStatus();
  }

  ~RunningNode() override {
    metrics_.reset();
    server_.reset();  // no call reaches the broker any more; the leases end with the listeners
    stopping_.Notify();
    if (sweeper_.joinable()) sweeper_.join();
  }

  const std::string& address() const override { return address_; }

  std::string Description() const override {
    return absl::StrCat("listening on ", address_, ", capacity ", FormatBytes(arena_->capacity()),
                        " on ", arena_->memory().description(), ", transports ",
                        data_plane_->Names(), metrics_ == nullptr ? "" : ", metrics on ",
                        metrics_ == nullptr ? "" : metrics_->address());
  }

 private:
  absl::Status OpenDataPlane(const MemoryNodeOptions& options, const std::string& host) {
    DataPlaneOptions plane;
    plane.host = host;
    plane.transports = options.transports;
    plane.open_device = options.open_device;
    plane.memory = &arena_->memory();
    plane.admit = [this](transport::Kind kind, const transport::Ticket& ticket) {
      return leases_.Admits(kind, ticket);
    };
    FARGRAPH_ASSIGN_OR_RETURN(data_plane_, DataPlane::Open(plane));
    if (data_plane_->Serves(transport::Kind::kVerbs)) {
      arena_->PinPages();
      WarnOfLockLimit();
    }
    for (const std::string& absence : data_plane_->absences()) {
      LOG(INFO) << "not served: " << absence;
    }
    for (const std::string& failure : data_plane_->failures()) {
      LOG(WARNING) << "not served: " << failure;
    }
    return absl::OkStatus();
  }

  void SweepLeases() {
    const absl::Duration pause = leases_.duration() / kSweepsPerLease;
    while (!stopping_.WaitForNotificationWithTimeout(pause)) {
      broker_->ExpireLeases(MonotonicNow());
      broker_->RetryRevocations();
    }
  }

  // Each needs those before it.
  LeaseTable leases_;
  std::unique_ptr<Arena> arena_;
  std::unique_ptr<DataPlane> data_plane_;
  std::unique_ptr<Broker> broker_;
  std::unique_ptr<ControlService> service_;
  MonotonicNotification stopping_;
  std::thread sweeper_;
  std::unique_ptr<ControlServer> server_;
  std::unique_ptr<MetricsServer> metrics_;
  std::string address_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<MemoryNode>> MemoryNode::Start(const MemoryNodeOptions& options) {
  auto node = std::make_unique<RunningNode>(options);
  FARGRAPH_RETURN_IF_ERROR(node->Launch(options));
  return node;
}

}  // namespace fargraph

#include "compute_node/doctor/path_checks.h"

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/memory/mapped_memory.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "compute_node/tiers/far_memory.h"

namespace fargraph::doctor {
namespace {

using transport::RdmaDescription;

constexpr uint64_t kTrialBytes = 64 * kKiB;  ///< several packets of any MTU
constexpr absl::Duration kTrialTimeout = absl::Seconds(15);
constexpr size_t kSuffixBytes = 8;

/// Unreachable, refused and what else stands between here and the node.
Finding NoControl(const PathOptions& options, const absl::Status& status) {
  Finding finding = {.check = "control port",
                     .level = Level::kProblem,
                     .value = std::string(status.message()),
                     .mend = {}};
  if (absl::IsUnauthenticated(status)) {
    finding.mend = "copy the memory node's token file here and name it with --token_file=FILE";
  } else {
    finding.mend = absl::StrCat("on that host: fargraph-memory-node --listen=", options.memory_node,
                                " --capacity=SIZE; and let a firewall pass its port");
  }
  return finding;
}

/// A region of our own there, of zeros.
absl::StatusOr<FarSegment> AllocateTrial(FarMemory& memory) {
  FARGRAPH_ASSIGN_OR_RETURN(const std::string suffix, RandomHex(kSuffixBytes));
  return memory.Allocate("fargraph doctor " + suffix, kTrialBytes);
}

/// Reads it as a job reads edges.
absl::Status ReadOnce(FarMemory& memory, const FarSegment& segment) {
  FARGRAPH_ASSIGN_OR_RETURN(const MappedMemory buffer,
                            MappedMemory::Allocate(kTrialBytes, MappedMemory::Sharing::kPrivate,
                                                   MappedMemory::Pages::kSmall));
  FARGRAPH_ASSIGN_OR_RETURN(const auto registration, memory.RegisterMemory(buffer.bytes()));
  FARGRAPH_ASSIGN_OR_RETURN(const auto queue, memory.OpenQueue(*registration, 1));
  const Extent extent = {
      .address = segment.address, .length = kTrialBytes, .destination = buffer.data()};
  FARGRAPH_RETURN_IF_ERROR(queue->Submit({&extent, 1}, 0));
  const absl::Time deadline = absl::Now() + kTrialTimeout;
  for (uint32_t tag = 0; absl::Now() < deadline;) {
    FARGRAPH_ASSIGN_OR_RETURN(const size_t done, queue->Poll({&tag, 1}));
    if (done == 1) return absl::OkStatus();
    queue->Wait(absl::Milliseconds(10));
  }
  return absl::UnavailableError(
      "a read of 64 KiB did not arrive; larger packets may be lost on "
      "the way: compare the MTU of all that lies between");
}

Finding NoRoomToRead(const PathOptions& options, const absl::Status& status) {
  return {
      .check = "data port",
      .level = Level::kWarning,
      .value = absl::StrCat("not tried: ", status.message()),
      .mend = absl::StrCat("fargraph regions --memory_nodes=", options.memory_node,
                           "  # then the same with --free=NAME for what no job needs any more")};
}

Finding CannotRead(const absl::Status& status) {
  return {.check = "data port",
          .level = Level::kProblem,
          .value = std::string(status.message()),
          .mend =
              "let the firewalls between pass the memory node's data ports, or choose another "
              "--transport"};
}

/// Over the transport that a job takes.
Finding CheckRead(const PathOptions& options) {
  const auto memory = FarMemory::Connect({.memory_nodes = {options.memory_node},
                                          .transport = options.transport,
                                          .control = {.token = options.token}});
  if (!memory.ok()) return CannotRead(memory.status());
  const absl::StatusOr<FarSegment> segment = AllocateTrial(**memory);
  if (absl::IsResourceExhausted(segment.status())) return NoRoomToRead(options, segment.status());
  const absl::Status status = segment.ok() ? ReadOnce(**memory, *segment) : segment.status();
  if (!status.ok()) return CannotRead(status);
  return {.check = "data port",
          .value = absl::StrCat("64 KiB read over ", (*memory)->transport_choice()),
          .mend = {}};
}

/// Which address of ours a queue pair to the node gets.
Finding CheckLocalAddress(const PathOptions& options) {
  const auto address = transport::RdmaAddressTowards(options.memory_node);
  if (address.ok()) {
    return {
        .check = "GID towards it", .value = absl::StrCat(*address, " on this host"), .mend = {}};
  }
  return {.check = "GID towards it",
          .level = Level::kWarning,
          .value = std::string(address.status().message()),
          .mend = "name the memory node by an address in the network of this host's RDMA device"};
}

}  // namespace

Finding CompareMtu(const RdmaDescription& here, const NodeDiagnosis::RdmaEnd& there) {
  Finding finding = {.check = "MTU of both ends",
                     .value = absl::StrCat(here.mtu_bytes, " bytes here (", here.device, "), ",
                                           there.mtu_bytes, " there (", there.device, ")"),
                     .mend = {}};
  if (here.mtu_bytes == there.mtu_bytes) return finding;
  finding.level = Level::kWarning;
  finding.mend = absl::StrCat("ip link set dev ETH mtu 9000  # on ",
                              here.mtu_bytes < there.mtu_bytes ? "this host" : "the memory node",
                              ", where ETH is the interface of the smaller one");
  return finding;
}

Finding CompareReadDepth(const RdmaDescription& here, const NodeDiagnosis::RdmaEnd& there) {
  const uint32_t depth = std::min(here.reads_issued, there.reads_answered);
  Finding finding = {
      .check = "read depth of both ends",
      .value = absl::StrCat(depth, ": ", here.reads_issued, " issued here (", here.device, "), ",
                            there.reads_answered, " answered there (", there.device, ")"),
      .mend = {}};
  if (depth > 1) return finding;
  finding.level = Level::kProblem;
  const std::string device = here.reads_issued <= 1 ? here.device : there.device;
  finding.mend = absl::StrCat("install the newest firmware of ", device, " on ",
                              here.reads_issued <= 1 ? "this host" : "the memory node");
  return finding;
}

std::vector<Finding> CheckPath(const PathOptions& options,
                               const absl::StatusOr<RdmaDescription>& here) {
  const auto client = MemoryNodeClient::Connect(options.memory_node, {.token = options.token});
  if (!client.ok()) return {NoControl(options, client.status())};
  const std::string capacity = FormatBytes((*client)->description().capacity_bytes);
  std::vector<Finding> findings = {
      {.check = "control port", .value = absl::StrCat("answers; lends ", capacity), .mend = {}},
      CheckRead(options)};
  const absl::StatusOr<NodeDiagnosis> there = (*client)->Diagnose();
  if (!there.ok()) {
    findings.push_back({.check = "its host",
                        .level = Level::kWarning,
                        .value = std::string(there.status().message()),
                        .mend = "install the same release of Fargraph on both"});
    return findings;
  }
  if (here.ok() && there->rdma.has_value()) {
    findings.push_back(CheckLocalAddress(options));
    findings.push_back(CompareMtu(*here, *there->rdma));
    findings.push_back(CompareReadDepth(*here, *there->rdma));
  }
  findings.insert(findings.end(), there->findings.begin(), there->findings.end());
  return findings;
}

}  // namespace fargraph::doctor

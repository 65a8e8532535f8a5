#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/doctor/check_host.h"
#include "common/files/output_file.h"
#include "common/status_macros.h"
#include "compute_node/cli/command.h"
#include "compute_node/cli/flags/flag_values.h"
#include "compute_node/cli/flags/memory_node_flags.h"
#include "compute_node/cli/reports/write_json.h"
#include "compute_node/doctor/certificate_check.h"
#include "compute_node/doctor/path_checks.h"
#include "compute_node/doctor/report.h"
#include "compute_node/doctor/storage_checks.h"
#include "gflags/gflags.h"

DECLARE_string(json);
DECLARE_string(local_memory);
DEFINE_string(capacity, "",
              "Check this host as a memory node that is to lend so much, such as 64GiB; without it "
              "as a compute node");
DEFINE_string(
    certificate, "",
    "A PEM file of a certificate, and of its chain if there is one, whose dates are to be "
    "looked at");
DEFINE_string(graph, "", "A graph directory, whose file system is to be looked at");

namespace fargraph {
namespace {

using doctor::HostView;
using doctor::NodeFindings;

std::string DoctorDetails() {
  return R"(
Looks at this host, at the way to the memory nodes that are named and at their
hosts, and says in a line each what is ready, what costs speed (warning) and
what keeps jobs from running (problem), with the present value and the command
that mends it. Changes nothing. Ends with exit code 8 if there is a problem.
)";
}

struct DoctorOptions {
  std::vector<std::string> memory_nodes;
  std::string token;
  std::optional<transport::Kind> transport;
  std::vector<std::string> directories;
  uint64_t memory_bytes = 0;
  bool lends = false;
};

absl::StatusOr<DoctorOptions> ReadFlags() {
  DoctorOptions options;
  FARGRAPH_ASSIGN_OR_RETURN(options.memory_nodes, MemoryNodesFlag());
  FARGRAPH_ASSIGN_OR_RETURN(options.token, TokenFlag());
  FARGRAPH_ASSIGN_OR_RETURN(options.transport, TransportFlag());
  FARGRAPH_ASSIGN_OR_RETURN(options.directories, SsdDirectoriesFlag());
  FARGRAPH_ASSIGN_OR_RETURN(const auto uses, OptionalBytes("local_memory", FLAGS_local_memory));
  FARGRAPH_ASSIGN_OR_RETURN(const auto lends, OptionalBytes("capacity", FLAGS_capacity));
  if (uses.has_value() && lends.has_value()) {
    return absl::InvalidArgumentError(
        "--local_memory is a compute node's and --capacity a memory node's: set one of them");
  }
  options.memory_bytes = uses.value_or(lends.value_or(0));
  options.lends = lends.has_value();
  return options;
}

std::vector<NodeFindings> Examine(const DoctorOptions& options) {
  HostView host = HostView::OfThisProcess();
  host.needs_rdma = options.transport == transport::Kind::kVerbs;
  host.memory_bytes = options.memory_bytes;
  host.lends = options.lends;
  std::vector<NodeFindings> nodes = {{"this host", doctor::CheckHost(host)}};
  auto& findings = nodes.front().findings;
  for (const std::string& directory : options.directories) {
    for (auto& finding : doctor::CheckDirectory(host, directory)) findings.push_back(finding);
  }
  if (!FLAGS_graph.empty()) {
    for (auto& finding : doctor::CheckGraphDirectory(host, FLAGS_graph)) {
      findings.push_back(finding);
    }
  }
  if (!options.directories.empty() || !FLAGS_graph.empty()) {
    const size_t devices = std::max<size_t>(options.directories.size(), 1);
    findings.push_back(doctor::CheckAsyncIo(devices));
  }
  if (!FLAGS_certificate.empty()) {
    findings.push_back(doctor::CheckCertificate(FLAGS_certificate, absl::Now()));
  }
  for (const std::string& address : options.memory_nodes) {
    const doctor::PathOptions path = {
        .memory_node = address, .token = options.token, .transport = options.transport};
    nodes.push_back({address, doctor::CheckPath(path, host.rdma)});
  }
  return nodes;
}

absl::Status Doctor(const std::vector<std::string>&) {
  FARGRAPH_ASSIGN_OR_RETURN(const DoctorOptions options, ReadFlags());
  const std::vector<NodeFindings> nodes = Examine(options);
  FARGRAPH_RETURN_IF_ERROR(WriteJson(FLAGS_json, doctor::ReportJson(nodes)));
  if (!OutputFile::IsStandardOutput(FLAGS_json))
    FARGRAPH_RETURN_IF_ERROR(WriteWholeFile("-", doctor::ReportText(nodes)));
  const size_t problems = doctor::Count(nodes, doctor::Level::kProblem);
  if (problems == 0) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("Problems found: ", problems, "; each line says what mends it"));
}

}  // namespace

const Command& DoctorCommand() {
  static const auto& command =
      *new Command{.name = "doctor",
                   .arguments = {},
                   .summary = "Says whether this host and the way to memory nodes are ready.",
                   .details = DoctorDetails,
                   .flags = {"memory_nodes", "token_file", "transport", "local_memory", "capacity",
                             "ssd_dirs", "graph", "certificate", "json"},
                   .file_flags_to_stdout = {"json"},
                   .run = Doctor};
  return command;
}

}  // namespace fargraph

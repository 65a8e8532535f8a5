#include "memory_node/options.h"

#include <array>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/control/token.h"
#include "common/flags.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "gflags/gflags.h"

DEFINE_string(listen, "",
              "HOST:PORT of the control plane; port 0 takes a free one and prints it. The "
              "transports listen on the same host, on ports of their own");
DEFINE_string(capacity, "", "memory to lend, such as 8GiB");
DEFINE_string(
    transports, "",
    "those of verbs, shm and tcp that must be served, separated by commas; without it all "
    "that this host has");
DEFINE_string(token_file, "",
              "file with the token that callers must show; needed to listen on anything but "
              "loopback");
DEFINE_int32(lease_seconds, 10,
             "how long what a compute node holds outlives its last sign of life");
DEFINE_string(
    metrics_port, "",
    "port on the same host that shows metrics for Prometheus, at /metrics; 0 takes a free "
    "one and prints it; without it there are none. Whoever asks shows the token as the "
    "password of user fargraph");
DEFINE_bool(verbose, false, "log every lease and region to standard error");
DEFINE_string(log_format, "text", "text, or json: each line of the log is a JSON object");
DECLARE_bool(help);
DECLARE_bool(version);

namespace fargraph {
namespace {

constexpr std::array<absl::string_view, 10> kFlags = {
    "listen",       "capacity", "transports", "token_file", "lease_seconds",
    "metrics_port", "verbose",  "log_format", "help",       "version"};
constexpr int kMaxLeaseSeconds = 24 * 60 * 60;

absl::Status AtFlag(absl::string_view flag, const absl::Status& status) {
  return {status.code(), absl::StrCat("--", flag, ": ", status.message())};
}

absl::StatusOr<std::vector<transport::Kind>> ParseTransports(absl::string_view text) {
  std::vector<transport::Kind> kinds;
  for (const absl::string_view name : absl::StrSplit(text, ',', absl::SkipEmpty())) {
    const auto kind = transport::ParseKind(name);
    if (!kind.ok()) return AtFlag("transports", kind.status());
    kinds.push_back(*kind);
  }
  return kinds;
}

absl::StatusOr<uint64_t> ParseCapacity(absl::string_view text) {
  auto bytes = ParseBytes(text);
  if (!bytes.ok()) return AtFlag("capacity", bytes.status());
  return bytes;
}

absl::StatusOr<std::optional<uint16_t>> ParsePort(const std::string& text) {
  if (text.empty()) return std::nullopt;
  uint32_t port = 0;
  if (absl::SimpleAtoi(text, &port) && port <= UINT16_MAX) return static_cast<uint16_t>(port);
  return absl::InvalidArgumentError(
      absl::StrCat("--metrics_port cannot be '", text, "': it takes a port from 0 to 65535"));
}

absl::Status CheckGiven(absl::Span<const std::string> positional) {
  if (!positional.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", positional[0],
                     "' is not expected: the command takes flags alone; see "
                     "--help"));
  }
  if (FLAGS_listen.empty()) {
    return absl::InvalidArgumentError(
        "the address to listen on is missing; give one, such as --listen=127.0.0.1:7800");
  }
  if (FLAGS_capacity.empty()) {
    return absl::InvalidArgumentError(
        "the memory to lend is missing; give its size, such as --capacity=8GiB");
  }
  if (FLAGS_lease_seconds < 1 || FLAGS_lease_seconds > kMaxLeaseSeconds) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--lease_seconds cannot be ", FLAGS_lease_seconds, ": it takes 1 to ", kMaxLeaseSeconds));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CommandLine> ParseCommandLine(absl::Span<const char* const> arguments) {
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<std::string> positional,
                            ParseFlags(arguments, kFlags));
  CommandLine command;
  command.help = FLAGS_help;
  command.version = FLAGS_version;
  if (command.help || command.version) return command;

  FARGRAPH_RETURN_IF_ERROR(CheckGiven(positional));
  command.verbose = FLAGS_verbose;
  command.log_format = FLAGS_log_format;
  command.node.listen = FLAGS_listen;
  FARGRAPH_ASSIGN_OR_RETURN(command.node.capacity_bytes, ParseCapacity(FLAGS_capacity));
  FARGRAPH_ASSIGN_OR_RETURN(command.node.transports, ParseTransports(FLAGS_transports));
  if (!FLAGS_token_file.empty()) {
    FARGRAPH_ASSIGN_OR_RETURN(command.node.token, ReadTokenFile(FLAGS_token_file));
  }
  FARGRAPH_ASSIGN_OR_RETURN(command.node.metrics_port, ParsePort(FLAGS_metrics_port));
  command.node.lease_duration = absl::Seconds(FLAGS_lease_seconds);
  return command;
}

std::string HelpText() {
  return absl::StrCat(
      "fargraph-memory-node lends this host's memory to graph jobs.\n\n"
      "usage: fargraph-memory-node --listen=HOST:PORT --capacity=SIZE [flags]\n\n",
      DescribeFlags(absl::MakeConstSpan(kFlags).first(kFlags.size() - 2)));
}

}  // namespace fargraph

#include <bit>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/files/output_file.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "compute_node/cli/command.h"
#include "compute_node/cli/flags/flag_values.h"
#include "compute_node/cli/interruption.h"
#include "compute_node/cli/reports/replay_report.h"
#include "compute_node/cli/reports/write_json.h"
#include "compute_node/replay/replay_target.h"
#include "compute_node/tiers/ssd_queue.h"
#include "gflags/gflags.h"

DECLARE_string(json);
DEFINE_string(block_size, "512B", "The unit in which reads are planned, from 512B to 64KiB");
DEFINE_string(merge_gap, "8KiB", "Bytes between two requests up to which they are read as one");
DEFINE_string(request_size, "256KiB", "The largest read, from a block to 1MiB");
DEFINE_string(target, "", "The file or device to read from; without it reads are only counted");
DEFINE_string(depth, "64", "Reads in flight on the target, from 1 to 128");
DEFINE_string(window, "0",
              "Requests of the trace that are planned together; 0: all; time: those of the same "
              "time, as fargraph run --read_trace gives to those of an iteration");

namespace fargraph {
namespace {

constexpr uint64_t kSmallestBlockBytes = 512;
constexpr uint64_t kMostBlockBytes = 64 * kKiB;
constexpr uint64_t kMostRequestBytes = kMiB;
static_assert(kMostRequestBytes <= SsdQueue::kMostRequestBytes, "it would cut them");

std::string ReplayDetails() {
  return R"(
TRACE is a block trace in SPC format, a request a line: ASU,LBA,size,opcode,time
(LBA in blocks of 512 bytes, size in bytes, opcode r or w, time in seconds);
plain, gzip or zstd. Its units (ASUs) are laid one behind the other.

The trace is replayed in four ways, as fast as they go:
  direct  every request alone, as it comes
  batch   sorted and merged 16 at a time, as an operating system does
  list    sorted and merged a window at a time
  bitmap  the same by a bitmap of the blocks, as Graphene does

Writes are taken for reads of the same blocks: nothing is ever written.

With --target the reads are done there, past the page cache, and timed. It is at
least as large as the trace's device, and has data everywhere: holes would be
read from nowhere.
)";
}

absl::Status SizeError(absl::string_view flag, const std::string& text, absl::string_view takes) {
  return absl::InvalidArgumentError(
      absl::StrCat("--", flag, " cannot be '", text, "': it takes ", takes));
}

/// A size that is there.
absl::StatusOr<uint64_t> Size(absl::string_view flag, const std::string& text) {
  FARGRAPH_ASSIGN_OR_RETURN(const std::optional<uint64_t> bytes, OptionalBytes(flag, text));
  if (!bytes) return SizeError(flag, text, "a size, such as 64KiB");
  return *bytes;
}

absl::StatusOr<ReplayOptions> ReadOptions() {
  ReplayOptions options = {.same_time = FLAGS_window == "time"};
  if (!options.same_time && !absl::SimpleAtoi(FLAGS_window, &options.window)) {
    return SizeError("window", FLAGS_window, "a number of requests, or 'time'");
  }
  FARGRAPH_ASSIGN_OR_RETURN(options.block_bytes, Size("block_size", FLAGS_block_size));
  if (!std::has_single_bit(options.block_bytes) || options.block_bytes < kSmallestBlockBytes ||
      options.block_bytes > kMostBlockBytes) {
    return SizeError("block_size", FLAGS_block_size, "a power of two from 512B to 64KiB");
  }
  FARGRAPH_ASSIGN_OR_RETURN(const uint64_t gap_bytes, Size("merge_gap", FLAGS_merge_gap));
  options.merge_gap = gap_bytes / options.block_bytes;
  FARGRAPH_ASSIGN_OR_RETURN(const uint64_t most_bytes, Size("request_size", FLAGS_request_size));
  if (most_bytes < options.block_bytes || most_bytes > kMostRequestBytes) {
    return SizeError("request_size", FLAGS_request_size, "a size from a block to 1MiB");
  }
  options.most_blocks = most_bytes / options.block_bytes;
  return options;
}

absl::StatusOr<uint32_t> Depth() {
  constexpr uint32_t kUsualDepth = 64;
  FARGRAPH_ASSIGN_OR_RETURN(const auto depth,
                            OptionalWhole("depth", FLAGS_depth, 1, SsdQueue::Depth(/*devices=*/1)));
  return static_cast<uint32_t>(depth.value_or(kUsualDepth));
}

absl::StatusOr<BlockTrace> OpenTrace(const std::string& path) {
  FARGRAPH_ASSIGN_OR_RETURN(std::shared_ptr<const InputFile> input, OpenInputFile(path));
  return ReadSpcTrace(std::move(input));
}

absl::StatusOr<std::vector<ReplayOutcome>> ReplayOnTarget(const ReplayReport& report) {
  if (report.target.empty()) return Replay(report.trace, report.options, /*reader=*/nullptr);
  const uint64_t device_bytes = ReplayDeviceBytes(report.trace, report.options);
  FARGRAPH_ASSIGN_OR_RETURN(const ReplayTarget target,
                            ReplayTarget::Open(report.target, device_bytes));
  FARGRAPH_ASSIGN_OR_RETURN(BlockReader reader,
                            target.MakeReader(report.options, report.depth, Interrupted()));
  return Replay(report.trace, report.options, &reader);
}

absl::Status WriteReport(const ReplayReport& report) {
  FARGRAPH_RETURN_IF_ERROR(WriteJson(FLAGS_json, ReplayReportJson(report)));
  if (OutputFile::IsStandardOutput(FLAGS_json)) return absl::OkStatus();
  return WriteWholeFile("-", ReplayReportText(report));
}

absl::Status Replay(const std::vector<std::string>& arguments) {
  ReplayReport report = {.path = arguments.at(0), .target = FLAGS_target};
  FARGRAPH_ASSIGN_OR_RETURN(report.options, ReadOptions());
  FARGRAPH_ASSIGN_OR_RETURN(report.depth, Depth());
  if (!FLAGS_json.empty()) FARGRAPH_RETURN_IF_ERROR(OutputFile::Check(FLAGS_json));
  FARGRAPH_ASSIGN_OR_RETURN(report.trace, OpenTrace(report.path));
  FARGRAPH_ASSIGN_OR_RETURN(report.outcomes, ReplayOnTarget(report));
  return WriteReport(report);
}

}  // namespace

const Command& ReplayCommand() {
  static const auto& command = *new Command{
      .name = "replay",
      .arguments = {"TRACE"},
      .summary = "Reads what a block trace asks for, planned by a bitmap and in other ways.",
      .details = ReplayDetails,
      .flags = {"block_size", "merge_gap", "request_size", "window", "target", "depth", "json"},
      .file_flags_to_stdout = {"json"},
      .run = Replay};
  return command;
}

}  // namespace fargraph

#include "compute_node/replay/spc_trace.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "graph/readers/decompressed_input.h"
#include "graph/readers/line_reader.h"
#include "graph/readers/text_fields.h"

namespace fargraph {
namespace {

constexpr size_t kFields = 5;
constexpr uint64_t kSectorBytes = 512;
constexpr uint64_t kAlignmentBytes = 4 * kKiB;
// Beyond what any trace has, and small enough that no sum of them overflows.
constexpr uint64_t kMaxUnits = 1024;
constexpr uint64_t kMaxSectors = uint64_t{1} << 44;
constexpr uint64_t kMaxRequestBytes = kGiB;

struct TraceLine {
  uint64_t unit = 0;
  ByteRange range;
  bool write = false;
  double seconds = 0;
};

absl::Status Problem(absl::string_view field, absl::string_view text, absl::string_view is_not) {
  return absl::DataLossError(absl::StrCat("the ", field, " ", Quote(text), " is not ", is_not,
                                          "; write 'ASU,LBA,size,opcode,time'"));
}

/// The error is the problem alone, without file and line.
absl::StatusOr<TraceLine> ParseTraceLine(absl::string_view line) {
  const std::vector<absl::string_view> fields = absl::StrSplit(line, absl::MaxSplits(',', kFields));
  if (fields.size() < kFields) {
    return absl::DataLossError(absl::StrCat(
        "it has ", fields.size(), fields.size() == 1 ? " field" : " fields",
        " where a request of an SPC trace has ", kFields, "; write 'ASU,LBA,size,opcode,time'"));
  }
  TraceLine parsed;
  if (!absl::SimpleAtoi(fields[0], &parsed.unit) || parsed.unit >= kMaxUnits) {
    return Problem("ASU", fields[0], absl::StrCat("a number below ", kMaxUnits));
  }
  uint64_t sector = 0;
  if (!absl::SimpleAtoi(fields[1], &sector) || sector >= kMaxSectors) {
    return Problem("LBA", fields[1], "a block of 512 bytes below 8 PiB");
  }
  parsed.range.offset = sector * kSectorBytes;
  if (!absl::SimpleAtoi(fields[2], &parsed.range.length) ||
      parsed.range.length > kMaxRequestBytes) {
    return Problem("size", fields[2], "a number of bytes up to 1 GiB");
  }
  const std::string opcode = absl::AsciiStrToLower(absl::StripAsciiWhitespace(fields[3]));
  if (opcode != "r" && opcode != "w") return Problem("opcode", fields[3], "r or w");
  parsed.write = opcode == "w";
  if (!absl::SimpleAtod(fields[4], &parsed.seconds) || !std::isfinite(parsed.seconds) ||
      parsed.seconds < 0) {
    return Problem("time", fields[4], "a number of seconds from 0");
  }
  return parsed;
}

/// The trace and, of every request, its unit, in which its offset is.
struct UnplacedTrace {
  BlockTrace trace;
  std::vector<uint16_t> units;
};

absl::StatusOr<UnplacedTrace> ReadLines(const std::shared_ptr<const InputFile>& input) {
  FARGRAPH_ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(input));
  UnplacedTrace read;
  std::vector<size_t>& moment_ends = read.trace.moment_ends;
  double moment = -1;
  absl::string_view line;
  while (true) {
    FARGRAPH_ASSIGN_OR_RETURN(const bool more, lines.NextData(line));
    if (!more) return read;
    const absl::StatusOr<TraceLine> parsed = ParseTraceLine(line);
    if (!parsed.ok()) return LineError(*input, lines.line_number(), parsed.status().message());
    if (parsed->range.length == 0) continue;
    read.trace.requests.push_back(parsed->range);
    if (std::exchange(moment, parsed->seconds) != parsed->seconds) moment_ends.push_back(0);
    moment_ends.back() = read.trace.requests.size();
    read.units.push_back(static_cast<uint16_t>(parsed->unit));
    read.trace.writes += parsed->write;
    read.trace.seconds = std::max(read.trace.seconds, parsed->seconds);
  }
}

BlockTrace PlaceUnits(UnplacedTrace read) {
  BlockTrace& trace = read.trace;
  std::vector<uint64_t> lengths(kMaxUnits);
  for (size_t i = 0; i < trace.requests.size(); ++i) {
    uint64_t& length = lengths[read.units[i]];
    length = std::max(length, trace.requests[i].offset + trace.requests[i].length);
  }
  std::vector<uint64_t> begins(kMaxUnits);
  for (size_t unit = 0; unit < kMaxUnits; ++unit) {
    begins[unit] = trace.device_bytes;
    trace.units += lengths[unit] > 0;
    trace.device_bytes += (lengths[unit] + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
  }
  for (size_t i = 0; i < trace.requests.size(); ++i) {
    trace.requests[i].offset += begins[read.units[i]];
  }
  return std::move(trace);
}

}  // namespace

absl::StatusOr<BlockTrace> ReadSpcTrace(std::shared_ptr<const InputFile> input) {
  FARGRAPH_ASSIGN_OR_RETURN(const std::shared_ptr<const InputFile> text,
                            Decompressed(std::move(input)));
  FARGRAPH_ASSIGN_OR_RETURN(UnplacedTrace read, ReadLines(text));
  if (read.trace.requests.empty()) {
    return InputError(*text, "it asks for nothing; name a trace with requests");
  }
  return PlaceUnits(std::move(read));
}

}  // namespace fargraph

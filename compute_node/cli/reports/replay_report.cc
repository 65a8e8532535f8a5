#include "compute_node/cli/reports/replay_report.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/units.h"

namespace fargraph {
namespace {

using Json = nlohmann::ordered_json;

std::string WindowText(const ReplayOptions& options) {
  if (options.same_time) return "requests of the same time";
  return options.window == 0 ? "the whole trace" : absl::StrCat(options.window, " requests");
}

Json WindowJson(const ReplayReport& report) {
  if (report.options.same_time) return "time";
  return report.options.window == 0 ? report.trace.requests.size() : report.options.window;
}

std::string TargetText(const ReplayReport& report) {
  if (report.target.empty()) return "nothing is read without --target";
  return absl::StrCat("read from ", report.target, ", ", report.depth, " requests at a time");
}

std::string SecondsText(const ReplayOutcome& outcome) {
  return outcome.seconds ? absl::StrFormat("%.3f s", *outcome.seconds) : "-";
}

std::string RateText(const ReplayOutcome& outcome) {
  if (!outcome.seconds) return "-";
  return absl::StrFormat("%.1f", static_cast<double>(outcome.bytes) / *outcome.seconds / 1e6);
}

}  // namespace

std::string ReplayReportText(const ReplayReport& report) {
  const BlockTrace& trace = report.trace;
  const ReplayOptions& options = report.options;
  std::string text = absl::StrFormat(
      "%s: %d requests (%d of them writes, which are read) for %s of %d units, on a device of %s\n"
      "blocks of %s, gaps up to %s, requests up to %s, window: %s\n"
      "%s\n"
      "%-8s %12s %12s %12s %8s %12s %10s %8s\n",
      report.path, trace.requests.size(), trace.writes, FormatBytes(AskedBytes(trace)), trace.units,
      FormatBytes(trace.device_bytes), FormatBytes(options.block_bytes),
      FormatBytes(options.merge_gap * options.block_bytes),
      FormatBytes(options.most_blocks * options.block_bytes), WindowText(options),
      TargetText(report), "way", "requests", "read", "useful", "of read", "planning", "time",
      "MB/s");
  for (const ReplayOutcome& outcome : report.outcomes) {
    absl::StrAppendFormat(
        &text, "%-8s %12d %12s %12s %7.1f%% %10.4f s %10s %8s\n", outcome.way, outcome.requests,
        FormatBytes(outcome.bytes), FormatBytes(outcome.useful_bytes),
        100.0 * static_cast<double>(outcome.useful_bytes) / static_cast<double>(outcome.bytes),
        outcome.plan_seconds, SecondsText(outcome), RateText(outcome));
  }
  return text;
}

Json ReplayReportJson(const ReplayReport& report) {
  const BlockTrace& trace = report.trace;
  const ReplayOptions& options = report.options;
  Json ways = Json::array();
  for (const ReplayOutcome& outcome : report.outcomes) {
    ways.push_back({{"way", outcome.way},
                    {"requests", outcome.requests},
                    {"bytes", outcome.bytes},
                    {"useful_bytes", outcome.useful_bytes},
                    {"plan_seconds", outcome.plan_seconds},
                    {"seconds", outcome.seconds ? Json(*outcome.seconds) : Json()}});
  }
  return {{"trace", report.path},
          {"requests", trace.requests.size()},
          {"writes", trace.writes},
          {"asked_bytes", AskedBytes(trace)},
          {"units", trace.units},
          {"device_bytes", trace.device_bytes},
          {"trace_seconds", trace.seconds},
          {"block_bytes", options.block_bytes},
          {"merge_gap_bytes", options.merge_gap * options.block_bytes},
          {"request_bytes", options.most_blocks * options.block_bytes},
          {"window", WindowJson(report)},
          {"target", report.target.empty() ? Json() : Json(report.target)},
          {"depth", report.target.empty() ? Json() : Json(report.depth)},
          {"ways", std::move(ways)}};
}

}  // namespace fargraph

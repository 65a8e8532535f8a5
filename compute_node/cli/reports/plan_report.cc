#include "compute_node/cli/reports/plan_report.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/host/huge_pages.h"
#include "common/units.h"
#include "compute_node/placement/segment.h"

namespace fargraph {
namespace {

using Json = nlohmann::ordered_json;

absl::string_view BasisName(Basis basis) {
  switch (basis) {
    case Basis::kSameRun:
      return "measured";
    case Basis::kOtherRuns:
      return "from other runs";
    case Basis::kEstimate:
      return "estimate";
  }
  return "";
}

absl::string_view BasisText(Basis basis) {
  switch (basis) {
    case Basis::kSameRun:
      return "measured on the last runs";
    case Basis::kOtherRuns:
      return "from runs of this job with other placements";
    case Basis::kEstimate:
      return "an estimate: no job like this has run here yet";
  }
  return "";
}

bool IsOnSsd(const JobForecast& forecast) { return forecast.transport == "ssd"; }
/// Beside memory nodes.
bool HasSsdColumn(const JobForecast& forecast) {
  return absl::EndsWith(forecast.transport, "+ssd");
}

std::string BytesOrNothing(uint64_t bytes) { return bytes == 0 ? "-" : FormatBytes(bytes); }

std::string SecondsText(double seconds) {
  return seconds < 1 ? absl::StrFormat("%.4f s", seconds) : absl::StrFormat("%.2f s", seconds);
}

struct SegmentRow {
  absl::string_view name;
  absl::string_view group;
  std::string size;
  std::string local;
  std::string far;
  std::string ssd;  ///< empty without such a column
  std::string chunk;
};

void AppendSegmentRow(const SegmentRow& row, std::string& text) {
  absl::StrAppendFormat(&text, "%-16s %-22s %10s %10s %10s", row.name, row.group, row.size,
                        row.local, row.far);
  if (!row.ssd.empty()) absl::StrAppendFormat(&text, " %10s", row.ssd);
  absl::StrAppendFormat(&text, " %10s\n", row.chunk);
}

void AppendSegments(const JobForecast& forecast, std::string& text) {
  const auto ssd = [both = HasSsdColumn(forecast)](std::string column) {
    return both ? std::move(column) : "";
  };
  // Far bytes that are not in a column of their own.
  const auto far = [both = HasSsdColumn(forecast)](uint64_t far_bytes, uint64_t ssd_bytes) {
    return BytesOrNothing(both ? far_bytes - ssd_bytes : far_bytes);
  };
  AppendSegmentRow(
      {"segment", "group", "size", "local", IsOnSsd(forecast) ? "SSD" : "far", ssd("SSD"), "chunk"},
      text);
  for (const PlannedSegment& planned : forecast.placement.segments) {
    const DataSegment& segment = planned.segment;
    if (segment.bytes == 0) continue;
    const bool in_chunks = segment.residence == Residence::kLocalOrFar;
    AppendSegmentRow(
        {segment.name, SensitivityName(SensitivityOf(segment.behaviour)),
         FormatBytes(segment.bytes), BytesOrNothing(planned.local_bytes()),
         far(planned.far_bytes(), planned.ssd_bytes()), ssd(BytesOrNothing(planned.ssd_bytes())),
         in_chunks ? FormatBytes(forecast.chunk_bytes) : "-"},
        text);
  }
  AppendSegmentRow({"the process", "", "", FormatBytes(forecast.process_bytes), "-", ssd("-"), "-"},
                   text);
  const PlacementPlan& placement = forecast.placement;
  AppendSegmentRow({"at the peak", "", "", FormatBytes(forecast.planned.peak_memory_bytes),
                    far(placement.far_bytes, placement.SsdBytes()),
                    ssd(BytesOrNothing(placement.SsdBytes())), "-"},
                   text);
}

void AppendFarRatios(const JobForecast& forecast, std::string& text) {
  if (forecast.others.empty()) return;
  absl::StrAppend(&text, "\nfar ratio   peak memory  over the link        time\n");
  for (const PlacementForecast& other : forecast.others) {
    absl::StrAppendFormat(&text, "%9.3f %13s %14s %11s  %s\n", other.far_ratio,
                          FormatBytes(other.peak_memory_bytes),
                          BytesOrNothing(other.run.bytes_fetched), SecondsText(other.run.seconds),
                          BasisName(other.run.basis));
  }
}

void AppendPlanLine(absl::string_view name, absl::string_view value, std::string& text) {
  absl::StrAppendFormat(&text, "%-16s %s\n", name, value);
}

std::string LinkText(const JobForecast& forecast) {
  const RunForecast& run = forecast.planned.run;
  std::string text = absl::StrCat(FormatBytes(run.bytes_fetched),
                                  IsOnSsd(forecast) ? " from SSD" : " over " + forecast.transport);
  if (run.iterations > 0) {
    absl::StrAppend(&text, ", ", FormatBytes(run.bytes_fetched / run.iterations),
                    " an iteration of ", run.iterations);
  }
  absl::StrAppendFormat(&text, "; %s %s/s", IsOnSsd(forecast) ? "it reads" : "the link carries",
                        FormatBytes(static_cast<uint64_t>(forecast.link.bytes_per_second)));
  return text;
}

Json SegmentJson(const PlannedSegment& planned, uint64_t chunk_bytes) {
  const DataSegment& segment = planned.segment;
  const bool in_chunks = segment.residence == Residence::kLocalOrFar;
  return {{"name", segment.name},
          {"group", static_cast<int>(SensitivityOf(segment.behaviour))},
          {"bytes", segment.bytes},
          {"local_bytes", planned.local_bytes()},
          {"far_bytes", planned.far_bytes()},
          {"ssd_bytes", planned.ssd_bytes()},
          {"chunk_bytes", in_chunks ? Json(chunk_bytes) : Json(nullptr)}};
}

Json PlacementJson(const PlacementForecast& forecast) {
  const RunForecast& run = forecast.run;
  const auto bytes_per_iteration =
      run.iterations > 0 ? Json(run.bytes_fetched / run.iterations) : Json(nullptr);
  return {{"far_ratio", forecast.far_ratio},
          {"peak_memory_bytes", forecast.peak_memory_bytes},
          {"bytes_fetched", run.bytes_fetched},
          {"bytes_fetched_per_iteration", bytes_per_iteration},
          {"seconds", run.seconds},
          {"basis", BasisName(run.basis)}};
}

}  // namespace

std::string PlanReportText(const JobForecast& forecast) {
  std::string text =
      absl::StrFormat("%s on %s: %d vertices, %d edges, %d threads\n\n", forecast.algorithm,
                      forecast.graph, forecast.vertices, forecast.edges, forecast.threads);
  AppendSegments(forecast, text);
  AppendFarRatios(forecast, text);
  text += '\n';
  const RunForecast& run = forecast.planned.run;
  AppendPlanLine("time", absl::StrCat(SecondsText(run.seconds), ", ", BasisText(run.basis)), text);
  if (forecast.planned.far_ratio > 0) {
    AppendPlanLine("far ratio", absl::StrFormat("%.3f", forecast.planned.far_ratio), text);
    AppendPlanLine(IsOnSsd(forecast) ? "fetched" : "over the link", LinkText(forecast), text);
    AppendPlanLine("read buffers", absl::StrCat(forecast.buffers, " chunks for each thread"), text);
  }
  AppendPlanLine("huge pages", HugePagesText(forecast.huge_pages, forecast.huge_pages_wanted),
                 text);
  AppendPlanLine("smallest budget", absl::StrCat("--local_memory=", forecast.smallest_budget, "B"),
                 text);
  return text;
}

Json PlanReportJson(const JobForecast& forecast) {
  Json segments = Json::array();
  for (const PlannedSegment& planned : forecast.placement.segments) {
    segments.push_back(SegmentJson(planned, forecast.chunk_bytes));
  }
  Json others = Json::array();
  for (const PlacementForecast& other : forecast.others) others.push_back(PlacementJson(other));
  Json json = {{"algorithm", forecast.algorithm}, {"graph", forecast.graph},
               {"vertices", forecast.vertices},   {"edges", forecast.edges},
               {"threads", forecast.threads},     {"transport", forecast.transport}};
  json.update(PlacementJson(forecast.planned));
  json.update({{"process_bytes", forecast.process_bytes},
               {"huge_pages_wanted", forecast.huge_pages_wanted},
               {"huge_pages_available", forecast.huge_pages.available},
               {"smallest_budget_bytes", forecast.smallest_budget},
               {"chunk_bytes", forecast.chunk_bytes},
               {"buffers", forecast.buffers},
               {"compressed", forecast.compressed},
               {"link_peak_bytes_per_second", forecast.link.bytes_per_second},
               {"segments", std::move(segments)},
               {"far_ratios", std::move(others)}});
  return json;
}

}  // namespace fargraph

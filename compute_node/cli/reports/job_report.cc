#include "compute_node/cli/reports/job_report.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/units.h"

namespace fargraph {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kShownElements = 10;

void AppendLine(absl::string_view name, absl::string_view value, std::string& text) {
  absl::StrAppendFormat(&text, "  %-16s %s\n", name, value);
}

std::string AnswerText(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return absl::StrFormat("%.10g", value.get<double>());
  if (!value.is_array()) return value.dump();
  std::string text;
  for (size_t i = 0; i < value.size() && i < kShownElements; ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ", ", AnswerText(value[i]));
  }
  if (value.size() > kShownElements) {
    absl::StrAppend(&text, " and ", value.size() - kShownElements, " more");
  }
  return value.empty() || value.front().is_array() ? text : absl::StrCat("[", text, "]");
}

std::string TimeText(const JobReport& report) {
  return absl::StrFormat("%.3f s in %d iterations, after %.3f s of loading", report.seconds,
                         report.iterations, report.load_seconds);
}

/// How far edges came where they are; nothing where a job brings them to memory nodes, as usual.
absl::string_view OriginText(const JobReport& report) {
  const bool on_ssd = report.transport == "ssd";
  if (!report.attached) return on_ssd ? ", copied there by this job" : "";
  return on_ssd || report.ssd_ratio > 0 ? ", there already" : ", kept there by an earlier job";
}

std::string PlacementText(const JobReport& report) {
  const absl::string_view form = report.compressed ? ", compressed" : "";
  if (report.far_ratio == 0) return absl::StrCat("all local", form);
  const bool on_ssd = report.transport == "ssd";
  std::string place = on_ssd ? "on SSD" : absl::StrCat("far over ", report.transport);
  if (!on_ssd && report.ssd_ratio > 0) {
    absl::StrAppendFormat(&place, ", %.1f%% on SSD", 100 * report.ssd_ratio);
  }
  return absl::StrFormat("%.1f%% %s%s%s", 100 * report.far_ratio, place, form, OriginText(report));
}

std::string TrafficText(const JobReport& report) {
  std::string text =
      absl::StrFormat("%s in %d requests", FormatBytes(report.bytes_fetched), report.requests);
  if (report.bytes_fetched > 0) {
    const double useful = static_cast<double>(report.bytes_useful);
    absl::StrAppendFormat(&text, ", %.0f%% useful",
                          100 * useful / static_cast<double>(report.bytes_fetched));
  }
  if (report.link_peak_bytes_per_second > 0 && report.seconds > 0) {
    const double rate = static_cast<double>(report.bytes_fetched) / report.seconds;
    absl::StrAppendFormat(&text, ", %.0f%% of the link's peak",
                          100 * rate / report.link_peak_bytes_per_second);
  }
  return text;
}

}  // namespace

Json JobReportJson(const JobReport& report) {
  Json json = {
      {"algorithm", report.algorithm},
      {"graph", report.graph},
      {"vertices", report.vertices},
      {"edges", report.edges},
      {"seconds", report.seconds},
      {"trial_seconds", report.trial_seconds},
      {"load_seconds", report.load_seconds},
      {"iterations", report.iterations},
      {"transport", report.transport},
      {"far_ratio", report.far_ratio},
      {"ssd_ratio", report.ssd_ratio},
      {"attached", report.attached},
      {"bytes_fetched", report.bytes_fetched},
      {"bytes_useful", report.bytes_useful},
      {"requests", report.requests},
      {"stall_seconds", report.stall_seconds},
      {"link_peak_bytes_per_second", report.link_peak_bytes_per_second},
      {"compressed", report.compressed},
      {"chunk_bytes", report.chunk_bytes},
      {"buffers", report.buffers},
      {"peak_memory_bytes", report.peak_memory_bytes},
      {"verified", report.verified ? Json(*report.verified) : Json(nullptr)},
  };
  // A name that both have stays the report's.
  if (report.answer.is_object()) json.insert(report.answer.begin(), report.answer.end());
  return json;
}

std::string JobReportText(const JobReport& report) {
  std::string text = absl::StrFormat("%s on %s: %d vertices, %d edges\n", report.algorithm,
                                     report.graph, report.vertices, report.edges);
  for (const auto& [name, value] : report.answer.items()) {
    AppendLine(name, AnswerText(value), text);
  }
  AppendLine("time", TimeText(report), text);
  AppendLine("edges", PlacementText(report), text);
  if (report.far_ratio > 0) {
    AppendLine("fetched", TrafficText(report), text);
    AppendLine("stalled", absl::StrFormat("%.3f s", report.stall_seconds), text);
  }
  AppendLine("peak memory", FormatBytes(report.peak_memory_bytes), text);
  if (report.verified) AppendLine("verified", *report.verified ? "yes" : "NO", text);
  return text;
}

}  // namespace fargraph

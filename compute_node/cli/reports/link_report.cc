#include "compute_node/cli/reports/link_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "common/units.h"
#include "compute_node/cli/reports/log_plot.h"

namespace fargraph {
namespace {

using Json = nlohmann::ordered_json;

double ToGiB(double bytes) { return bytes / static_cast<double>(kGiB); }

double BytesPerSecond(const LinkPoint& point) {
  return point.reads_per_second * static_cast<double>(point.load.bytes);
}

/// By Little's law.
double LatencySeconds(const LinkPoint& point, const LinkProfile& profile) {
  return profile.threads * point.load.depth / point.reads_per_second;
}

double FittedBytesPerSecond(const ReadLoad& load, const LinkProfile& profile) {
  return static_cast<double>(load.bytes) / profile.SecondsPerRead(load.bytes, load.depth);
}

uint64_t BreakEvenGap(const LinkSweep& sweep) {
  return std::min(sweep.profile.BreakEvenGapBytes(), sweep.tuning.chunk_bytes);
}

std::string Age(absl::Duration age) {
  if (age < absl::Minutes(1)) return "just now";
  if (age < absl::Hours(2)) return absl::StrFormat("%d minutes ago", age / absl::Minutes(1));
  if (age < absl::Hours(48)) return absl::StrFormat("%d hours ago", age / absl::Hours(1));
  return absl::StrFormat("%d days ago", age / absl::Hours(24));
}

std::string Title(const LinkReport& report) {
  return absl::StrFormat("link to %s over %s, %d threads", absl::StrJoin(report.endpoints, ", "),
                         report.transport, report.sweep.profile.threads);
}

/// 1, 2 and 5 times powers of ten on both sides of all of [low, high].
LogPlot::Axis DecimalAxis(std::string title, double low, double high) {
  LogPlot::Axis axis = {.title = std::move(title)};
  for (int exponent = static_cast<int>(std::floor(std::log10(low)));; ++exponent) {
    for (const int digit : {1, 2, 5}) {
      const double value = digit * std::pow(10.0, exponent);
      if (value <= low) axis.ticks.clear();
      axis.ticks.push_back({value, absl::StrFormat("%g", value)});
      if (value < high) continue;
      axis.low = axis.ticks.front().value;
      axis.high = value;
      return axis;
    }
  }
}

/// Powers of four.
LogPlot::Axis SizeAxis(std::string title, uint64_t low, uint64_t high) {
  LogPlot::Axis axis = {.title = std::move(title),
                        .low = static_cast<double>(low),
                        .high = static_cast<double>(high)};
  for (uint64_t bytes = 4 * kKiB; bytes <= high; bytes *= 4) {
    axis.ticks.push_back({static_cast<double>(bytes), FormatBytes(bytes)});
  }
  return axis;
}

std::vector<LogPlot::Series> SeriesByDepth(const LinkSweep& sweep) {
  std::map<uint32_t, LogPlot::Series> by_depth;
  for (const LinkPoint& point : sweep.points) {
    if (point.load.queue_pairs > 1) continue;
    LogPlot::Series& series = by_depth[point.load.depth];
    const double bytes = static_cast<double>(point.load.bytes);
    series.name = absl::StrCat("depth ", point.load.depth);
    series.points.push_back({bytes, ToGiB(BytesPerSecond(point))});
    series.fit.push_back({bytes, ToGiB(FittedBytesPerSecond(point.load, sweep.profile))});
  }
  std::vector<LogPlot::Series> all;
  for (auto& [depth, series] : by_depth) all.push_back(std::move(series));
  return all;
}

std::vector<LogPlot::Mark> Choice(const LinkSweep& sweep) {
  const LinkTuning& tuning = sweep.tuning;
  const uint32_t depth = std::max(DepthWith(tuning.slots, sweep.is_device), 1u);
  for (const LinkPoint& point : sweep.points) {
    const ReadLoad& load = point.load;
    if (load.bytes != tuning.chunk_bytes || load.depth != depth ||
        load.queue_pairs != tuning.queue_pairs) {
      continue;
    }
    return {{.point = {static_cast<double>(load.bytes), ToGiB(BytesPerSecond(point))},
             .label = absl::StrCat("chosen: ", FormatBytes(load.bytes), ", depth ", load.depth)}};
  }
  return {};
}

}  // namespace

std::string LinkReportText(const LinkReport& report, absl::Time now) {
  const LinkProfile& profile = report.sweep.profile;
  const LinkTuning& tuning = report.sweep.tuning;
  std::string text =
      absl::StrCat(Title(report), ", measured ", Age(now - report.measured), "\n",
                   "      read  depth  queue pairs   GiB/s  by the fit   requests/s     latency\n");
  for (const LinkPoint& point : report.sweep.points) {
    absl::StrAppendFormat(&text, "%10s %6d %12d %7.2f %11.2f %12.0f %8.1f us\n",
                          FormatBytes(point.load.bytes), point.load.depth, point.load.queue_pairs,
                          ToGiB(BytesPerSecond(point)),
                          ToGiB(FittedBytesPerSecond(point.load, profile)), point.reads_per_second,
                          1e6 * LatencySeconds(point, profile));
  }
  absl::StrAppendFormat(&text, "fit     latency %.1f us, %.0f requests/s, %.2f GiB/s\n",
                        1e6 * profile.read_seconds, profile.requests_per_second,
                        ToGiB(profile.bytes_per_second));
  if (report.sweep.is_device) {
    absl::StrAppendFormat(&text, "share   %.0f%% of the processors' time goes into that\n",
                          100 * profile.processor_share);
  }
  absl::StrAppendFormat(
      &text,
      "choice  chunks of %s, %d buffers for each thread, %d queue pairs to each memory node; gaps "
      "up to %s are read, not split at\n",
      FormatBytes(tuning.chunk_bytes), tuning.slots, tuning.queue_pairs,
      FormatBytes(BreakEvenGap(report.sweep)));
  return text;
}

Json LinkReportJson(const LinkReport& report) {
  const LinkProfile& profile = report.sweep.profile;
  const LinkTuning& tuning = report.sweep.tuning;
  Json points = Json::array();
  for (const LinkPoint& point : report.sweep.points) {
    points.push_back({{"bytes", point.load.bytes},
                      {"depth", point.load.depth},
                      {"queue_pairs", point.load.queue_pairs},
                      {"bytes_per_second", BytesPerSecond(point)},
                      {"fitted_bytes_per_second", FittedBytesPerSecond(point.load, profile)},
                      {"requests_per_second", point.reads_per_second},
                      {"latency_seconds", LatencySeconds(point, profile)}});
  }
  return {{report.sweep.is_device ? "ssd_dirs" : "memory_nodes", report.endpoints},
          {"transport", report.transport},
          {"threads", profile.threads},
          {"measured", absl::FormatTime(absl::RFC3339_sec, report.measured, absl::UTCTimeZone())},
          {"points", std::move(points)},
          {"fit",
           {{"latency_seconds", profile.read_seconds},
            {"requests_per_second", profile.requests_per_second},
            {"bytes_per_second", profile.bytes_per_second},
            {"processor_share", profile.processor_share}}},
          {"choice",
           {{"chunk_bytes", tuning.chunk_bytes},
            {"buffers", tuning.slots},
            {"queue_pairs", tuning.queue_pairs},
            {"break_even_gap_bytes", BreakEvenGap(report.sweep)}}}};
}

std::string LinkReportPicture(const LinkReport& report) {
  LogPlot plot = {.title = absl::StrCat(Title(report), " (dashed: the fit)"),
                  .series = SeriesByDepth(report.sweep),
                  .marks = Choice(report.sweep)};
  double low = ToGiB(report.sweep.profile.bytes_per_second);
  double high = low;
  for (const LogPlot::Series& series : plot.series) {
    for (const LogPlot::Point& point : series.points) {
      low = std::min(low, point.y);
      high = std::max(high, point.y);
    }
  }
  plot.x = SizeAxis("bytes of a read", report.sweep.points.front().load.bytes,
                    report.sweep.points.back().load.bytes);
  plot.y = DecimalAxis("GiB/s of all threads", low, high);
  return ToSvg(plot);
}

}  // namespace fargraph

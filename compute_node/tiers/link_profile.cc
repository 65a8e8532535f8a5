#include "compute_node/tiers/link_profile.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace fargraph {
namespace {

/// No link is faster; they keep finite what noise makes of a fit.
constexpr double kLeastGapSeconds = 1e-9;
constexpr double kLeastSecondsPerByte = 1e-13;

/// As much as a probe reads, and more than what devices pass at once.
constexpr uint64_t kTellingBytes = uint64_t{32} << 20;
/// No job is faster than its link, but links differ by less than this from one hour to the next.
constexpr double kDisproof = 1.3;

/// y = intercept + slope * x.
struct Line {
  double intercept = 0;
  double slope = 0;
};

/// Through the points (bytes, seconds), by least squares of the relative errors: a measurement of a
/// microsecond counts as much as one of a millisecond.
Line FitLine(const std::map<uint64_t, double>& seconds_by_bytes) {
  double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
  for (const auto& [bytes, seconds] : seconds_by_bytes) {
    const double weight = 1 / (seconds * seconds);
    const double x = static_cast<double>(bytes);
    w += weight;
    wx += weight * x;
    wy += weight * seconds;
    wxx += weight * x * x;
    wxy += weight * x * seconds;
  }
  const double slope = (w * wxy - wx * wy) / (w * wxx - wx * wx);
  return {.intercept = (wy - slope * wx) / w, .slope = slope};
}

/// The least seconds between two arrivals, by size.
std::map<uint64_t, double> LeastSeconds(absl::Span<const LinkPoint> points) {
  std::map<uint64_t, double> least;
  for (const LinkPoint& point : points) {
    const double seconds = 1 / point.reads_per_second;
    const auto [entry, is_new] = least.emplace(point.load.bytes, seconds);
    if (!is_new) entry->second = std::min(entry->second, seconds);
  }
  return least;
}

/// What a read with nothing else in flight on its thread takes beyond its bytes, with weights as in
/// FitLine.
double FitLatency(absl::Span<const LinkPoint> points, double seconds_per_byte, uint32_t threads) {
  double w = 0, wy = 0;
  for (const LinkPoint& point : points) {
    if (point.load.depth != 1) continue;
    const double seconds = threads / point.reads_per_second;
    const double weight = 1 / (seconds * seconds);
    w += weight;
    wy += weight * (seconds - static_cast<double>(point.load.bytes) * threads * seconds_per_byte);
  }
  return std::max(0.0, wy / w);
}

}  // namespace

bool LinkProfile::IsSound() const {
  return bytes_per_second > 0 && requests_per_second > 0 && read_seconds >= 0 &&
         processor_share >= 0 && processor_share <= 1;
}

bool LinkProfile::IsDisprovedBy(uint64_t bytes, double seconds) const {
  return bytes >= kTellingBytes &&
         static_cast<double>(bytes) > kDisproof * bytes_per_second * seconds;
}

double LinkProfile::SecondsPerRead(uint64_t bytes, uint32_t depth) const {
  const double transfer = static_cast<double>(bytes) / bytes_per_second;
  return std::max(1 / requests_per_second + transfer,
                  (read_seconds + threads * transfer) / (depth * threads));
}

uint32_t LinkProfile::DepthFor(uint64_t bytes) const {
  const double transfer = static_cast<double>(bytes) / bytes_per_second;
  const double alone = read_seconds + threads * transfer;
  const double between = threads * (1 / requests_per_second + transfer);
  return static_cast<uint32_t>(std::max(1.0, std::ceil(alone / between)));
}

uint64_t LinkProfile::BreakEvenGapBytes() const {
  return static_cast<uint64_t>(bytes_per_second / requests_per_second);
}

uint64_t LinkProfile::NarrowGapBytes() const {
  constexpr double kLookSeconds = 12e-9;
  return static_cast<uint64_t>(kLookSeconds * bytes_per_second / threads);
}

LinkProfile CombineLinks(const LinkProfile& first, const LinkProfile& second, double second_share) {
  if (second_share <= 0) return first;
  if (second_share >= 1) return second;
  const auto both = [second_share](double first_rate, double second_rate) {
    return std::min(first_rate / (1 - second_share), second_rate / second_share);
  };
  const double bytes_per_second = both(first.bytes_per_second, second.bytes_per_second);
  // Each is busy for the part of the time that it needs for its share.
  const double first_busy = (1 - second_share) * bytes_per_second / first.bytes_per_second;
  const double second_busy = second_share * bytes_per_second / second.bytes_per_second;
  return {.threads = first.threads,
          .bytes_per_second = bytes_per_second,
          .requests_per_second = both(first.requests_per_second, second.requests_per_second),
          .read_seconds = std::max(first.read_seconds, second.read_seconds),
          .processor_share = std::min(
              1.0, first_busy * first.processor_share + second_busy * second.processor_share)};
}

LinkProfile FitLink(absl::Span<const LinkPoint> points, uint32_t threads) {
  const Line line = FitLine(LeastSeconds(points));
  const double seconds_per_byte = std::max(kLeastSecondsPerByte, line.slope);
  return {.threads = threads,
          .bytes_per_second = 1 / seconds_per_byte,
          .requests_per_second = 1 / std::max(kLeastGapSeconds, line.intercept),
          .read_seconds = FitLatency(points, seconds_per_byte, threads)};
}

}  // namespace fargraph

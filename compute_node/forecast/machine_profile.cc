#include "compute_node/forecast/machine_profile.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "absl/time/clock.h"
#include "common/control/memory_node_client.h"
#include "common/mix_bits.h"
#include "common/units.h"
#include "compute_node/cache_file.h"
#include "graph/vertex_array.h"
#include "nlohmann/json.hpp"

namespace fargraph {
namespace {

using nlohmann::json;

constexpr CacheFile::Format kProfileFormat = {
    .version = 3, .entries = "machines", .key = "machine", .most_entries = 64};
/// In larger arrays reads are hardly slower. Between the last two a third-level cache holds once
/// the whole array and once none of it, as processors share it.
constexpr uint64_t kArrayBytes[] = {64 * kKiB, kMiB, 32 * kMiB};
/// A disturbance only slows down, so the fastest of some measurements counts.
constexpr int kRepeats = 3;

/// The least seconds that work() takes.
template <typename Work>
double LeastSeconds(Work&& work) {
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < kRepeats; ++i) {
    const absl::Time begin = absl::Now();
    work();
    least = std::min(least, absl::ToDoubleSeconds(absl::Now() - begin));
  }
  return least;
}

MachineProfile::RandomReads MeasureRandomReads(uint64_t array_bytes) {
  constexpr uint64_t kReadsPerThread = 1 << 20;
  const uint64_t size = array_bytes / sizeof(uint32_t);  // a power of two
  const VertexArray<uint32_t> array(size, 1);
  uint64_t sum = 0;
  const double seconds = LeastSeconds([&] {
    sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
      const uint64_t first = omp_get_thread_num() * kReadsPerThread;
      for (uint64_t i = first; i < first + kReadsPerThread; ++i)
        sum += array[MixBits(i) & (size - 1)];
    }
  });
  // The sum is the number of reads, but the compiler cannot know.
  return {.array_bytes = static_cast<double>(array_bytes),
          .per_second = static_cast<double>(sum) / seconds};
}

double MeasureStart() {
  constexpr int kStarts = 500;
  const double seconds = LeastSeconds([] {
    for (int i = 0; i < kStarts; ++i) {
#pragma omp parallel
      {
        asm volatile("" ::: "memory");  // or there would be nothing to start for
      }
    }
  });
  return seconds / kStarts;
}

/// Nothing where somebody has damaged it.
std::optional<MachineProfile> DecodeProfile(const json& entry) {
  try {
    MachineProfile profile = {.start_seconds = entry.at("start_seconds").get<double>()};
    for (const json& point : entry.at("random_reads")) {
      profile.random_reads.push_back({point.at(0).get<double>(), point.at(1).get<double>()});
      if (!(profile.random_reads.back().per_second > 0)) return std::nullopt;
    }
    if (profile.random_reads.size() != std::size(kArrayBytes)) return std::nullopt;
    return profile;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

double MachineProfile::RandomReadsPerSecond(double array_bytes) const {
  const auto above = std::find_if(random_reads.begin(), random_reads.end(), [&](const auto& point) {
    return point.array_bytes > array_bytes;
  });
  if (above == random_reads.begin()) return above->per_second;
  const auto below = above - 1;
  if (above == random_reads.end()) return below->per_second;
  const double way = std::log(array_bytes / below->array_bytes) /
                     std::log(above->array_bytes / below->array_bytes);
  return below->per_second + way * (above->per_second - below->per_second);
}

MachineProfile MeasureMachine() {
  MachineProfile profile = {.start_seconds = MeasureStart()};
  for (const uint64_t bytes : kArrayBytes)
    profile.random_reads.push_back(MeasureRandomReads(bytes));
  return profile;
}

MachineProfile ProfileMachine(const std::string& path) {
  const CacheFile file(path, kProfileFormat);
  const json key = {{"host", LocalHostId()}, {"threads", omp_get_max_threads()}};
  if (const std::optional<json> entry = file.Find(key)) {
    if (auto known = DecodeProfile(*entry)) return *std::move(known);
  }
  MachineProfile profile = MeasureMachine();
  json reads = json::array();
  for (const auto& [array_bytes, per_second] : profile.random_reads)
    reads.push_back({array_bytes, per_second});
  file.Put({{"machine", key},
            {"start_seconds", profile.start_seconds},
            {"random_reads", std::move(reads)}})
      .IgnoreError();
  return profile;
}

}  // namespace fargraph

#include "compute_node/forecast/machine_profile.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "absl/types/span.h"
#include "common/control/memory_node_client.h"
#include "common/files/cache_file.h"
#include "common/mix_bits.h"
#include "common/units.h"
#include "graph/ids.h"
#include "graph/vertex_array.h"
#include "nlohmann/json.hpp"

#ifdef __x86_64__
#include <emmintrin.h>
#endif

namespace fargraph {
namespace {

using nlohmann::json;

constexpr CacheFile::Format kProfileFormat = {
    .version = 6, .entries = "machines", .key = "machine", .most_entries = 64};
/// Arrays of which reads are measured: one that every core's own caches hold, and one of which none
/// holds anything, as of all larger ones. A third-level cache may have room for it, but not beside
/// all else that a job reads.
constexpr uint64_t kCachedBytes = 64 * kKiB;
constexpr uint64_t kUncachedBytes = 32 * kMiB;
/// A disturbance only slows down, and may last for milliseconds: so the fastest of the measurements
/// that fit into some time counts.
constexpr absl::Duration kTime = absl::Milliseconds(25);

/// The least seconds that work() takes, each time after prepare().
template <typename Work, typename Prepare>
double LeastSeconds(Work&& work, Prepare&& prepare) {
  const absl::Time end = absl::Now() + kTime;
  double least = std::numeric_limits<double>::max();
  do {
    prepare();
    const absl::Time begin = absl::Now();
    work();
    least = std::min(least, absl::ToDoubleSeconds(absl::Now() - begin));
  } while (absl::Now() < end);
  return least;
}
template <typename Work>
double LeastSeconds(Work&& work) {
  return LeastSeconds(work, [] {});
}

/// Lists of 16 neighbours on the mean, of vertices whose values the second-level caches hold. Half
/// of them are as long as the list before, as where vertices are in the order of their degrees, and
/// half of a length that no processor foresees; what that costs differs more between processors
/// than the looks do.
double MeasureVisit() {
  constexpr VertexId kVertices = 1 << 14;
  constexpr uint32_t kMeanNeighbors = 16;
  std::vector<uint32_t> ends(kVertices);
  uint32_t edges = 0;
  for (VertexId v = 0; v < kVertices; ++v) {
    const bool is_foreseen = v < kVertices / 2;
    ends[v] = edges += is_foreseen ? kMeanNeighbors : MixBits(v) % (2 * kMeanNeighbors + 1);
  }
  std::vector<VertexId> neighbors(edges);
  for (uint32_t i = 0; i < edges; ++i)
    neighbors[i] = static_cast<VertexId>(MixBits(kVertices + i) % kVertices);
  const std::vector<uint32_t> values(kVertices, 1);
  uint64_t visits = 0;
  const double seconds = LeastSeconds([&] {
    visits = 0;
#pragma omp parallel reduction(+ : visits)
    {
      constexpr int kPasses = 4;
      for (int pass = 0; pass < kPasses; ++pass) {
        uint32_t edge = 0;
        for (const uint32_t end : ends) {
          for (; edge < end; ++edge) visits += values[neighbors[edge]];
        }
      }
    }
  });
  return seconds * omp_get_max_threads() / static_cast<double>(visits);
}

/// Where that cannot be done, a cache may hold the elements.
template <typename Elements>
void TakeOutOfCaches([[maybe_unused]] int64_t count, [[maybe_unused]] Elements&& element) {
#ifdef __x86_64__
  for (int64_t i = 0; i < count; ++i) _mm_clflush(&element(i));
  _mm_mfence();
#endif
}

MachineProfile::RandomReads MeasureRandomReads(uint64_t array_bytes) {
  const uint64_t size = array_bytes / sizeof(uint32_t);  // a power of two
  const VertexArray<uint32_t> array(size, 1);
  const auto element = [&](int64_t i) -> const uint32_t& { return array[MixBits(i) & (size - 1)]; };
  const bool is_cached = array_bytes == kCachedBytes;
  // Else few enough that most are from a cache line that none before was from.
  const int64_t reads = is_cached ? int64_t{omp_get_max_threads()} << 20 : size / 64;
  uint64_t sum = 0;
  const double seconds = LeastSeconds(
      [&] {
        sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
        for (int64_t i = 0; i < reads; ++i) sum += element(i);
      },
      [&] {
        if (!is_cached) TakeOutOfCaches(reads, element);
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

/// How threads wait for others, as the environment has told OpenMP: those that sleep start later.
std::string WaitPolicy() {
  std::vector<std::string> settings;
  for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"}) {
    if (const char* value = std::getenv(name)) settings.push_back(absl::StrCat(name, "=", value));
  }
  return absl::StrJoin(settings, " ");
}

/// Nothing where somebody has damaged it.
std::optional<MachineProfile> DecodeProfile(const json& entry) {
  try {
    MachineProfile profile = {.visit_seconds = entry.at("visit_seconds").get<double>(),
                              .start_seconds = entry.at("start_seconds").get<double>()};
    for (const json& point : entry.at("random_reads")) {
      profile.random_reads.push_back({point.at(0).get<double>(), point.at(1).get<double>()});
      if (!(profile.random_reads.back().per_second > 0)) return std::nullopt;
    }
    if (profile.random_reads.size() != 2 || !(profile.visit_seconds > 0)) return std::nullopt;
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
  return below->per_second * std::pow(above->per_second / below->per_second, way);
}

MachineProfile MeasureMachine() {
  MeasureStart();  // new threads may share a processor for some milliseconds
  return {.visit_seconds = MeasureVisit(),
          .random_reads = {MeasureRandomReads(kCachedBytes), MeasureRandomReads(kUncachedBytes)},
          .start_seconds = MeasureStart()};
}

MachineProfile ProfileMachine(const std::string& path) {
  const CacheFile file(path, kProfileFormat);
  const json key = {
      {"host", LocalHostId()}, {"threads", omp_get_max_threads()}, {"waiting", WaitPolicy()}};
  if (const std::optional<json> entry = file.Find(key)) {
    if (auto known = DecodeProfile(*entry)) return *std::move(known);
  }
  MachineProfile profile = MeasureMachine();
  json reads = json::array();
  for (const auto& [array_bytes, per_second] : profile.random_reads)
    reads.push_back({array_bytes, per_second});
  file.Put({{"machine", key},
            {"visit_seconds", profile.visit_seconds},
            {"start_seconds", profile.start_seconds},
            {"random_reads", std::move(reads)}})
      .IgnoreError();
  return profile;
}

}  // namespace fargraph

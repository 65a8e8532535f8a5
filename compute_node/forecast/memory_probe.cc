#include "compute_node/forecast/memory_probe.h"

#include <omp.h>

#include <algorithm>

#include "absl/time/clock.h"
#include "common/units.h"
#include "compute_node/engine/vertex_array.h"
#include "graph/mix_bits.h"

namespace fargraph {
namespace {

/// In larger arrays reads are hardly slower.
constexpr uint64_t kMostBytes = 64 * kMiB;
constexpr uint64_t kReadsPerThread = 1 << 20;

}  // namespace

double RandomReadsPerSecond(uint64_t array_bytes) {
  const uint64_t size = std::clamp<uint64_t>(array_bytes, kKiB, kMostBytes) / sizeof(uint32_t);
  const VertexArray<uint32_t> array(size, 1);
  const absl::Time begin = absl::Now();
  uint64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    const uint64_t first = omp_get_thread_num() * kReadsPerThread;
    for (uint64_t i = first; i < first + kReadsPerThread; ++i) sum += array[MixBits(i) % size];
  }
  // The sum is the number of reads, but the compiler cannot know.
  return static_cast<double>(sum) / absl::ToDoubleSeconds(absl::Now() - begin);
}

}  // namespace fargraph

#include "compute_node/forecast/memory_probe.h"

#include "common/units.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

TEST(RandomReadsPerSecond, IsFasterThanAMillionAndSlowerThanAnyProcessor) {
  for (const uint64_t bytes : {uint64_t{0}, 4 * kKiB, 8 * kMiB, 1024 * kGiB}) {
    const double reads = RandomReadsPerSecond(bytes);
    EXPECT_GT(reads, 1e5);
    EXPECT_LT(reads, 1e13);
  }
}

}  // namespace
}  // namespace fargraph

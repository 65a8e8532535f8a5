#include "compute_node/tiers/link_tuner.h"

#include <memory>

#include "absl/time/clock.h"
#include "common/files/test_directory.h"
#include "compute_node/testing/memory_nodes.h"
#include "compute_node/tiers/far_memory.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

TEST(LinkTuner, MeasuresOnceAndThenRemembers) {
  const TestDirectory directory;
  const LinkCache cache(directory.path() + "/links.json");
  const MemoryNodes nodes(1);
  const auto memory = *FarMemory::Connect({.memory_nodes = nodes.addresses()});
  const auto measured = TuneLink(*memory, /*threads=*/2, cache);
  ASSERT_TRUE(measured.ok()) << measured.status();
  EXPECT_EQ(measured->sweep.tuning.slots, 1u) << "shm copies when it is polled";
  EXPECT_EQ(measured->sweep.profile.processor_share, 1) << "on the processors that compute";
  EXPECT_GT(measured->sweep.profile.bytes_per_second, 0);

  const auto remembered = TuneLink(*memory, /*threads=*/2, cache);
  ASSERT_TRUE(remembered.ok()) << remembered.status();
  ASSERT_EQ(remembered->sweep.points.size(), measured->sweep.points.size());
  EXPECT_EQ(remembered->sweep.profile.bytes_per_second, measured->sweep.profile.bytes_per_second);

  const auto anew = TuneLinkAnew(*memory, /*threads=*/2, cache);
  ASSERT_TRUE(anew.ok()) << anew.status();
  EXPECT_NE(anew->sweep.profile.bytes_per_second, measured->sweep.profile.bytes_per_second);
  EXPECT_EQ(TuneLink(*memory, /*threads=*/2, cache)->sweep.profile.bytes_per_second,
            anew->sweep.profile.bytes_per_second);
}

TEST(LinkTuner, ACacheThatCannotBeWrittenIsNoError) {
  const MemoryNodes nodes(1);
  const auto memory = *FarMemory::Connect({.memory_nodes = nodes.addresses()});
  EXPECT_TRUE(TuneLink(*memory, /*threads=*/1, LinkCache("/proc/none/links.json")).ok());
}

}  // namespace
}  // namespace fargraph

#include "compute_node/tiers/link_probe.h"

#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "common/control/memory_node_client.h"
#include "common/units.h"
#include "compute_node/testing/memory_nodes.h"
#include "compute_node/testing/ssd_directories.h"
#include "compute_node/tiers/far_memory.h"
#include "compute_node/tiers/ssd_array.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr absl::Duration kLong = absl::Seconds(60);

uint64_t AllocatedBytes(const std::string& address) {
  return (*(*MemoryNodeClient::Connect(address))->Stats()).allocated_bytes;
}

class LinkProbeTest : public testing::TestWithParam<transport::Kind> {
 protected:
  static std::unique_ptr<FarMemory> Connect(const MemoryNodes& nodes) {
    return *FarMemory::Connect({.memory_nodes = nodes.addresses(), .transport = GetParam()});
  }
};

TEST_P(LinkProbeTest, MeasuresEveryLoadWithinItsLimits) {
  const MemoryNodes nodes(2);
  const auto memory = Connect(nodes);
  const auto probe = LinkProbe::Open(*memory, /*threads=*/2, kLong);
  ASSERT_TRUE(probe.ok()) << probe.status();
  const SweepLimits limits = (*probe)->limits();
  EXPECT_EQ(limits.threads, 2u);
  EXPECT_GE(limits.largest_read_bytes, 64 * kKiB);
  EXPECT_EQ(limits.least_tuned_bytes, (GetParam() == transport::Kind::kTcp ? 512 : 64) * kKiB);
  const ReadLoad loads[] = {{.bytes = 512, .depth = 32},
                            {.bytes = 4096},
                            {.bytes = 65536, .depth = 4, .queue_pairs = 2},
                            {.bytes = limits.largest_read_bytes, .depth = 2}};
  for (const ReadLoad& load : loads) {
    const auto rate = (*probe)->ReadsPerSecond(load);
    ASSERT_TRUE(rate.ok()) << rate.status();
    ASSERT_TRUE(rate->has_value());
    EXPECT_GT(**rate, 0);
  }
}

TEST_P(LinkProbeTest, LeavesNothingOnTheNodes) {
  const MemoryNodes nodes(1);
  const auto memory = Connect(nodes);
  {
    const auto probe = LinkProbe::Open(*memory, /*threads=*/1, kLong);
    ASSERT_TRUE(probe.ok()) << probe.status();
    EXPECT_GT(AllocatedBytes(nodes.addresses()[0]), 0u);
  }
  EXPECT_EQ(AllocatedBytes(nodes.addresses()[0]), 0u);
}

TEST_P(LinkProbeTest, OnAFullNodeItReadsWhatIsSealedThereAndLeavesIt) {
  const MemoryNodes nodes(1, /*capacity_bytes=*/2 * kMiB);
  const auto memory = Connect(nodes);
  const auto kept = memory->Allocate("kept", 2 * kMiB);
  ASSERT_TRUE(kept.ok()) << kept.status();
  EXPECT_EQ(LinkProbe::Open(*memory, /*threads=*/1, kLong).status().code(),
            absl::StatusCode::kResourceExhausted);
  ASSERT_TRUE(memory->Seal(*kept, /*keep=*/true).ok());
  {
    const auto probe = LinkProbe::Open(*memory, /*threads=*/1, kLong);
    ASSERT_TRUE(probe.ok()) << probe.status();
    EXPECT_GT((*probe)->ReadsPerSecond({.bytes = 4096})->value(), 0);
  }
  EXPECT_TRUE(Connect(nodes)->Attach("kept", 2 * kMiB).ok());
}

TEST_P(LinkProbeTest, OnANearlyFullNodeThreadsReadNoMoreThanThereIs) {
  const MemoryNodes nodes(1, kMostOnSmallPages);
  const auto memory = Connect(nodes);
  const auto most = memory->Allocate("most", kMostOnSmallPages - 256 * kKiB);
  ASSERT_TRUE(most.ok()) << most.status();
  const auto probe = LinkProbe::Open(*memory, /*threads=*/2, kLong);
  ASSERT_TRUE(probe.ok()) << probe.status();
  const auto rate = (*probe)->ReadsPerSecond({.bytes = 65536, .depth = 4});
  ASSERT_TRUE(rate.ok()) << rate.status();
}

TEST_P(LinkProbeTest, MeasuresWithTheThreadsThatItGets) {
  const MemoryNodes nodes(1);
  const auto memory = Connect(nodes);
#pragma omp parallel num_threads(2)  // within which there are no more threads
#pragma omp single
  {
    const auto probe = LinkProbe::Open(*memory, /*threads=*/2, kLong);
    EXPECT_TRUE(probe.ok()) << probe.status();
    EXPECT_GT((*probe)->ReadsPerSecond({.bytes = 4096})->value(), 0);
  }
}

TEST_P(LinkProbeTest, SaysWhenItsTimeIsOver) {
  const MemoryNodes nodes(1);
  const auto memory = Connect(nodes);
  const auto probe = LinkProbe::Open(*memory, /*threads=*/1, absl::ZeroDuration());
  ASSERT_TRUE(probe.ok()) << probe.status();
  for (const bool measured : {true, true, false, false}) {
    const auto rate = (*probe)->ReadsPerSecond({.bytes = 4096});
    ASSERT_TRUE(rate.ok()) << rate.status();
    EXPECT_EQ(rate->has_value(), measured);
  }
}

TEST_P(LinkProbeTest, ALostNodeIsAnError) {
  MemoryNodes nodes(1);
  const auto memory = Connect(nodes);
  const auto probe = LinkProbe::Open(*memory, /*threads=*/1, kLong);
  ASSERT_TRUE(probe.ok()) << probe.status();
  nodes.Stop(0);
  EXPECT_EQ((*probe)->ReadsPerSecond({.bytes = 4096}).status().code(),
            absl::StatusCode::kUnavailable);
}

TEST(LinkProbeOnSsds, ReadsWholeBlocksAndLeavesNothing) {
  if (!TempDirHasDirectIo()) GTEST_SKIP() << testing::TempDir() << " has no direct IO";
  const SsdDirectories directories(2);
  const auto array = *SsdArray::Open(directories.paths());
  const auto probe = LinkProbe::Open(*array, /*threads=*/2, kLong);
  ASSERT_TRUE(probe.ok()) << probe.status();
  EXPECT_EQ((*probe)->limits().least_read_bytes, array->block_bytes());
  EXPECT_EQ((*probe)->limits().least_tuned_bytes, kMiB);
  EXPECT_EQ((*probe)->limits().least_bytes_in_flight, 6 * kMiB) << "of two threads on two devices";
  for (const ReadLoad& load : {ReadLoad{.bytes = array->block_bytes(), .depth = 32},
                               ReadLoad{.bytes = 65536, .depth = 4, .queue_pairs = 2}}) {
    const auto rate = (*probe)->ReadsPerSecond(load);
    ASSERT_TRUE(rate.ok()) << rate.status();
    EXPECT_GT(**rate, 0);
    const auto sustained = (*probe)->SustainedReads(load);
    ASSERT_TRUE(sustained.ok()) << sustained.status();
    EXPECT_GT(sustained->reads_per_second, 0);
    EXPECT_TRUE(sustained->processor_share >= 0 && sustained->processor_share <= 1)
        << sustained->processor_share;  // not that of nothing computed, which is no number
  }
  for (const std::string& path : directories.paths()) {
    EXPECT_TRUE(std::filesystem::is_empty(path));
  }
}

/// Accesses files as somebody else while it lives, if this is root, whom no permission stops.
class AsNobody {
 public:
  AsNobody() { setfsuid(kNobody); }
  ~AsNobody() { setfsuid(geteuid()); }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

 private:
  static constexpr uid_t kNobody = 65534;
};

TEST(LinkProbeOnSsds, ReadsTheFilesOfADirectoryThatItMayNotWriteTo) {
  if (!TempDirHasDirectIo()) GTEST_SKIP() << testing::TempDir() << " has no direct IO";
  for (const uint64_t bytes : {uint64_t{40 * kMiB}, uint64_t{kMiB}, uint64_t{0}}) {
    const SsdDirectories directories(1);
    if (bytes > 0) std::ofstream(directories.paths()[0] + "/edges") << std::string(bytes, 'x');
    chmod(directories.paths()[0].c_str(), 0555);
    const AsNobody nobody;
    const auto array = SsdArray::Open(directories.paths());
    EXPECT_EQ(array.ok(), bytes > 0) << array.status();
    if (!array.ok()) continue;
    const auto probe = LinkProbe::Open(**array, /*threads=*/2, kLong);
    ASSERT_TRUE(probe.ok()) << probe.status();
    EXPECT_GT((*probe)->ReadsPerSecond({.bytes = 4096, .depth = 4})->value(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Transports, LinkProbeTest,
                         testing::Values(transport::Kind::kShm, transport::Kind::kTcp),
                         [](const auto& kind) {
                           return std::string(transport::KindName(kind.param));
                         });

}  // namespace
}  // namespace fargraph

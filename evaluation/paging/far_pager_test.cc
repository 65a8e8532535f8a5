#include "evaluation/paging/far_pager.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "compute_node/testing/fake_tier.h"
#include "compute_node/testing/memory_nodes.h"
#include "compute_node/tiers/far_memory.h"
#include "compute_node/tiers/far_writer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::HasSubstr;

constexpr size_t kThreads = 3;
constexpr uint64_t kBudgetBytes = kThreads * 4 * FarPager::kRunBytes;

std::vector<std::byte> RandomBytes(size_t size) {
  std::mt19937 random(1);
  std::vector<std::byte> bytes(size);
  std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<std::byte>(random()); });
  return bytes;
}

/// The bytes look as if they were local, from `offset` on.
bool Holds(const std::byte* paged, const std::vector<std::byte>& bytes, size_t offset,
           size_t length) {
  return std::memcmp(paged + offset, bytes.data() + offset, length) == 0;
}

/// Calls read(thread) on as many threads as the pager is made for.
template <typename Read>
void OnAllThreads(Read&& read) {
  std::vector<std::thread> threads;
  for (size_t thread = 0; thread < kThreads; ++thread) threads.emplace_back(read, thread);
  for (std::thread& thread : threads) thread.join();
}

void TouchPages(const std::byte* paged, uint64_t bytes) {
  for (uint64_t offset = 0; offset < bytes; offset += kPageBytes) {
    *static_cast<const volatile std::byte*>(paged + offset);
  }
}

class FarPagerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto status = UserfaultMemory::Map(1).status();
    if (!status.ok()) GTEST_SKIP() << status.message();
  }

  /// Over a tier that fails at that request.
  absl::StatusOr<std::unique_ptr<FarPager>> Start(std::vector<FarRange> ranges,
                                                  uint64_t fail_after = ~uint64_t{0},
                                                  uint64_t budget_bytes = kBudgetBytes) {
    auto tier = std::make_unique<FakeTier>(absl::MakeSpan(far_), /*seed=*/1, fail_after);
    return FarPager::Start(std::move(ranges), std::move(tier), absl::MakeSpan(staging_),
                           budget_bytes);
  }

  std::vector<std::byte> far_ = RandomBytes(4 * kBudgetBytes + 100);
  std::vector<std::byte> staging_ = std::vector<std::byte>(kThreads * FarPager::kRunBytes);
};

TEST_F(FarPagerTest, ManyThreadsReadMoreThanThereIsRoomFor) {
  const auto pager = *Start({{.address = 0, .bytes = far_.size()}});
  std::atomic<int> wrong = 0;
  OnAllThreads([&](size_t thread) {
    std::mt19937 random(static_cast<unsigned>(thread));
    for (int i = 0; i < 3000; ++i) {
      const size_t offset = random() % (far_.size() - 100);
      if (!Holds(pager->data(0), far_, offset, 100)) ++wrong;
    }
    if (!Holds(pager->data(0), far_, 0, far_.size())) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(pager->status(), absl::OkStatus());
}

TEST_F(FarPagerTest, OnlyTheBudgetStaysLocal) {
  const auto pager = *Start({{.address = 0, .bytes = far_.size()}});
  EXPECT_TRUE(Holds(pager->data(0), far_, 0, far_.size()));
  std::vector<unsigned char> resident(far_.size() / kPageBytes + 1);
  ASSERT_EQ(mincore(const_cast<std::byte*>(pager->data(0)), far_.size(), resident.data()), 0);
  const auto pages = std::count_if(resident.begin(), resident.end(),
                                   [](unsigned char page) { return (page & 1) != 0; });
  EXPECT_GT(pages, 0);
  EXPECT_LE(pages * kPageBytes, kBudgetBytes);
}

TEST_F(FarPagerTest, RangesLieWhereverTheyAreOnTheTier) {
  const std::vector<FarRange> ranges = {{.address = 7, .bytes = 3 * kPageBytes + 1},
                                        {.address = kBudgetBytes + 3, .bytes = 5}};
  const auto pager = *Start(ranges);
  for (size_t i = 0; i < ranges.size(); ++i) {
    EXPECT_EQ(std::memcmp(pager->data(i), far_.data() + ranges[i].address, ranges[i].bytes), 0);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(pager->data(i)) % kPageBytes, 0U);
  }
}

TEST_F(FarPagerTest, ReadsAheadOfAScanOnly) {
  const auto pager = *Start({{.address = 0, .bytes = far_.size()}});
  for (const uint64_t page : {0, 20, 40}) {
    EXPECT_TRUE(Holds(pager->data(0), far_, page * kPageBytes, 1));
  }
  EXPECT_TRUE(Holds(pager->data(0), far_, 0, 9 * kPageBytes));
  // Fetched for the last fault; what serves it is counted when it has been answered.
  while (pager->stats().pages_fetched < 3 + FarPager::kRunPages) std::this_thread::yield();
  EXPECT_EQ(pager->stats().pages_fetched, 3 + FarPager::kRunPages);
  EXPECT_EQ(pager->stats().traffic.requests, 4U);
  EXPECT_EQ(pager->stats().faults, 4U);
}

TEST_F(FarPagerTest, AFailedReadEndsInAnErrorNotInAHang) {
  const auto pager = *Start({{.address = 0, .bytes = far_.size()}}, /*fail_after=*/20);
  OnAllThreads([&](size_t) { TouchPages(pager->data(0), far_.size()); });
  EXPECT_TRUE(pager->failed());
  EXPECT_EQ(pager->status(), absl::UnavailableError("the fake tier has failed"));
}

TEST_F(FarPagerTest, ABudgetThatStarvesThreadsIsRefused) {
  const auto status =
      Start({{.address = 0, .bytes = far_.size()}}, ~uint64_t{0}, 6 * kPageBytes - 1).status();
  EXPECT_TRUE(absl::IsResourceExhausted(status));
  EXPECT_THAT(status.message(), HasSubstr("3 threads need 24 KiB"));
}

/// Over the transports that memory nodes have, and when one of two dies.
class FarPagerOnMemoryNodes : public FarPagerTest,
                              public ::testing::WithParamInterface<transport::Kind> {};

TEST_P(FarPagerOnMemoryNodes, ReadsUntilANodeDies) {
  MemoryNodes nodes(2);
  const auto memory =
      *FarMemory::Connect({.memory_nodes = nodes.addresses(), .transport = GetParam()});
  const FarSegment segment = *memory->Allocate("paged", far_.size());
  const auto writer = *FarWriter::Open(*memory);
  ASSERT_EQ(writer->Write(segment.address, far_), absl::OkStatus());
  ASSERT_EQ(writer->Flush(), absl::OkStatus());
  const auto region = *memory->RegisterMemory(absl::MakeSpan(staging_));
  const auto pager = *FarPager::Start({{.address = segment.address, .bytes = far_.size()}},
                                      *memory->OpenQueue(*region, kThreads),
                                      absl::MakeSpan(staging_), kBudgetBytes);
  EXPECT_TRUE(Holds(pager->data(0), far_, 0, far_.size()));

  nodes.Stop(1);
  OnAllThreads([&](size_t) { TouchPages(pager->data(0), far_.size()); });
  EXPECT_TRUE(pager->failed());
  EXPECT_THAT(pager->status().message(), HasSubstr("was lost in the middle of the job"));
}

INSTANTIATE_TEST_SUITE_P(Transports, FarPagerOnMemoryNodes,
                         ::testing::Values(transport::Kind::kShm, transport::Kind::kTcp),
                         [](const auto& tested) {
                           return std::string(transport::KindName(tested.param));
                         });

}  // namespace
}  // namespace fargraph

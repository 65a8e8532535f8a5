#include "algorithms/building_blocks/component_labels.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "compute_node/testing/thread_count.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::HasSubstr;

constexpr VertexId kRenumbered = 100'000;

/// Ranks by vertex, of which all threads have small blocks at once.
class RankArray final : public ArrayFile {
 public:
  explicit RankArray(std::vector<VertexId> ranks) : ranks_(std::move(ranks)) {}

  const std::string& path() const override { return path_; }
  uint64_t element_bytes() const override { return sizeof(VertexId); }
  uint64_t elements() const override { return ranks_.size(); }

  absl::Status Read(uint64_t, absl::Span<std::byte>) const override {
    return absl::UnimplementedError("ranks are scanned");
  }
  absl::Status Scan(BlockVisitor at_once, BlockVisitor in_order) const override {
    constexpr size_t kBlock = 100;
    absl::Status status;
#pragma omp parallel for schedule(static, 1)
    for (size_t begin = 0; begin < ranks_.size(); begin += kBlock) {
      const auto ranks = absl::MakeSpan(ranks_).subspan(begin, kBlock);
      const absl::Status of_block = at_once(
          begin * sizeof(VertexId),
          {reinterpret_cast<const std::byte*>(ranks.data()), ranks.size() * sizeof(VertexId)});
#pragma omp critical
      status.Update(of_block);
    }
    return status.ok() ? in_order(0, {}) : status;
  }

 private:
  std::string path_ = "ranks";
  std::vector<VertexId> ranks_;
};

std::vector<VertexId> ShuffledRanks() {
  std::vector<VertexId> ranks(kRenumbered);
  std::iota(ranks.begin(), ranks.end(), 0);
  std::shuffle(ranks.begin(), ranks.end(), std::mt19937(5));
  return ranks;
}

VertexNames NamesOf(const RankArray& ranks) {
  return VertexNames(ranks.elements(), {.order = &ranks, .ranks = &ranks});
}

/// So many components, each of every so-many-th vertex.
VertexArray<VertexId> Interleaved(VertexId vertices, VertexId components) {
  VertexArray<VertexId> roots(vertices);
  for (VertexId v = 0; v < vertices; ++v) roots[v] = v % components;
  return roots;
}

TEST(ComponentLabels, AreTheVerticesWithTheSmallestIdsOnAnyNumberOfThreads) {
  const std::vector<VertexId> ranks = ShuffledRanks();
  const RankArray array(ranks);
  for (const VertexId components : {VertexId{1}, VertexId{1000}, kRenumbered}) {
    std::vector<VertexId> labels(components);
    std::iota(labels.begin(), labels.end(), 0);
    for (VertexId v = 0; v < kRenumbered; ++v) {
      VertexId& label = labels[v % components];
      if (ranks[v] < ranks[label]) label = v;
    }
    for (const int threads : {1, 8}) {
      const ThreadCount count(threads);
      VertexArray<VertexId> labelled = Interleaved(kRenumbered, components);
      ASSERT_TRUE(LabelBySmallestId(NamesOf(array), labelled).ok());
      for (VertexId v = 0; v < kRenumbered; ++v) {
        ASSERT_EQ(labelled[v], labels[v % components]) << v << " of " << components;
      }
    }
  }
}

TEST(ComponentLabels, StayWhereIdsAscend) {
  VertexArray<VertexId> components = Interleaved(10, 3);
  ASSERT_TRUE(LabelBySmallestId(VertexNames(10, {}), components).ok());
  EXPECT_EQ(components, Interleaved(10, 3));
}

TEST(ComponentLabels, ARankThatIsNoneIsDamage) {
  std::vector<VertexId> ranks = ShuffledRanks();
  ranks.back() = kRenumbered;
  const RankArray array(std::move(ranks));
  const ThreadCount count(8);
  VertexArray<VertexId> components = Interleaved(kRenumbered, 3);
  const absl::Status status = LabelBySmallestId(NamesOf(array), components);
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(status.message(), HasSubstr("ranks"));
  EXPECT_THAT(status.message(), HasSubstr("number 99999 is 100000 of 100000"));
}

}  // namespace
}  // namespace fargraph

#include "compute_node/engine/vertex_map.h"

#include <omp.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "absl/algorithm/container.h"
#include "compute_node/testing/thread_count.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr VertexId kMapVertices = 10'000;

/// Every `step`-th vertex from `first` on; listed if these are few, else bits.
VertexSubset Every(VertexId step, VertexId first) {
  std::vector<VertexId> members;
  for (VertexId v = first; v < kMapVertices; v += step) members.push_back(v);
  return VertexSubset::Of(kMapVertices, members);
}

std::vector<VertexId> AscendingMembers(const VertexSubset& subset) {
  std::vector<VertexId> members;
  const Bitmap bits = subset.ToBitmap();
  bits.ForEachSet(0, bits.size(), [&](VertexId v) { members.push_back(v); });
  return members;
}

TEST(VertexMap, AUnionHasTheMembersOfBoth) {
  const std::vector<VertexSubset> disjoint = {Every(2, 0),   Every(4, 3),
                                              Every(200, 1), Every(200, 5),
                                              Every(80, 9),  VertexSubset(kMapVertices)};
  ASSERT_FALSE(disjoint[1].is_sparse());
  ASSERT_TRUE(disjoint[2].is_sparse());
  for (const VertexSubset& a : disjoint) {
    for (const VertexSubset& b : disjoint) {
      if (&a == &b) continue;
      std::vector<VertexId> members = AscendingMembers(a);
      absl::c_copy(AscendingMembers(b), std::back_inserter(members));
      const VertexSubset both = Union(a, b);
      absl::c_sort(members);
      EXPECT_EQ(AscendingMembers(both), members);
      EXPECT_EQ(both.size(), members.size());
    }
  }
}

TEST(VertexMap, WhatIsKeptOfAListStaysInItsOrder) {
  constexpr size_t kOnAllCores = size_t{1} << 14;
  for (const size_t size : {size_t{0}, size_t{7}, kOnAllCores - 1, kOnAllCores, 3 * kOnAllCores}) {
    std::vector<VertexId> members(size), expected;
    for (size_t i = 0; i < size; ++i) members[i] = static_cast<VertexId>(size - 1 - i);
    const auto keep = [](VertexId v) { return v % 7 < 3; };
    absl::c_copy_if(members, std::back_inserter(expected), keep);
    const VertexSubset subset(1 << 22, std::move(members));
    EXPECT_EQ(VertexFilter(subset, keep).members(), absl::MakeConstSpan(expected));

    Bitmap bits(subset.vertices());
    bits.Set(subset.vertices() - 1);
    Include(subset, bits);
    EXPECT_EQ(bits.Count(), size + 1);
    EXPECT_FALSE(bits.AnySet(size, subset.vertices() - 1));
  }
}

TEST(VertexMap, EveryThreadHasAsManyOfTheFirstVerticesAsOfTheLast) {
  constexpr VertexId kVertices = 8 * kVerticesInTurn;
  const ThreadCount count(2);
  std::vector<int> thread_of(kVertices);
  const auto note = [&](VertexId v) {
    thread_of[v] = omp_get_thread_num();
    return true;
  };
  const auto expect_halves_are_shared = [&] {
    const auto middle = thread_of.begin() + kVertices / 2;
    EXPECT_EQ(std::count(thread_of.begin(), middle, 1), kVertices / 4);
    EXPECT_EQ(std::count(middle, thread_of.end(), 1), kVertices / 4);
    absl::c_fill(thread_of, -1);
  };
  VertexMap(kVertices, note);
  expect_halves_are_shared();
  const VertexSubset all = VertexFilter(kVertices, note);
  expect_halves_are_shared();
  EXPECT_EQ(VertexFilter(all, note).size(), kVertices);
  expect_halves_are_shared();
}

}  // namespace
}  // namespace fargraph

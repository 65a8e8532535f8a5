#include "algorithms/building_blocks/neighbor_sums.h"

#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr VertexId kFew = 1000;         // what they hold fits into a cache
constexpr VertexId kMany = 2'000'000;   // and does not
constexpr EdgeOffset kFirstEdge = 777;  // of a run that is not a graph's first

/// Lists of these lengths of random neighbours. What these hold are small whole numbers, whose sums
/// are exact in any order.
template <typename Real>
class Lists {
 public:
  Lists(const std::vector<EdgeOffset>& lengths, VertexId vertices) : held_(vertices) {
    for (VertexId v = 0; v < vertices; ++v) held_[v] = static_cast<Real>(v % 61);
    index_.push_back(kFirstEdge);
    for (const EdgeOffset length : lengths) index_.push_back(index_.back() + length);
    std::mt19937 random(1);
    std::uniform_int_distribution<VertexId> vertex(0, vertices - 1);
    for (EdgeOffset i = kFirstEdge; i < index_.back(); ++i) edges_.push_back(vertex(random));
  }

  std::vector<Real> Expected() const {
    std::vector<Real> sums;
    for (size_t i = 0; i + 1 < index_.size(); ++i) {
      Real sum = 0;
      for (const VertexId v : List(i)) sum += held_[v];
      sums.push_back(sum);
    }
    return sums;
  }

  std::vector<Real> OfRun() const {
    std::vector<Real> sums(index_.size() - 1, -1);
    const NeighborSums<Real> sum_up(held_);
    sum_up({.first_vertex = 5, .index = index_, .edges = edges_.data()}, sums.data());
    return sums;
  }

  /// Each list in two parts.
  std::vector<Real> OfParts() const {
    std::vector<Real> sums(index_.size() - 1, 0);
    const NeighborSums<Real> sum_up(held_);
    for (size_t i = 0; i < sums.size(); ++i) {
      const absl::Span<const VertexId> list = List(i);
      sum_up(sums[i], list.first(list.size() / 3));
      sum_up(sums[i], list.subspan(list.size() / 3));
    }
    return sums;
  }

 private:
  absl::Span<const VertexId> List(size_t i) const {
    return absl::MakeConstSpan(edges_).subspan(index_[i] - kFirstEdge, index_[i + 1] - index_[i]);
  }

  std::vector<Real> held_;
  std::vector<EdgeOffset> index_;
  std::vector<VertexId> edges_;
};

template <typename Real>
class NeighborSumsTest : public testing::Test {
 protected:
  void ExpectTheSumsOfListsOf(const std::vector<EdgeOffset>& lengths) {
    for (const VertexId vertices : {kFew, kMany}) {
      SCOPED_TRACE(vertices);
      const Lists<Real> lists(lengths, vertices);
      EXPECT_EQ(lists.OfRun(), lists.Expected());
      EXPECT_EQ(lists.OfParts(), lists.Expected());
    }
  }
};

using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(NeighborSumsTest, Reals);

std::vector<EdgeOffset> RandomLengths(size_t lists, EdgeOffset most) {
  std::mt19937 random(2);
  std::uniform_int_distribution<EdgeOffset> length(0, most);
  std::vector<EdgeOffset> lengths(lists);
  for (EdgeOffset& each : lengths) each = length(random);
  return lengths;
}

TYPED_TEST(NeighborSumsTest, OfShortLists) { this->ExpectTheSumsOfListsOf(RandomLengths(999, 20)); }
TYPED_TEST(NeighborSumsTest, OfLongLists) { this->ExpectTheSumsOfListsOf(RandomLengths(99, 300)); }
TYPED_TEST(NeighborSumsTest, OfNone) { this->ExpectTheSumsOfListsOf({0, 0, 0}); }
TYPED_TEST(NeighborSumsTest, OfOne) { this->ExpectTheSumsOfListsOf({1}); }

// Of short lists, 1024 edges are gathered at once at most.
TYPED_TEST(NeighborSumsTest, OfALongListAmongShortOnes) {
  std::vector<EdgeOffset> lengths = RandomLengths(500, 9);
  lengths[100] = 1023;
  lengths[200] = 1024;
  lengths[300] = 1025;
  this->ExpectTheSumsOfListsOf(lengths);
}

TYPED_TEST(NeighborSumsTest, HowAListIsAddedUpDoesNotDependOnWhatLiesBehindIt) {
  std::vector<TypeParam> held(kMany);
  for (VertexId v = 0; v < kMany; ++v) held[v] = 1 / static_cast<TypeParam>(v + 1);
  const NeighborSums<TypeParam> sum_up(held);
  std::mt19937 random(2);
  std::vector<VertexId> edges(1000);
  for (VertexId& edge : edges) edge = random() % kMany;
  for (EdgeOffset length = 16; length < 300; length += 7) {
    const std::vector<EdgeOffset> alone = {0, length};
    const std::vector<EdgeOffset> followed = {0, length, edges.size()};
    TypeParam sum_alone = 0;
    std::vector<TypeParam> sums(2);
    sum_up({.first_vertex = 0, .index = alone, .edges = edges.data()}, &sum_alone);
    sum_up({.first_vertex = 0, .index = followed, .edges = edges.data()}, sums.data());
    EXPECT_EQ(sums[0], sum_alone) << length;
  }
}

}  // namespace
}  // namespace fargraph

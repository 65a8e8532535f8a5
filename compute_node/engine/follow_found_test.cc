#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "compute_node/engine/for_each_list.h"
#include "compute_node/testing/random_edges.h"
#include "compute_node/testing/test_graph.h"
#include "gmock/gmock.h"
#include "graph/bitmap.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

VertexSubset Sparse(const Bitmap& bits) {
  std::vector<VertexId> members;
  bits.ForEachSet(0, bits.size(), [&](size_t v) { members.push_back(static_cast<VertexId>(v)); });
  return VertexSubset(static_cast<VertexId>(bits.size()), std::move(members));
}

Bitmap BitsOf(VertexId vertices, const std::vector<VertexId>& members) {
  Bitmap bits(vertices);
  for (const VertexId v : members) bits.Set(v);
  return bits;
}

/// Walks from some vertices to all that can be reached, in the same walk where lists are at hand.
class Reaching {
 public:
  Reaching(VertexId vertices, const std::vector<VertexId>& sources)
      : reached_(BitsOf(vertices, sources)),
        next_(BitsOf(vertices, sources)),
        delivered_(vertices) {}

  /// One thread's part of a walk.
  class Follower {
   public:
    explicit Follower(Reaching& all) : all_(all) {}

    void operator()(VertexId v, absl::Span<const VertexId> neighbors, const std::byte*) {
      std::vector<VertexId>& delivered = all_.delivered_[v];
      delivered.insert(delivered.end(), neighbors.begin(), neighbors.end());
      for (const VertexId neighbor : neighbors) {
        if (all_.reached_.Set(neighbor)) found_.push_back(neighbor);
      }
    }

    absl::Span<const VertexId> TakeFound(absl::FunctionRef<bool(VertexId)> is_here) {
      here_.clear();
      for (const VertexId v : std::exchange(found_, {})) {
        if (is_here(v)) {
          here_.push_back(v);
        } else {
          all_.next_.Set(v);
        }
      }
      return here_;
    }

   private:
    Reaching& all_;
    std::vector<VertexId> found_;
    std::vector<VertexId> here_;
  };

  /// Returns the number of walks.
  int WalkToAll(Graph& graph, bool sparse) {
    int walks = 0;
    for (; next_.Count() > 0; ++walks) {
      Bitmap bits = std::exchange(next_, Bitmap(next_.size()));
      const VertexSubset active = sparse ? Sparse(bits) : VertexSubset(std::move(bits));
      const absl::Status status =
          ScanLists(graph, Direction::kOut, &active, [this] { return Follower(*this); });
      EXPECT_TRUE(status.ok()) << status;
    }
    return walks;
  }

  VertexSubset reached() const { return VertexSubset(Bitmap(reached_)); }
  const NeighborLists& delivered() const { return delivered_; }

 private:
  Bitmap reached_;
  Bitmap next_;
  NeighborLists delivered_;
};

class FollowFoundTest : public testing::TestWithParam<std::tuple<double, bool, size_t, bool>> {
 protected:
  TestGraphOptions Options(uint64_t chunk_bytes) const {
    const auto& [far_ratio, compressed, cache_slots, sparse] = GetParam();
    return {.far_ratio = far_ratio,
            .chunk_bytes = chunk_bytes,
            .cache_slots = compressed ? 0 : cache_slots,
            .compressed = compressed};
  }
  static bool sparse() { return std::get<3>(GetParam()); }
};

TEST_P(FollowFoundTest, EveryVertexThatIsReachedHasItsListDeliveredOnce) {
  for (const unsigned chunk_bytes : {64, 400, 1 << 20}) {
    const EdgeList edges = RandomEdges(chunk_bytes);
    TestGraph test_graph(kRandomVertices, edges, Options(chunk_bytes));
    Reaching reaching(kRandomVertices, {7, 300, 301, 444});
    reaching.WalkToAll(test_graph.graph(), sparse());
    const VertexSubset reached = reaching.reached();
    EXPECT_GT(reached.size(), kRandomVertices / 2);
    EXPECT_EQ(reaching.delivered(), ListsOf(kRandomVertices, edges, Direction::kOut, &reached));
  }
}

/// All local lists are at hand, of far ones those that come with the ones asked for.
TEST_P(FollowFoundTest, FewWalksAreEnoughWhereListsAreAtHand) {
  constexpr VertexId kVertices = 300;
  EdgeList ring;
  std::vector<VertexId> some;
  for (VertexId v = 0; v < kVertices; ++v) {
    ring.emplace_back(v, (v + 1) % kVertices);
    if (v % 8 == 0) some.push_back(v);
  }
  TestGraph test_graph(kVertices, ring, Options(/*chunk_bytes=*/1 << 20));
  Reaching reaching(kVertices, some);
  const int walks = reaching.WalkToAll(test_graph.graph(), sparse());
  const bool all_local = std::get<0>(GetParam()) == 0;
  EXPECT_LE(walks, all_local ? 1 : 4);  // not 8
  EXPECT_EQ(reaching.delivered(), ListsOf(kVertices, ring, Direction::kOut));
}

INSTANTIATE_TEST_SUITE_P(Placements, FollowFoundTest,
                         testing::Combine(testing::Values(0, 0.5, 1), testing::Bool(),
                                          testing::Values<size_t>(0, 1, 20), testing::Bool()));

}  // namespace
}  // namespace fargraph

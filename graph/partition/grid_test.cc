#include "graph/partition/grid.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "common/files/test_directory.h"
#include "gmock/gmock.h"
#include "graph/write_graph.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;

class GridTest : public ::testing::Test {
 protected:
  /// Writes and opens a graph.
  GraphFiles Files(uint64_t vertices, const std::vector<InputEdge>& edges) const {
    const std::string path = directory_.Path("graph");
    EXPECT_TRUE(WriteGraph(path, vertices, edges, {.reverse = false}).ok());
    return *GraphFiles::Open(path);
  }

  /// Lists that fill several blocks of the file, with a few that hold most of the edges.
  static std::vector<InputEdge> SkewedEdges(uint64_t vertices, size_t count) {
    std::mt19937_64 random(1);
    const auto skewed = [&] { return random() % (1 + random() % (1 + random() % vertices)); };
    std::vector<InputEdge> edges(count);
    for (InputEdge& edge : edges) edge = {skewed(), skewed(), 0};
    return edges;
  }

  const TestDirectory directory_;
};

/// Edges of all parts, row by row.
std::vector<EdgeOffset> CountPartEdges(const GraphFiles& files, absl::Span<const EdgeOffset> index,
                                       const Grid& grid) {
  std::vector<EdgeOffset> edges(grid.rows() * grid.columns());
  const auto count = [&](const GridPiece& piece) {
    edges[piece.row * grid.columns() + piece.column] += piece.neighbors.size();
    return absl::OkStatus();
  };
  EXPECT_TRUE(ForEachPiece(files, Direction::kOut, index, grid, count).ok());
  return edges;
}

/// The largest part, of the mean of all.
double Imbalance(const std::vector<EdgeOffset>& part_edges) {
  const auto total = std::accumulate(part_edges.begin(), part_edges.end(), EdgeOffset{0});
  return static_cast<double>(*std::max_element(part_edges.begin(), part_edges.end())) *
         static_cast<double>(part_edges.size()) / static_cast<double>(total);
}

TEST_F(GridTest, PlainCutsAreEqualRanges) {
  const Grid grid = CutByVertices(10, 2, 4);
  EXPECT_THAT(grid.row_cuts, ElementsAre(0, 5, 10));
  EXPECT_EQ(grid.rows(), 2);
  EXPECT_EQ(grid.columns(), 4);
  for (const auto& cuts : grid.column_cuts) {
    ASSERT_EQ(cuts.size(), 5);
    EXPECT_EQ(cuts.front(), 0);
    EXPECT_EQ(cuts.back(), 10);
    for (size_t c = 0; c < 4; ++c) EXPECT_LE(cuts[c + 1] - cuts[c], 3);
  }
}

TEST_F(GridTest, RowsAndColumnsOfEachRowAreCutAtEdges) {
  // Vertex 0 has six edges, all to the last three vertices; the others one each, to the first two.
  const GraphFiles files = Files(8, {{0, 5},
                                     {0, 5},
                                     {0, 6},
                                     {0, 6},
                                     {0, 7},
                                     {0, 7},
                                     {1, 0},
                                     {2, 0},
                                     {3, 0},
                                     {4, 1},
                                     {5, 1},
                                     {6, 1}});
  const auto index = *files.ReadIndex(Direction::kOut);
  const auto grid = CutByEdges(files, Direction::kOut, absl::MakeConstSpan(index), 2, 2);
  ASSERT_TRUE(grid.ok()) << grid.status();
  EXPECT_THAT(grid->row_cuts, ElementsAre(0, 1, 8));
  EXPECT_THAT(grid->column_cuts[0], ElementsAre(0, testing::AnyOf(6, 7), 8));
  EXPECT_THAT(grid->column_cuts[1], ElementsAre(0, 1, 8));
  const auto edges = CountPartEdges(files, absl::MakeConstSpan(index), *grid);
  EXPECT_THAT(edges, testing::AnyOf(ElementsAre(2, 4, 3, 3), ElementsAre(4, 2, 3, 3)));
}

TEST_F(GridTest, PartsHoldAlmostEqualEdgesHoweverSkewed) {
  const GraphFiles files = Files(20'000, SkewedEdges(20'000, 900'000));
  const auto index = *files.ReadIndex(Direction::kOut);
  const auto offsets = absl::MakeConstSpan(index);
  const Grid plain = CutByVertices(20'000, 4, 4);
  const auto balanced = CutByEdges(files, Direction::kOut, offsets, 4, 4);
  ASSERT_TRUE(balanced.ok()) << balanced.status();
  EXPECT_LT(Imbalance(CountPartEdges(files, offsets, *balanced)), 1.1);
  EXPECT_GT(Imbalance(CountPartEdges(files, offsets, plain)), 4);
}

TEST_F(GridTest, ASampleOfLargePartsIsOfAllPlaces) {
  // The first half of the lists keeps to the first eighth of the vertices; each list has one
  // neighbour in every eighth of its own.
  constexpr uint64_t kVertices = 1 << 19;
  std::vector<InputEdge> edges;
  edges.reserve(8 * kVertices);
  for (uint64_t v = 0; v < kVertices; ++v) {
    const uint64_t eighth = (v < kVertices / 2 ? kVertices / 8 : kVertices) / 8;
    for (uint64_t i = 0; i < 8; ++i) edges.push_back({v, i * eighth + v % eighth, 0});
  }
  const GraphFiles files = Files(kVertices, edges);
  const auto index = *files.ReadIndex(Direction::kOut);
  const auto offsets = absl::MakeConstSpan(index);
  const auto grid = CutByEdges(files, Direction::kOut, offsets, 1, 2);  // parts of 2^21 edges
  ASSERT_TRUE(grid.ok()) << grid.status();
  EXPECT_LT(Imbalance(CountPartEdges(files, offsets, *grid)), 1.05);
}

TEST_F(GridTest, PiecesAreAllEdgesOnceAndWithinTheirPart) {
  const GraphFiles files = Files(3000, SkewedEdges(3000, 600'000));
  const auto index = *files.ReadIndex(Direction::kOut);
  const auto offsets = absl::MakeConstSpan(index);
  for (const Grid& grid :
       {CutByVertices(3000, 3, 5), *CutByEdges(files, Direction::kOut, offsets, 5, 3)}) {
    std::vector<VertexId> neighbors;
    std::vector<EdgeOffset> degrees(3000);
    const auto visit = [&](const GridPiece& piece) {
      const auto& columns = grid.column_cuts[piece.row];
      EXPECT_GE(piece.v, grid.row_cuts[piece.row]);
      EXPECT_LT(piece.v, grid.row_cuts[piece.row + 1]);
      EXPECT_GE(piece.neighbors.front(), columns[piece.column]);
      EXPECT_LT(piece.neighbors.back(), columns[piece.column + 1]);
      neighbors.insert(neighbors.end(), piece.neighbors.begin(), piece.neighbors.end());
      degrees[piece.v] += piece.neighbors.size();
      return absl::OkStatus();
    };
    ASSERT_TRUE(ForEachPiece(files, Direction::kOut, offsets, grid, visit).ok());
    for (VertexId v = 0; v < 3000; ++v) ASSERT_EQ(degrees[v], index[v + 1] - index[v]);
    std::vector<VertexId> stored(neighbors.size());
    ASSERT_TRUE(files.Edges(Direction::kOut)
                    .Read(0, {reinterpret_cast<std::byte*>(stored.data()),
                              stored.size() * sizeof(VertexId)})
                    .ok());
    EXPECT_EQ(neighbors, stored);
  }
}

TEST_F(GridTest, AGraphMayHaveFewerVerticesThanParts) {
  const GraphFiles files = Files(2, {{0, 1}, {1, 0}});
  const auto index = *files.ReadIndex(Direction::kOut);
  const auto grid = CutByEdges(files, Direction::kOut, absl::MakeConstSpan(index), 4, 4);
  ASSERT_TRUE(grid.ok()) << grid.status();
  const auto edges = CountPartEdges(files, absl::MakeConstSpan(index), *grid);
  EXPECT_EQ(std::accumulate(edges.begin(), edges.end(), EdgeOffset{0}), 2);
}

TEST_F(GridTest, AnErrorOfTheVisitorEndsThePass) {
  const GraphFiles files = Files(2, {{0, 1}, {1, 0}});
  const auto index = *files.ReadIndex(Direction::kOut);
  int calls = 0;
  const auto fail = [&](const GridPiece&) {
    ++calls;
    return absl::CancelledError("enough");
  };
  EXPECT_TRUE(absl::IsCancelled(ForEachPiece(files, Direction::kOut, absl::MakeConstSpan(index),
                                             CutByVertices(2, 1, 1), fail)));
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace fargraph

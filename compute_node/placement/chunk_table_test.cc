#include "compute_node/placement/chunk_table.h"

#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace fargraph {
namespace {

std::vector<EdgeOffset> IndexOf(const std::vector<EdgeOffset>& degrees) {
  std::vector<EdgeOffset> index = {0};
  for (const EdgeOffset degree : degrees) index.push_back(index.back() + degree);
  return index;
}

TEST(ChunkTable, TakesAsManyWholeListsAsFit) {
  const auto index = IndexOf({3, 3, 2, 0, 5, 20, 0, 1});
  const ChunkTable table(index, /*edge_bytes=*/4, /*chunk_bytes=*/32);  // eight edges
  ASSERT_EQ(table.size(), 4u);
  EXPECT_EQ(table.FirstVertex(0), 0u);
  EXPECT_EQ(table.FirstVertex(1), 4u);  // 3 + 3 + 2 + 0 edges fit exactly
  EXPECT_EQ(table.FirstVertex(2), 5u);  // the hub stands alone
  EXPECT_EQ(table.FirstVertex(3), 6u);
  EXPECT_EQ(table.FirstVertex(4), 8u);
  EXPECT_EQ(table.ChunkBytes(2), 80u);
  EXPECT_EQ(table.TotalBytes(), 34u * 4);
}

TEST(ChunkTable, CoversEveryVertexOnceAndOnlySingleListsAreTooLong) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<EdgeOffset> degrees(1 + random() % 300);
    for (EdgeOffset& degree : degrees) degree = random() % 4 == 0 ? random() % 100 : random() % 5;
    const auto index = IndexOf(degrees);
    const uint64_t chunk_bytes = 4 * (1 + random() % 64);
    const ChunkTable table(index, 4, chunk_bytes);
    EXPECT_LE(table.size(), ChunkTable::MostChunks(table.TotalBytes(), chunk_bytes));
    EXPECT_EQ(table.FirstVertex(0), 0u);
    EXPECT_EQ(table.FirstVertex(table.size()), degrees.size());
    for (size_t chunk = 0; chunk < table.size(); ++chunk) {
      ASSERT_LT(table.FirstVertex(chunk), table.FirstVertex(chunk + 1));
      EXPECT_EQ(table.FirstEdge(chunk), index[table.FirstVertex(chunk)]);
      if (table.ChunkBytes(chunk) > chunk_bytes) {
        EXPECT_EQ(table.FirstVertex(chunk) + 1, table.FirstVertex(chunk + 1));
      }
    }
  }
}

TEST(ChunkTable, AnEmptyGraphHasNoChunks) {
  const std::vector<EdgeOffset> index = {0};
  EXPECT_EQ(ChunkTable(index, 4, 64).size(), 0u);
}

}  // namespace
}  // namespace fargraph

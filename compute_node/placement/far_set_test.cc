#include "compute_node/placement/far_set.h"

#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace fargraph {
namespace {

ChunkTable TableOf(size_t vertices, EdgeOffset largest_degree) {
  std::mt19937 random(11);
  std::vector<EdgeOffset> index = {0};
  for (size_t v = 0; v < vertices; ++v)
    index.push_back(index.back() + random() % (largest_degree + 1));
  return ChunkTable(index, 4, 256);
}

TEST(FarSet, HoldsTheAskedShareOfTheBytesAndLessThanAChunkMore) {
  const ChunkTable chunks = TableOf(20'000, 30);
  const double total = chunks.TotalBytes();
  for (const double ratio : {0.0, 0.1, 0.5, 0.8, 0.95, 1.0}) {
    const double far_bytes = FarSet(chunks, ratio).bytes();
    EXPECT_GE(far_bytes, ratio * total);
    EXPECT_LT(far_bytes, ratio * total + 256);
  }
}

TEST(FarSet, TheRestOfASetIsPackedToo) {
  const ChunkTable chunks = TableOf(3000, 200);
  const FarSet all(chunks, 0.8);
  const FarSet part(chunks, 0.3);
  const FarSet rest = all.Without(part, chunks);
  EXPECT_EQ(rest.bytes(), all.bytes() - part.bytes());
  uint64_t offset = 0;
  for (size_t chunk = 0; chunk < chunks.size(); ++chunk) {
    EXPECT_EQ(rest.Contains(chunk), all.Contains(chunk) && !part.Contains(chunk));
    if (!rest.Contains(chunk)) continue;
    EXPECT_EQ(rest.Offset(chunk), offset);
    offset += chunks.ChunkBytes(chunk);
  }
}

TEST(FarSet, EveryLargerSetContainsEverySmallerOne) {
  const ChunkTable chunks = TableOf(3000, 200);
  FarSet smaller(chunks, 0);
  for (double ratio = 0.05; ratio <= 1.0; ratio += 0.05) {
    FarSet larger(chunks, ratio);
    for (size_t chunk = 0; chunk < chunks.size(); ++chunk) {
      EXPECT_TRUE(larger.Contains(chunk) || !smaller.Contains(chunk));
    }
    smaller = larger;
  }
}

TEST(FarSet, IsSpreadOverTheArray) {
  const ChunkTable chunks = TableOf(20'000, 30);
  const FarSet far(chunks, 0.5);
  size_t far_in_first_half = 0;
  for (size_t chunk = 0; chunk < chunks.size() / 2; ++chunk)
    far_in_first_half += far.Contains(chunk);
  EXPECT_NEAR(static_cast<double>(far_in_first_half) / (0.5 * static_cast<double>(chunks.size())),
              0.5, 0.05);
}

TEST(FarSet, PacksItsChunksInOrder) {
  const ChunkTable chunks = TableOf(2000, 30);
  const FarSet far(chunks, 0.7);
  uint64_t expected = 0;
  for (size_t chunk = 0; chunk < chunks.size(); ++chunk) {
    if (!far.Contains(chunk)) continue;
    EXPECT_EQ(far.Offset(chunk), expected);
    expected += chunks.ChunkBytes(chunk);
  }
  EXPECT_EQ(far.bytes(), expected);
}

}  // namespace
}  // namespace fargraph

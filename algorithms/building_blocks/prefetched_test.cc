#include "algorithms/building_blocks/prefetched.h"

#include <numeric>
#include <vector>

#include "gtest/gtest.h"

namespace fargraph {
namespace {

TEST(Prefetched, GivesAllNeighborsInOrder) {
  const std::vector<int> values(100);
  for (size_t length = 0; length < values.size(); ++length) {
    std::vector<VertexId> neighbors(length);
    std::iota(neighbors.rbegin(), neighbors.rend(), 0);
    std::vector<VertexId> read, written;
    for (const VertexId v : PrefetchedToRead(neighbors, values.data())) read.push_back(v);
    for (const VertexId v : PrefetchedToWrite(neighbors, values.data())) written.push_back(v);
    EXPECT_EQ(read, neighbors);
    EXPECT_EQ(written, neighbors);
  }
}

}  // namespace
}  // namespace fargraph

#include "compute_node/pipeline/list_in_parts.h"

#include <vector>

#include "gtest/gtest.h"

namespace fargraph {
namespace {

TEST(ListInParts, IsTheSameForAnyNumberOfThreads) {
  const auto every_third = [](size_t begin, size_t end, std::vector<VertexId>& listed) {
    for (size_t i = begin; i < end; ++i) {
      if (i % 3 == 0) listed.push_back(static_cast<VertexId>(i));
    }
  };
  for (const size_t size : {0, 1, 2, 3, 4, 63, 64, 65, 1000}) {
    std::vector<VertexId> expected;
    every_third(0, size, expected);
    for (const int threads : {1, 2, 3, 8}) {
      for (const size_t foreseen : {size_t{0}, expected.size()}) {
        EXPECT_EQ(ListInParts(size, threads, foreseen, every_third), expected) << threads;
      }
    }
  }
}

}  // namespace
}  // namespace fargraph

#include "graph/in_parts.h"

#include <omp.h>

#include <atomic>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"

namespace fargraph {
namespace {

TEST(InParts, TogetherAreAllAndFollowEachOther) {
  for (const int threads : {1, 2, 3, 7}) {
    for (const size_t size : {0, 1, 2, 6, 7, 8, 63, 64, 65, 1000}) {
      std::vector<std::vector<size_t>> parts(threads);
      InParts(size, threads, [&](size_t begin, size_t end) {
        std::vector<size_t>& part = parts[omp_get_thread_num()];
        for (size_t i = begin; i < end; ++i) part.push_back(i);
      });
      std::vector<size_t> visited;
      for (const auto& part : parts) visited.insert(visited.end(), part.begin(), part.end());
      std::vector<size_t> expected(size);
      std::iota(expected.begin(), expected.end(), 0);
      EXPECT_EQ(visited, expected) << threads;
    }
  }
}

TEST(InParts, EachThreadOfATeamThatCallsGetsAll) {
  constexpr size_t kSize = 100;
  for (const int threads : {1, 2}) {
    std::atomic<size_t> team = 0, gone_to = 0;
#pragma omp parallel num_threads(3)
    {
      ++team;
      InParts(kSize, threads, [&](size_t begin, size_t end) { gone_to += end - begin; });
    }
    EXPECT_EQ(gone_to, team * kSize);
  }
}

}  // namespace
}  // namespace fargraph

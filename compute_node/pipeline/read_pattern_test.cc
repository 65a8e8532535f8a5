#include "compute_node/pipeline/read_pattern.h"

#include <vector>

#include "compute_node/pipeline/fetch_run.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr uint64_t kChunkBytes = 1 << 20;
constexpr uint64_t kListBytes = 10;
constexpr uint64_t kGaps[] = {0, 100, 4096, 4096, 65536, 100, 65536};

/// Lists with those gaps before them.
ReadPattern Scattered() {
  ReadPattern lists, pattern;
  for (const uint64_t gap : kGaps) lists.AddLists({.count = 1, .bytes = gap}, kListBytes);
  pattern.AddChunk(lists, kChunkBytes);
  return pattern;
}

TEST(ReadPattern, TellsWhatTheRunsOfAnyLinkFetch) {
  for (const uint64_t break_even_gap : {0, 50, 2048, 10'000, 1 << 20}) {
    std::vector<FetchRun> runs;
    uint64_t end = 0;
    for (const uint64_t gap : kGaps) {
      AddList(0, {end + gap, end + gap + kListBytes}, break_even_gap, runs);
      end += gap + kListBytes;
    }
    uint64_t bytes = 0;
    for (const FetchRun& run : runs) bytes += run.range.end - run.range.begin;
    const ReadPattern::Fetch fetch = Scattered().FetchBy(break_even_gap, kChunkBytes);
    EXPECT_EQ(fetch.bytes, bytes) << break_even_gap;
    EXPECT_EQ(fetch.requests, runs.size()) << break_even_gap;
  }
}

TEST(ReadPattern, WholeChunksMayHaveAnySize) {
  ReadPattern pattern, half;
  half.AddLists({.count = 1, .bytes = 5000}, kChunkBytes / 4);
  half.AddLists({.count = 1, .bytes = 5000}, kChunkBytes / 4);
  pattern.AddChunk(half, kChunkBytes);
  pattern.AddChunk(ReadPattern(), kChunkBytes);
  const ReadPattern::Fetch fetch = pattern.FetchBy(0, kChunkBytes / 8);
  EXPECT_EQ(fetch.bytes, kChunkBytes);
  EXPECT_EQ(fetch.requests, 8);
}

TEST(ReadPattern, Adds) {
  const ReadPattern one = Scattered();
  const ReadPattern other = {.whole_bytes = kChunkBytes};
  ReadPattern sum = one;
  sum += other;
  EXPECT_EQ(sum.FetchBy(0, kChunkBytes).requests, 8);
  EXPECT_EQ((sum - one).FetchBy(0, kChunkBytes).requests, 1);
  EXPECT_EQ((sum - other).FetchBy(0, kChunkBytes).bytes, 7 * kListBytes);
}

}  // namespace
}  // namespace fargraph

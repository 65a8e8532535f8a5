#include "compute_node/pipeline/planner.h"

#include <random>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

std::vector<std::pair<uint64_t, uint64_t>> Plan(Planner& planner, uint64_t piece_bytes) {
  std::vector<std::pair<uint64_t, uint64_t>> requests;
  for (const ByteRange& range : planner.Take(piece_bytes))
    requests.emplace_back(range.begin, range.end);
  return requests;
}

TEST(Planner, RoundsToBlocksAndDeduplicates) {
  Planner planner({.block_bytes = 512, .largest_request_bytes = 1 << 20}, 65536);
  planner.Mark(5000, 5004);
  planner.Mark(700, 800);
  planner.Mark(5010, 5200);  // same blocks again, and the next
  EXPECT_THAT(Plan(planner, 65536),
              testing::ElementsAre(std::pair(512, 1024), std::pair(4608, 5632)));
  EXPECT_THAT(Plan(planner, 65536), testing::IsEmpty()) << "taking clears the marks";
}

TEST(Planner, MergesOnlyBelowTheBreakEvenGap) {
  Planner planner(
      {.block_bytes = 512, .break_even_gap_bytes = 1024, .largest_request_bytes = 1 << 20}, 65536);
  planner.Mark(0, 1);
  planner.Mark(1024, 1025);         // a gap of 512: merged
  planner.Mark(1536 + 1024, 2561);  // a gap of 1024: not below
  EXPECT_THAT(Plan(planner, 65536),
              testing::ElementsAre(std::pair(0, 1536), std::pair(2560, 3072)));
}

TEST(Planner, SplitsAtTheLargestRequestAndEndsWithThePiece) {
  Planner planner({.block_bytes = 512, .largest_request_bytes = 4096}, 65536);
  planner.Mark(0, 10'000);
  EXPECT_THAT(Plan(planner, 10'000), testing::ElementsAre(std::pair(0, 4096), std::pair(4096, 8192),
                                                          std::pair(8192, 10'000)));
}

TEST(Planner, CoversWhatWasAskedAndLeavesOutWideGaps) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 300; ++trial) {
    const uint64_t piece = 1 + random() % 200'000;
    const RequestShape shape = {.block_bytes = uint64_t{1} << (random() % 10),
                                .break_even_gap_bytes = random() % 4000,
                                .largest_request_bytes = uint64_t{1} << (10 + random() % 8)};
    Planner planner(shape, piece);
    std::vector<char> asked(piece);
    for (unsigned i = 0; i < 1 + random() % 20; ++i) {
      const uint64_t begin = random() % piece;
      const uint64_t end = begin + 1 + random() % std::min<uint64_t>(piece - begin, 3000);
      planner.Mark(begin, end);
      std::fill(asked.begin() + begin, asked.begin() + end, 1);
    }
    uint64_t previous_end = 0;
    uint64_t covered = 0;
    for (const ByteRange& range : planner.Take(piece)) {
      ASSERT_LE(previous_end, range.begin);
      ASSERT_LT(range.begin, range.end);
      ASSERT_LE(range.end, piece);
      ASSERT_LE(range.end - range.begin, shape.largest_request_bytes);
      for (uint64_t byte = range.begin; byte < range.end; ++byte) covered += asked[byte];
      uint64_t unasked = 0;
      for (uint64_t byte = range.begin; byte < range.end; ++byte) {
        unasked = asked[byte] ? 0 : unasked + 1;
        ASSERT_LT(unasked, shape.break_even_gap_bytes + 2 * shape.block_bytes);
      }
      previous_end = range.end;
    }
    EXPECT_EQ(covered, static_cast<uint64_t>(std::count(asked.begin(), asked.end(), 1)));
  }
}

}  // namespace
}  // namespace fargraph

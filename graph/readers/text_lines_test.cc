#include "graph/readers/text_lines.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;

std::string RandomLines(uint64_t lines, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string text;
  for (uint64_t i = 0; i < lines; ++i) text += std::string(random() % 9, 'x') + '\n';
  return text;
}

std::string FirstOf(const std::string& text, uint64_t lines) {
  size_t end = 0;
  for (uint64_t i = 0; i < lines && end < text.size(); ++i) end = text.find('\n', end) + 1;
  return text.substr(0, end);
}

TEST(CutLines, GivesTheFirstLinesWholeAndInOrder) {
  const std::string text = RandomLines(60, 1);
  for (size_t piece_bytes = 1; piece_bytes < text.size() + 3; ++piece_bytes) {
    for (const uint64_t max_lines : {0, 1, 17, 59, 60, 1000}) {
      std::string whole;
      uint64_t lines = 0;
      for (const LinePiece& piece : CutLines(text, max_lines, piece_bytes)) {
        EXPECT_EQ(piece.first_line, lines);
        EXPECT_EQ(piece.lines, std::count(piece.text.begin(), piece.text.end(), '\n'));
        EXPECT_TRUE(piece.text.empty() || piece.text.back() == '\n');
        whole += std::string(piece.text);
        lines += piece.lines;
      }
      ASSERT_EQ(whole, FirstOf(text, max_lines)) << "pieces of " << piece_bytes;
    }
  }
}

TEST(CutLines, PiecesAreAboutAsLongAsAskedFor) {
  const std::string text = RandomLines(10000, 2);
  const std::vector<LinePiece> pieces = CutLines(text, 10000, 1000);
  EXPECT_EQ(pieces.size(), (text.size() + 999) / 1000);
  for (const LinePiece& piece : pieces) EXPECT_LT(piece.text.size(), 1010U);
}

TEST(CutLines, ALineMayBeLongerThanManyPieces) {
  const std::string line = std::string(100, 'x') + "\n";
  const std::string text = line + line;
  uint64_t empty = 0;
  for (const LinePiece& piece : CutLines(text, 2, 8)) {
    EXPECT_THAT(piece.text, testing::AnyOf("", line));
    empty += piece.text.empty() ? 1 : 0;
  }
  EXPECT_EQ(empty, (text.size() + 7) / 8 - 2);
}

TEST(CutLines, OfNoTextAreNone) { EXPECT_TRUE(CutLines("", 5, 8).empty()); }

TEST(VisitDataLines, SkipsBlankLinesAndCommentsAndEndsAtFalse) {
  std::vector<std::string> lines;
  const auto visit = [&](absl::string_view line) {
    lines.emplace_back(line);
    return line != "3 4\r";
  };
  EXPECT_TRUE(VisitDataLines("# c\n1 2 # d\n\n \t\r\n  5\n", visit));
  EXPECT_THAT(lines, ElementsAre("1 2 # d", "  5"));
  lines.clear();
  EXPECT_FALSE(VisitDataLines("1 2\n3 4\r\n5 6\n", visit));
  EXPECT_THAT(lines, ElementsAre("1 2", "3 4\r"));
}

}  // namespace
}  // namespace fargraph

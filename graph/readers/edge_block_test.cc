#include "graph/readers/edge_block.h"

#include <omp.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "graph/readers/edge_line.h"
#include "graph/readers/format_writers_test_util.h"
#include "graph/readers/reader_test_util.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::HasSubstr;

bool ParsePlainEdge(absl::string_view line, InputEdge& edge) {
  return ParseEdgeLine(line, WeightType::kNone, edge);
}

/// A line that holds an edge, a comment or blanks.
std::string RandomLine(std::mt19937_64& random) {
  const std::string end = random() % 4 == 0 ? "\r\n" : "\n";
  switch (random() % 8) {
    case 0:
      return absl::StrCat(random() % 2 == 0 ? "# 1 2 " : "\t% ", std::string(random() % 50, 'c'),
                          end);
    case 1:
      return std::string(random() % 4, ' ') + end;
    default:
      return absl::StrCat(random() % 3 == 0 ? " " : "", random() % 100000, "\t",
                          random() >> random() % 64, random() % 5 == 0 ? " # 3" : "", end);
  }
}

std::string RandomText(uint64_t lines, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string text;
  for (uint64_t i = 0; i < lines; ++i) text += RandomLine(random);
  return text;
}

std::vector<InputEdge> EdgesOf(const std::string& text) {
  std::vector<InputEdge> edges;
  VisitDataLines(
      text, [&](absl::string_view line) { return ParsePlainEdge(line, edges.emplace_back()); });
  return edges;
}

TEST(ParseEdgeLines, GivesEdgesInTheirOrderHoweverTheTextIsCut) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const std::string text = RandomText(1 + 3 * seed, seed);
    const std::vector<InputEdge> expected = EdgesOf(text);
    for (size_t piece_bytes = 1; piece_bytes <= text.size(); ++piece_bytes) {
      std::vector<InputEdge> edges(1 + 3 * seed);
      const auto count = ParseEdgeLines(CutLines(text, edges.size(), piece_bytes),
                                        absl::MakeSpan(edges), ParsePlainEdge);
      ASSERT_TRUE(count.has_value());
      edges.resize(*count);
      ASSERT_EQ(edges, expected) << "pieces of " << piece_bytes;
    }
  }
}

TEST(ParseEdgeLines, RefusesABadLineAnywhere) {
  constexpr uint64_t kLines = 20;
  for (uint64_t bad = 0; bad < kLines; ++bad) {
    const std::string text =
        absl::StrCat(RandomText(bad, bad), "1 x\n", RandomText(kLines - bad - 1, bad + 100));
    for (const size_t piece_bytes : {1, 10, 60, 1000}) {
      std::vector<InputEdge> edges(kLines);
      const auto parse_first = [&](uint64_t lines) {
        return ParseEdgeLines(CutLines(text, lines, piece_bytes), absl::MakeSpan(edges),
                              ParsePlainEdge);
      };
      EXPECT_EQ(parse_first(kLines), std::nullopt);
      EXPECT_EQ(parse_first(bad + 1), std::nullopt);
      EXPECT_NE(parse_first(bad), std::nullopt);
    }
  }
}

/// Gives a text, then an error, and then goes on as if there had been none.
class FailingOnceInput final : public InputFile {
 public:
  explicit FailingOnceInput(std::string text) : text_(std::move(text)) {}

  const std::string& name() const override { return name_; }
  absl::StatusOr<uint64_t> Size() const override { return 2 * text_.size(); }
  size_t block_bytes() const override { return kMiB; }

  absl::StatusOr<std::unique_ptr<ByteStream>> Open(uint64_t offset) const override {
    return std::make_unique<Stream>(absl::string_view(text_).substr(offset), text_);
  }

 private:
  class Stream final : public ByteStream {
   public:
    Stream(absl::string_view before, absl::string_view behind) : before_(before), behind_(behind) {}

    absl::StatusOr<size_t> Read(absl::Span<char> out) override {
      if (before_.empty() && !std::exchange(failed_, true)) {
        return absl::DataLossError("the disk is damaged");
      }
      absl::string_view& rest = failed_ ? behind_ : before_;
      const size_t bytes = rest.copy(out.data(), out.size());
      rest.remove_prefix(bytes);
      return bytes;
    }

   private:
    absl::string_view before_;
    absl::string_view behind_;
    bool failed_ = false;
  };

  std::string name_ = "test.graph";
  std::string text_;
};

/// Reads texts by a team and line by line.
class TeamOfReaders : public testing::Test {
 protected:
  /// Spans of so many edges are worth a team, if there is text for them.
  static constexpr size_t kTeamEdges = size_t{1} << 14;

  TeamOfReaders() { omp_set_num_threads(4); }
  ~TeamOfReaders() override { omp_set_num_threads(threads_); }

  /// Expects that both give the same edges, or the same error, and returns what the team gives.
  static absl::StatusOr<InputContents> ReadBothWays(const std::string& bytes,
                                                    size_t block_bytes = kMiB,
                                                    size_t team_edges = kTeamEdges) {
    const auto expected = ReadBytes(bytes, block_bytes, 1000);
    auto contents = ReadBytes(bytes, block_bytes, team_edges);
    EXPECT_EQ(contents.status(), expected.status());
    if (contents.ok() && expected.ok()) {
      EXPECT_EQ(contents->properties.weight_type, expected->properties.weight_type);
      EXPECT_TRUE(contents->edges == expected->edges);
    }
    return contents;
  }

 private:
  const int threads_ = omp_get_max_threads();
};

TEST_F(TeamOfReaders, GivesTheEdgesOfTheFile) {
  const std::string text = RandomText(60000, 1);
  const std::vector<InputEdge> expected = EdgesOf(text);
  for (const std::string& bytes : {text, Gzip(text), Zstd(text)}) {
    for (const size_t block_bytes : {size_t{999}, size_t{kMiB}}) {
      const auto contents = ReadBothWays(bytes, block_bytes);
      ASSERT_TRUE(contents.ok()) << contents.status();
      EXPECT_TRUE(contents->edges == expected);
    }
  }
}

TEST_F(TeamOfReaders, TheLastLineNeedsNoLineFeed) {
  const auto contents = ReadBothWays("\xEF\xBB\xBF" + RandomText(40000, 2) + "70 71");
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_EQ(contents->edges.back(), (InputEdge{70, 71, 0}));
}

TEST_F(TeamOfReaders, ReadsOnBehindManyLinesWithoutEdges) {
  const std::string lines = RandomText(40000, 3);
  std::string comments;
  while (comments.size() < 2 * kMiB) comments += "# no edge\n\n";
  const auto contents = ReadBothWays(lines + comments + lines);
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_EQ(contents->edges.size(), 2 * EdgesOf(lines).size());
}

TEST_F(TeamOfReaders, TheFirstBadLineIsTheError) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 20; ++round) {
    const uint64_t before = 1 + random() % 60000;
    const std::string bad = random() % 2 == 0 ? "1 2 3\n" : "8 x\n";
    const std::string text =
        absl::StrCat("5 6\n", RandomText(before, round), bad, RandomText(random() % 3000, round),
                     "7 y\n", RandomText(random() % 60000, round));
    const auto contents = ReadBothWays(round % 4 == 0 ? Zstd(text) : text);
    EXPECT_THAT(contents.status().ToString(), HasSubstr(absl::StrCat("line ", before + 2, ": ")));
  }
}

TEST_F(TeamOfReaders, ABadLineIsTheErrorIfTheFileIsTruncatedBehindIt) {
  const std::string text = RandomText(30000, 5) + "8 x\n" + RandomText(90000, 6);
  for (const std::string& whole : {Gzip(text), Zstd(text)}) {
    const auto contents = ReadBothWays(whole.substr(0, whole.size() - 100));
    EXPECT_THAT(contents.status().ToString(), HasSubstr("line 30001: "));
  }
}

TEST_F(TeamOfReaders, AnErrorOfTheFileComesBehindTheEdgesInFrontOfIt) {
  const std::string text = RandomText(30000, 8);
  const auto reader = OpenEdgeReader(std::make_shared<FailingOnceInput>(text));
  ASSERT_TRUE(reader.ok()) << reader.status();
  std::vector<InputEdge> edges(60000);
  EXPECT_EQ((*reader)->Read(absl::MakeSpan(edges)).value(), EdgesOf(text).size());
  EXPECT_EQ((*reader)->Read(absl::MakeSpan(edges)).status().message(), "the disk is damaged");
}

TEST_F(TeamOfReaders, LongCommentsAreSkippedAndOtherLongLinesRefused) {
  const std::string lines = RandomText(40000, 7);
  const std::string long_text(2 * kMiB, '7');
  // Of the text for so many edges, such a line is a part, or the other way round.
  for (const size_t team_edges : {kTeamEdges, 16 * kTeamEdges}) {
    for (const std::string& line : {"#" + long_text, std::string(2 * kMiB, ' ')}) {
      const std::string text = absl::StrCat(lines, line, "\n", lines);
      EXPECT_TRUE(ReadBothWays(text, kMiB, team_edges).ok());
    }
    for (const std::string& line : {long_text, "1 2 #" + long_text}) {
      const std::string text = absl::StrCat(lines, line, "\n", lines);
      EXPECT_THAT(ReadBothWays(text, kMiB, team_edges).status().ToString(),
                  HasSubstr("line 40001: it is longer than 1 MiB"));
    }
  }
}

TEST_F(TeamOfReaders, TheTypeOfTheWeightsIsThatOfTheWholeFile) {
  std::string lines;
  for (int i = 0; i < 200000; ++i) absl::StrAppend(&lines, i, " 7 ", i % 100, "\n");
  for (const std::string end : {"", "1 2 5", "# 1.5\n"}) {
    const auto contents = ReadBothWays(lines + end);
    ASSERT_TRUE(contents.ok()) << contents.status();
    EXPECT_EQ(contents->properties.weight_type, WeightType::kInt32);
  }
  for (const std::string& text : {lines + "1 2 5.5", lines + "1 2 5.5\n",
                                  lines + "1 2 5e3\n" + lines, "1 2 5\n1 2 .5\n" + lines}) {
    const auto contents = ReadBothWays(text);
    ASSERT_TRUE(contents.ok()) << contents.status();
    EXPECT_EQ(contents->properties.weight_type, WeightType::kFloat32);
  }
  EXPECT_THAT(ReadBothWays(lines + "1 2 5 6\n" + lines + "1 2 5.5").status().ToString(),
              HasSubstr("line 200001: it has 4 columns"));
}

std::string MatrixOf(uint64_t declared, uint64_t entries, const std::string& last_lines) {
  std::string text =
      absl::StrCat("%%MatrixMarket matrix coordinate pattern general\n9 9 ", declared, "\n");
  for (uint64_t i = 0; i < entries; ++i) absl::StrAppend(&text, 1 + i % 9, " ", 1 + i % 7, "\n");
  return text + last_lines;
}

TEST_F(TeamOfReaders, AMatrixHasAsManyEntriesAsItDeclares) {
  for (const uint64_t entries : {16384, 16385, 50000}) {
    EXPECT_TRUE(ReadBothWays(MatrixOf(entries, entries, "% end\n\n")).ok());
    EXPECT_THAT(ReadBothWays(MatrixOf(entries + 1, entries, "% end\n")).status().ToString(),
                HasSubstr(absl::StrCat("line ", entries + 3, ": the file ends after ", entries)));
    EXPECT_THAT(
        ReadBothWays(MatrixOf(entries, entries, "% end\n3 3\n")).status().ToString(),
        HasSubstr(absl::StrCat("line ", entries + 4, ": the file goes on after ", entries)));
    EXPECT_THAT(ReadBothWays(MatrixOf(entries + 2, entries, "3 10\nx\n")).status().ToString(),
                HasSubstr(absl::StrCat("line ", entries + 3, ": row or column 10 is not among")));
  }
}

}  // namespace
}  // namespace fargraph

#include "graph/readers/snap_reader.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "graph/readers/reader_test_util.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(SnapReader, ReadsEdgesBetweenCommentsAndBlankLines) {
  const auto contents = ReadBytes(
      "# Directed graph\r\n"
      "% another kind of comment\n"
      "\n"
      "30\t1412\r\n"
      "  7 8  # behind an edge\n"
      "   # indented\n"
      "9,10\n"
      "\t\n"
      "11 12");
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_EQ(contents->properties.format, "SNAP text");
  EXPECT_EQ(contents->properties.weight_type, WeightType::kNone);
  EXPECT_FALSE(contents->properties.declares_vertices);
  EXPECT_THAT(contents->edges, ElementsAre(InputEdge{30, 1412, 0}, InputEdge{7, 8, 0},
                                           InputEdge{9, 10, 0}, InputEdge{11, 12, 0}));
}

TEST(SnapReader, ReadsIdsOfAllOf64Bits) {
  const auto contents =
      ReadBytes("18446744073709551615 0\n9999999999999999999 10000000000000000000\n");
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_THAT(contents->edges,
              ElementsAre(InputEdge{18446744073709551615U, 0, 0},
                          InputEdge{9999999999999999999U, 10000000000000000000U, 0}));
}

TEST(SnapReader, WholeWeightsAreIntegers) {
  const auto contents = ReadBytes("1 2 803\n2 3 -7\n3 4 +2147483647\n");
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_EQ(contents->properties.weight_type, WeightType::kInt32);
  EXPECT_THAT(contents->edges,
              ElementsAre(IntEdge(1, 2, 803), IntEdge(2, 3, -7), IntEdge(3, 4, 2147483647)));
}

TEST(SnapReader, OneWeightWithAPointMakesAllFloats) {
  const auto contents = ReadBytes("1 2 803\n2 3 4\n3 4 0.5\n4 5 1e3\n");
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_EQ(contents->properties.weight_type, WeightType::kFloat32);
  EXPECT_THAT(contents->edges, ElementsAre(FloatEdge(1, 2, 803), FloatEdge(2, 3, 4),
                                           FloatEdge(3, 4, 0.5), FloatEdge(4, 5, 1000)));
}

TEST(SnapReader, WeightsThatAreTooSmallAreRounded) {
  const auto contents = ReadBytes("1 2 1e-60\n1 2 -1e-400\n1 2 +1e-60\n1 2 1e-45\n1 2 1e-40\n");
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_THAT(contents->edges,
              ElementsAre(FloatEdge(1, 2, 0), FloatEdge(1, 2, -0.0F), FloatEdge(1, 2, 0),
                          FloatEdge(1, 2, 1e-45F), FloatEdge(1, 2, 1e-40F)));
}

TEST(SnapReader, CommentsAloneAreNoGraph) {
  const absl::Status status = ReadBytes("# nothing\n\n").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
  EXPECT_THAT(status.ToString(), HasSubstr("it has no edges, only comments or empty lines"));
}

TEST(SnapReader, SkipsAByteOrderMark) {
  const auto contents = ReadBytes(
      "\xEF\xBB\xBF"
      "1 2\n");
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_THAT(contents->edges, ElementsAre(InputEdge{1, 2, 0}));
}

TEST(SnapReader, ACommentMayBeLongerThanAnyBuffer) {
  const auto contents =
      ReadBytes("1 2\n# " + std::string(3 * kMiB, 'x') + "\n3 4\n#" + std::string(3 * kMiB, 'y'));
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_THAT(contents->edges, ElementsAre(InputEdge{1, 2, 0}, InputEdge{3, 4, 0}));
}

struct BadText {
  std::string text;
  std::string where;
  std::string problem;
};

void PrintTo(const BadText& bad, std::ostream* out) { *out << bad.problem; }

class SnapReaderRefuses : public testing::TestWithParam<BadText> {};

TEST_P(SnapReaderRefuses, WithLineAndReason) {
  const absl::Status status = ReadBytes(GetParam().text).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
  EXPECT_THAT(status.ToString(), HasSubstr("'test.graph', " + GetParam().where + ": "));
  EXPECT_THAT(status.ToString(), HasSubstr(GetParam().problem));
}

INSTANTIATE_TEST_SUITE_P(
    All, SnapReaderRefuses,
    testing::Values(
        BadText{"import os\n", "line 1", "the vertex id 'import' is not a whole number"},
        BadText{"# c\n1 2\n\n3 -4\n", "line 4", "the vertex id '-4' is negative"},
        BadText{"1 2\n1.5 2\n", "line 2", "the vertex id '1.5' is not a whole number"},
        BadText{"1 2\n18446744073709551616 1\n", "line 2", "does not fit 64 bits"},
        BadText{"1 2\n99999999999999999999999 1\n", "line 2", "does not fit 64 bits"},
        BadText{"1 2\n3\n", "line 2", "it has 1 column where an edge has 2"},
        BadText{"1 2\n3 4 5\n", "line 2", "it has 3 columns where an edge has 2"},
        BadText{"1 2 3\n3 4\n", "line 2", "it has 2 columns where an edge has 3"},
        BadText{"1 2 3 4\n", "line 1", "it has 4 columns where an edge has 3"},
        BadText{"1 2 3\n1 2 3 4\n", "line 2", "it has 4 columns where an edge has 3"},
        BadText{"1 2 x\n", "line 1", "the weight 'x' is not a finite number"},
        BadText{"1 2 3\n1 2 nan\n", "line 2", "the weight 'nan' is not a finite number"},
        BadText{"1 2 1.5\n1 2 inf\n", "line 2", "the weight 'inf' is not a finite number"},
        BadText{"1 2 1.5\n1 2 1e99\n", "line 2", "the weight '1e99' does not fit a 32-bit float"},
        BadText{"1 2 -1e400\n", "line 1", "the weight '-1e400' does not fit a 32-bit float"},
        BadText{"1 2 2147483648\n", "line 1", "does not fit a 32-bit integer"},
        BadText{"1 2 3\n1 2 --3\n", "line 2", "the weight '--3' is not a whole number"},
        BadText{"1 2\n3 4\n5 \x01z\n", "line 3", "the vertex id '\\x01z'"},
        BadText{std::string("1 2\n3 4\0\n", 9), "line 2", "the vertex id '4\\x00'"},
        BadText{"1 2\n" + std::string(3 * kMiB, '7') + "\n", "line 2", "longer than 1 MiB"}));

}  // namespace
}  // namespace fargraph

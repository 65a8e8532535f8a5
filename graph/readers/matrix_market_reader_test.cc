#include "graph/readers/matrix_market_reader.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "graph/readers/reader_test_util.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(MatrixMarketReader, ReadsAPatternAndDeclaresVerticesFrom1) {
  const auto contents = ReadBytes(
      "%%MatrixMarket matrix coordinate pattern general\n"
      "% a comment\n"
      "\n"
      "5 5 2\n"
      "1 5\n"
      "% another\n"
      "3 3\n");
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_EQ(contents->properties.format, "MatrixMarket");
  EXPECT_EQ(contents->properties.weight_type, WeightType::kNone);
  EXPECT_TRUE(contents->properties.declares_vertices);
  EXPECT_EQ(contents->properties.declared_vertices, 5U);
  EXPECT_EQ(contents->properties.first_id, 1U);
  EXPECT_FALSE(contents->properties.symmetric);
  EXPECT_THAT(contents->edges, ElementsAre(InputEdge{1, 5, 0}, InputEdge{3, 3, 0}));
}

TEST(MatrixMarketReader, ReadsSymmetricIntegers) {
  const auto contents = ReadBytes(
      "%%matrixmarket MATRIX Coordinate Integer Symmetric\r\n3 3 2\r\n2 1 -4\r\n3 1 +9\r\n");
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_EQ(contents->properties.weight_type, WeightType::kInt32);
  EXPECT_TRUE(contents->properties.symmetric);
  EXPECT_THAT(contents->edges, ElementsAre(IntEdge(2, 1, -4), IntEdge(3, 1, 9)));
}

TEST(MatrixMarketReader, RealValuesAreFloatsEvenIfWhole) {
  const auto contents =
      ReadBytes("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 7\n2 1 -1.5e-3\n");
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_EQ(contents->properties.weight_type, WeightType::kFloat32);
  EXPECT_THAT(contents->edges, ElementsAre(FloatEdge(1, 2, 7), FloatEdge(2, 1, -1.5e-3F)));
}

struct BadMatrix {
  std::string banner_words;
  std::string rest;
  std::string where;
  std::string problem;
};

void PrintTo(const BadMatrix& bad, std::ostream* out) { *out << bad.problem; }

class MatrixMarketReaderRefuses : public testing::TestWithParam<BadMatrix> {};

TEST_P(MatrixMarketReaderRefuses, WithLineAndReason) {
  const BadMatrix& bad = GetParam();
  const absl::Status status =
      ReadBytes("%%MatrixMarket " + bad.banner_words + "\n" + bad.rest).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
  EXPECT_THAT(status.ToString(), HasSubstr("'test.graph', " + bad.where + ": "));
  EXPECT_THAT(status.ToString(), HasSubstr(bad.problem));
}

constexpr char kPattern[] = "matrix coordinate pattern general";
constexpr char kInteger[] = "matrix coordinate integer general";

INSTANTIATE_TEST_SUITE_P(
    All, MatrixMarketReaderRefuses,
    testing::Values(
        BadMatrix{"matrix array real general", "1 1\n1\n", "line 1", "not 'matrix' 'array'"},
        BadMatrix{"vector coordinate real general", "", "line 1", "not 'vector' 'coordinate'"},
        BadMatrix{"matrix coordinate complex general", "", "line 1", "not 'complex'"},
        BadMatrix{"matrix coordinate complex hermitian", "", "line 1", "not 'complex'"},
        BadMatrix{"matrix coordinate real hermitian", "", "line 1", "not 'hermitian'"},
        BadMatrix{"matrix coordinate real skew-symmetric", "", "line 1", "not 'skew-symmetric'"},
        BadMatrix{"matrix coordinate", "", "line 1", "the first line must be"},
        BadMatrix{kPattern, "% c\n", "line 2", "ends before the numbers of rows"},
        BadMatrix{kPattern, "% c\n3 3\n", "line 3", "must state the numbers of rows"},
        BadMatrix{kPattern, "3 x 1\n", "line 2", "must state the numbers of rows"},
        BadMatrix{kPattern, "3 4 1\n1 1\n", "line 2", "has 3 rows and 4 columns"},
        BadMatrix{kPattern, "3 3 2\n1 1\n", "line 3", "ends after 1 of the 2 entries"},
        BadMatrix{kPattern, "3 3 1\n1 1\n1 2\n", "line 4", "goes on after 1 of the 1 entries"},
        BadMatrix{kPattern, "3 3 1\n1 4\n", "line 3", "column 4 is not among the declared 1 to 3"},
        BadMatrix{kPattern, "3 3 1\n0 1\n", "line 3", "column 0 is not among the declared 1 to 3"},
        BadMatrix{kPattern, "3 3 1\n1 -1\n", "line 3", "'-1' is negative"},
        BadMatrix{kPattern, "3 3 1\n1 1 5\n", "line 3", "it has 3 columns where an edge has 2"},
        BadMatrix{kInteger, "3 3 1\n1 1\n", "line 3", "it has 2 columns where an edge has 3"},
        BadMatrix{kInteger, "3 3 1\n1 1 2.5\n", "line 3", "'2.5' is not a whole number"}));

}  // namespace
}  // namespace fargraph

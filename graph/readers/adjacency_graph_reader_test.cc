#include "graph/readers/adjacency_graph_reader.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "graph/readers/reader_test_util.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(AdjacencyGraphReader, ReadsListsAndDeclaresVertices) {
  const auto contents = ReadBytes("AdjacencyGraph\n4\n3\n0\n2\n2\n3\n1\n3\n0\n");
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_EQ(contents->properties.format, "AdjacencyGraph");
  EXPECT_EQ(contents->properties.weight_type, WeightType::kNone);
  EXPECT_TRUE(contents->properties.declares_vertices);
  EXPECT_EQ(contents->properties.declared_vertices, 4U);
  EXPECT_THAT(contents->edges,
              ElementsAre(InputEdge{0, 1, 0}, InputEdge{0, 3, 0}, InputEdge{2, 0, 0}));
}

TEST(AdjacencyGraphReader, ReadsWeights) {
  const auto contents = ReadBytes("WeightedAdjacencyGraph\r\n2 3\r\n0 1\r\n1 0 1\r\n5 -6 7");
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_EQ(contents->properties.format, "WeightedAdjacencyGraph");
  EXPECT_EQ(contents->properties.weight_type, WeightType::kInt32);
  EXPECT_THAT(contents->edges, ElementsAre(IntEdge(0, 1, 5), IntEdge(1, 0, -6), IntEdge(1, 1, 7)));
}

TEST(AdjacencyGraphReader, OneWeightWithAPointMakesAllFloats) {
  const auto contents = ReadBytes("WeightedAdjacencyGraph 2 2 0 1 1 0 5 0.25");
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_EQ(contents->properties.weight_type, WeightType::kFloat32);
  EXPECT_THAT(contents->edges, ElementsAre(FloatEdge(0, 1, 5), FloatEdge(1, 0, 0.25)));
}

TEST(AdjacencyGraphReader, ReadsGraphsWithoutEdgesOrVertices) {
  for (const char* text : {"AdjacencyGraph\n0\n0\n", "AdjacencyGraph\n2\n0\n0\n0\n"}) {
    const auto contents = ReadBytes(text);
    ASSERT_TRUE(contents.ok()) << contents.status();
    EXPECT_THAT(contents->edges, IsEmpty());
  }
}

struct BadGraph {
  std::string text;
  std::string where;
  std::string problem;
};

void PrintTo(const BadGraph& bad, std::ostream* out) { *out << bad.problem; }

class AdjacencyGraphReaderRefuses : public testing::TestWithParam<BadGraph> {};

TEST_P(AdjacencyGraphReaderRefuses, WithLineAndReason) {
  const absl::Status status = ReadBytes(GetParam().text).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
  EXPECT_THAT(status.ToString(), HasSubstr("'test.graph', " + GetParam().where + ": "));
  EXPECT_THAT(status.ToString(), HasSubstr(GetParam().problem));
}

INSTANTIATE_TEST_SUITE_P(
    All, AdjacencyGraphReaderRefuses,
    testing::Values(
        BadGraph{"AdjacencyGraph\n", "line 2", "ends before the number of vertices"},
        BadGraph{"AdjacencyGraph\n3\n", "line 3", "ends before the number of edges"},
        BadGraph{"AdjacencyGraph\n0\n7\n", "line 3", "7 edges of no vertices"},
        BadGraph{"AdjacencyGraph\n-3\n1\n", "line 2", "'-3' stands for the number of vertices"},
        BadGraph{"AdjacencyGraph\n2\n1\n0\n", "line 5", "ends before an offset"},
        BadGraph{"AdjacencyGraph\n18446744073709551615\n1\n0\n", "line 5", "before an offset"},
        BadGraph{"AdjacencyGraph\n2\n1\n0\n1\n", "line 6", "ends before the target of an edge"},
        BadGraph{"AdjacencyGraph\n2\n1\n1\n1\n0\n", "line 4", "vertex 0 begins at offset 1"},
        BadGraph{"AdjacencyGraph\n3\n2\n0\n2\n1\n0\n0\n", "line 6",
                 "the list of vertex 1 reaches from offset 2 to 1"},
        BadGraph{"AdjacencyGraph\n2\n1\n0\n9\n0\n", "line 5",
                 "the list of vertex 0 reaches from offset 0 to 9"},
        BadGraph{"AdjacencyGraph\n2\n1\n0\n1\n2\n", "line 6", "the target 2 of an edge is not"},
        BadGraph{"AdjacencyGraph\n2\n1\n0\n1\nx\n", "line 6", "'x' stands for the target"},
        BadGraph{"AdjacencyGraph\n2\n1\n0\n1\n1#x\n", "line 6", "'1#x' stands for the target"},
        BadGraph{"AdjacencyGraph\n2%\n1\n0\n1\n1\n", "line 2", "'2%' stands for the number"},
        BadGraph{"AdjacencyGraph\n2\n1\n0\n1\n1\n\n9\n", "line 8", "the file goes on with '9'"},
        BadGraph{"WeightedAdjacencyGraph\n2\n1\n0\n1\n1\n", "line 7", "the weight of an edge"},
        BadGraph{"WeightedAdjacencyGraph\n1\n1\n0\n0\nz\n", "line 6", "the weight 'z' is not"},
        BadGraph{"WeightedAdjacencyGraph\n1\n1\n0\n0\n3\n4\n", "line 7", "goes on with '4'"},
        BadGraph{"AdjacencyGraph\n2\n1\n0\n" + std::string(100000, '1'), "line 5",
                 "a word of thousands of characters"}));

}  // namespace
}  // namespace fargraph

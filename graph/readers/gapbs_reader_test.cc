#include "graph/readers/gapbs_reader.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "graph/readers/format_writers_test_util.h"
#include "graph/readers/reader_test_util.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::HasSubstr;

/// A directed graph, and its file.
class GapbsReader : public testing::Test {
 protected:
  const GraphToWrite directed_ = {3, WeightType::kNone, {{0, 1, 0}, {0, 2, 0}, {2, 0, 0}}};
  const GraphToWrite reversed_ = {3, WeightType::kNone, {{0, 2, 0}, {1, 0, 0}, {2, 0, 0}}};
  const std::string directed_bytes_ = WriteGapbs(directed_, &reversed_);
};

TEST_F(GapbsReader, ReadsTheOutListsOfADirectedGraph) {
  const auto contents = ReadBytes(directed_bytes_);
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_EQ(contents->properties.format, "GAPBS .sg");
  EXPECT_EQ(contents->properties.weight_type, WeightType::kNone);
  EXPECT_TRUE(contents->properties.declares_vertices);
  EXPECT_EQ(contents->properties.declared_vertices, 3U);
  EXPECT_FALSE(contents->properties.both_directions);
  EXPECT_EQ(contents->edges, directed_.edges);
}

TEST_F(GapbsReader, AnUndirectedGraphHoldsBothDirections) {
  const GraphToWrite graph = {2, WeightType::kNone, {{0, 1, 0}, {1, 0, 0}}};
  const auto contents = ReadBytes(WriteGapbs(graph, nullptr));
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_TRUE(contents->properties.both_directions);
  EXPECT_FALSE(contents->properties.symmetric);
  EXPECT_EQ(contents->edges, graph.edges);
}

TEST_F(GapbsReader, TheSizeTellsWeights) {
  const GraphToWrite graph = {2, WeightType::kInt32, {IntEdge(0, 1, 7), IntEdge(1, 0, -8)}};
  const auto contents = ReadBytes(WriteGapbs(graph, nullptr));
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_EQ(contents->properties.format, "GAPBS .wsg");
  EXPECT_EQ(contents->properties.weight_type, WeightType::kInt32);
  EXPECT_EQ(contents->edges, graph.edges);
}

TEST_F(GapbsReader, RefusesATruncatedFile) {
  const std::string& whole = directed_bytes_;
  for (size_t size = 17 + 8; size < whole.size(); ++size) {
    const absl::Status status = ReadBytes(whole.substr(0, size)).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << size << " bytes";
  }
  EXPECT_THAT(
      ReadBytes(whole.substr(0, whole.size() - 1)).status().ToString(),
      HasSubstr("begins as a GAPBS graph of 3 vertices and 3 edges, which has 105 bytes, or "
                "129 with weights, but it has 104"));
}

TEST_F(GapbsReader, RefusesATargetThatIsNoVertex) {
  std::string bytes = directed_bytes_;
  const size_t second_target = 17 + 4 * 8 + 4;
  bytes[second_target] = 3;
  EXPECT_THAT(ReadBytes(bytes).status().ToString(),
              HasSubstr("byte offset 53: the target 3 of an edge is not among the 3 vertices"));
  bytes.replace(second_target, 4, "\xFF\xFF\xFF\xFF");
  EXPECT_THAT(ReadBytes(bytes).status().ToString(), HasSubstr("the target -1 of an edge"));
}

TEST_F(GapbsReader, RefusesDescendingOffsetsBehindTheBeginning) {
  GraphToWrite graph = {20000, WeightType::kNone, {}};
  for (uint64_t v = 0; v < graph.vertices; ++v) graph.edges.push_back({v, 0, 0});
  std::string bytes = WriteGapbs(graph, nullptr);
  bytes[17 + 15000 * 8] = 1;
  const absl::Status status = ReadBytes(bytes).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(status.ToString(), HasSubstr("byte offset 120017: the list of vertex 14999 reaches"));
}

TEST_F(GapbsReader, AHeaderThatLiesAllocatesNothing) {
  std::string bytes;
  AppendBinary(bytes, false);
  AppendBinary(bytes, int64_t{1} << 50);
  AppendBinary(bytes, int64_t{1} << 30);
  AppendBinary(bytes, int64_t{0});
  AppendBinary(bytes, int64_t{1} << 49);
  EXPECT_THAT(ReadBytes(bytes).status().ToString(), HasSubstr("truncated or damaged"));
}

}  // namespace
}  // namespace fargraph

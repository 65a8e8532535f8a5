#include "compute_node/forecast/list_sample.h"

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/files/test_directory.h"
#include "common/mix_bits.h"
#include "graph/format/array_format.h"
#include "graph/write_graph.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

double ScatterOfOut(const GraphFiles& files) {
  return SampleLists(files, Direction::kOut)->scatter;
}

class ListSampleTest : public testing::Test {
 protected:
  GraphFiles Write(uint64_t vertices, const std::vector<InputEdge>& edges, bool compress = false) {
    const std::string path = directory_.Path(absl::StrCat("graph", ++written_));
    EXPECT_TRUE(WriteGraph(path, vertices, edges, {.compress = compress}).ok());
    return *GraphFiles::Open(path);
  }

  TestDirectory directory_;
  int written_ = 0;
};

std::vector<InputEdge> RandomTargets(uint64_t vertices, uint64_t edges) {
  std::vector<InputEdge> all;
  for (uint64_t i = 0; i < edges; ++i) all.push_back({i % vertices, MixBits(i) % vertices});
  return all;
}

TEST_F(ListSampleTest, ScatterIsOneLineForSixteenNeighboursInARow) {
  std::vector<InputEdge> path;
  for (uint64_t v = 0; v < 1600; ++v) path.push_back({v, v});
  EXPECT_DOUBLE_EQ(ScatterOfOut(Write(1600, path)), 1.0 / 16);
}

TEST_F(ListSampleTest, ScatterIsOneWhereNoLineIsSeenTwice) {
  std::vector<InputEdge> far_apart;
  for (uint64_t v = 0; v < 100; ++v) far_apart.push_back({v, 16 * v});
  EXPECT_DOUBLE_EQ(ScatterOfOut(Write(1600, far_apart)), 1);
}

TEST_F(ListSampleTest, ScatterIsMeasuredWithinWindowsOfTheLists) {
  constexpr double kLines = 1 << 16;
  constexpr double kWindow = 1 << 18;
  const GraphFiles files = Write(1 << 20, RandomTargets(1 << 20, 1'000'000));
  const double expected = kLines * (1 - std::exp(-kWindow / kLines)) / kWindow;
  EXPECT_NEAR(ScatterOfOut(files), expected, 0.01);
}

TEST_F(ListSampleTest, ScatterIsThatOfTheDirection) {
  std::vector<InputEdge> star;
  for (uint64_t v = 0; v < 100; ++v) star.push_back({0, 16 * v});
  const GraphFiles files = Write(1600, star);
  EXPECT_DOUBLE_EQ(SampleLists(files, Direction::kOut)->scatter, 1);
  EXPECT_DOUBLE_EQ(SampleLists(files, Direction::kIn)->scatter, 1.0 / 100);
}

TEST_F(ListSampleTest, ScatterIsNoneWithoutEdges) { EXPECT_EQ(ScatterOfOut(Write(10, {})), 0); }

TEST_F(ListSampleTest, ScatterIsThatOfOtherGraphsWhereListsAreCompressed) {
  EXPECT_EQ(ScatterOfOut(Write(1000, RandomTargets(1000, 5000), true)), 0.6);
}

TEST_F(ListSampleTest, ListsOnARingAreClusteredAndRandomOnesAreNot) {
  constexpr uint64_t kVertices = 100'000;
  std::vector<InputEdge> ring;
  for (uint64_t i = 0; i < 10 * kVertices; ++i)
    ring.push_back({i / 10, (i / 10 + MixBits(i) % 50) % kVertices});
  EXPECT_TRUE(SampleLists(Write(kVertices, ring), Direction::kOut)->is_clustered);
  const std::vector<InputEdge> random = RandomTargets(kVertices, 10 * kVertices);
  EXPECT_FALSE(SampleLists(Write(kVertices, random), Direction::kOut)->is_clustered);
}

TEST_F(ListSampleTest, HubsDoNotMakeListsClustered) {
  constexpr uint64_t kVertices = 100'000;
  std::vector<InputEdge> edges;
  for (uint64_t i = 0; i < 10 * kVertices; ++i) {
    const uint64_t target = MixBits(i) % kVertices;
    edges.push_back({i % kVertices, i % 4 == 0 ? target : target % 100});
  }
  EXPECT_FALSE(SampleLists(Write(kVertices, edges), Direction::kOut)->is_clustered);
}

TEST_F(ListSampleTest, FewListsAreNotCalledClustered) {
  for (const uint64_t edges : {1, 15, 16, 17, 4095, 4097})
    EXPECT_FALSE(
        SampleLists(Write(1000, RandomTargets(1000, edges)), Direction::kOut)->is_clustered);
}

TEST_F(ListSampleTest, TellsOfDamage) {
  const GraphFiles files = Write(1000, RandomTargets(1000, 5000));
  std::fstream file(files.Edges(Direction::kOut).path(), std::ios::in | std::ios::out);
  file.seekp(kArrayDataOffset);
  file.put('\x7f');
  file.close();
  EXPECT_EQ(SampleLists(files, Direction::kOut).status().code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace fargraph

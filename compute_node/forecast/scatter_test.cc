#include "compute_node/forecast/scatter.h"

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/mix_bits.h"
#include "common/test_directory.h"
#include "graph/format/array_format.h"
#include "graph/write_graph.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

absl::StatusOr<double> ScatterOfOut(const GraphFiles& files) {
  return MeasureScatter(files, Direction::kOut);
}

class ScatterTest : public testing::Test {
 protected:
  GraphFiles Write(uint64_t vertices, const std::vector<InputEdge>& edges, bool compress = false) {
    const std::string path = directory_.Path("graph");
    EXPECT_TRUE(WriteGraph(path, vertices, edges, {.compress = compress}).ok());
    return *GraphFiles::Open(path);
  }

  TestDirectory directory_;
};

std::vector<InputEdge> RandomTargets(uint64_t vertices, uint64_t edges) {
  std::vector<InputEdge> all;
  for (uint64_t i = 0; i < edges; ++i) all.push_back({i % vertices, MixBits(i) % vertices});
  return all;
}

TEST_F(ScatterTest, IsOneLineForSixteenNeighboursInARow) {
  std::vector<InputEdge> path;
  for (uint64_t v = 0; v < 1600; ++v) path.push_back({v, v});
  EXPECT_DOUBLE_EQ(*ScatterOfOut(Write(1600, path)), 1.0 / 16);
}

TEST_F(ScatterTest, IsOneWhereNoLineIsSeenTwice) {
  std::vector<InputEdge> far_apart;
  for (uint64_t v = 0; v < 100; ++v) far_apart.push_back({v, 16 * v});
  EXPECT_DOUBLE_EQ(*ScatterOfOut(Write(1600, far_apart)), 1);
}

TEST_F(ScatterTest, IsMeasuredWithinWindowsOfTheLists) {
  constexpr double kLines = 1 << 16;
  constexpr double kWindow = 1 << 18;
  const GraphFiles files = Write(1 << 20, RandomTargets(1 << 20, 1'000'000));
  const double expected = kLines * (1 - std::exp(-kWindow / kLines)) / kWindow;
  EXPECT_NEAR(*ScatterOfOut(files), expected, 0.01);
}

TEST_F(ScatterTest, IsThatOfTheDirection) {
  std::vector<InputEdge> star;
  for (uint64_t v = 0; v < 100; ++v) star.push_back({0, 16 * v});
  const GraphFiles files = Write(1600, star);
  EXPECT_DOUBLE_EQ(*MeasureScatter(files, Direction::kOut), 1);
  EXPECT_DOUBLE_EQ(*MeasureScatter(files, Direction::kIn), 1.0 / 100);
}

TEST_F(ScatterTest, IsNoneWithoutEdges) { EXPECT_EQ(*ScatterOfOut(Write(10, {})), 0); }

TEST_F(ScatterTest, IsThatOfOtherGraphsWhereListsAreCompressed) {
  EXPECT_EQ(*ScatterOfOut(Write(1000, RandomTargets(1000, 5000), true)), 0.6);
}

TEST_F(ScatterTest, TellsOfDamage) {
  const GraphFiles files = Write(1000, RandomTargets(1000, 5000));
  std::fstream file(files.Edges(Direction::kOut).path(), std::ios::in | std::ios::out);
  file.seekp(kArrayDataOffset);
  file.put('\x7f');
  file.close();
  EXPECT_EQ(ScatterOfOut(files).status().code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace fargraph

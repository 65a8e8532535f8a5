#include "graph/format/neighbor_reader.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "common/files/test_directory.h"
#include "gmock/gmock.h"
#include "graph/csr.h"
#include "graph/write_graph.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

class NeighborReaderTest : public ::testing::TestWithParam<bool> {
 protected:
  /// Lists of every length around a block's, and one of many blocks, in several checksum blocks.
  GraphFiles WriteGraphWithLongLists() const {
    constexpr uint64_t kVertices = 1 << 20;
    std::mt19937_64 random(1);
    std::vector<InputEdge> edges;
    const auto add_list = [&](uint64_t source, size_t degree) {
      for (size_t i = 0; i < degree; ++i) edges.push_back({source, random() % kVertices});
    };
    for (size_t i = 0; i < 10; ++i) add_list(7 * i, kBlockEdges - 5 + i);
    add_list(500, 2 * kBlockEdges);
    add_list(900, 700'000);
    add_list(kVertices - 1, 3);
    EXPECT_TRUE(
        WriteGraph(path_, kVertices, edges, {.reverse = false, .compress = GetParam()}).ok());
    return *GraphFiles::Open(path_, /*verify_files=*/true);
  }

 private:
  TestDirectory directory_;
  std::string path_ = directory_.Path("graph");
};

TEST_P(NeighborReaderTest, ReadsAllNeighborsInOrderThroughAnyRoom) {
  const GraphFiles files = WriteGraphWithLongLists();
  const auto csr = LoadCsr(files, Direction::kOut);
  ASSERT_TRUE(csr.ok()) << csr.status();
  for (const size_t room : {NeighborReader::kLeastRoom, size_t{1500}, size_t{1} << 18}) {
    const auto reader = ReadNeighbors(files, Direction::kOut);
    std::vector<VertexId> neighbors;
    std::vector<VertexId> buffer(room);
    while (true) {
      const auto count = reader->Read(absl::MakeSpan(buffer));
      ASSERT_TRUE(count.ok()) << count.status();
      if (*count == 0) break;
      neighbors.insert(neighbors.end(), buffer.begin(), buffer.begin() + *count);
    }
    EXPECT_EQ(neighbors, csr->targets) << room;
    EXPECT_EQ(*reader->Read(absl::MakeSpan(buffer)), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, NeighborReaderTest, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "Compressed" : "Raw"; });

TEST(CompressedGraphTest, HoldsTheSameListsInFewerBytes) {
  const TestDirectory directory;
  std::mt19937_64 random(2);
  std::vector<InputEdge> edges;
  for (int i = 0; i < 100'000; ++i) edges.push_back({random() % 1000, random() % 1000, 1});
  ASSERT_TRUE(WriteGraph(directory.Path("raw"), 1000, edges).ok());
  ASSERT_TRUE(WriteGraph(directory.Path("coded"), 1000, edges, {.compress = true}).ok());
  const auto raw = GraphFiles::Open(directory.Path("raw"));
  const auto coded = GraphFiles::Open(directory.Path("coded"));
  ASSERT_TRUE(raw.ok() && coded.ok());
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    EXPECT_EQ(LoadCsr(*coded, direction)->targets, LoadCsr(*raw, direction)->targets);
    EXPECT_LT(coded->Codes(direction).bytes(), raw->Edges(direction).bytes() / 2);
  }
}

}  // namespace
}  // namespace fargraph

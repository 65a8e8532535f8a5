#include "graph/verify_files.h"

#include <cstdint>
#include <string>
#include <vector>

#include "common/files/test_directory.h"
#include "gmock/gmock.h"
#include "graph/format/graph_directory.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A graph of four vertices as its arrays, every checksum right whatever they hold: 0 -> {1, 2, 3},
// 1 -> {0}, 3 -> {3}.
struct HandMadeGraph {
  std::vector<EdgeOffset> index = {0, 3, 4, 4, 5};
  std::vector<VertexId> edges = {1, 2, 3, 0, 3};
  std::vector<std::vector<VertexId>> heads = {{1, 0, kNoVertex, 3}, {2}, {3}, {}};
  std::vector<uint64_t> ids = {5, 7, 8, 30};
  std::vector<VertexId> order = {2, 0, 3, 1};
  std::vector<VertexId> ranks = {1, 3, 0, 2};
  VertexOrder recorded_order = VertexOrder::kDegree;
};

// Both directions of a graph of three vertices, with bytes as weights: 0 -> 1 (7), 0 -> 2 (8),
// 2 -> 0 (9).
struct HandMadeDirections {
  std::vector<EdgeOffset> out_index = {0, 2, 2, 3};
  std::vector<VertexId> out_edges = {1, 2, 0};
  std::vector<uint8_t> out_weights = {7, 8, 9};
  std::vector<EdgeOffset> in_index = {0, 1, 2, 3};
  std::vector<VertexId> in_edges = {2, 0, 0};
  std::vector<uint8_t> in_weights = {9, 7, 8};
  bool symmetric = false;
};

// The same lists as codes.
struct HandMadeCodes {
  std::vector<EdgeOffset> index = {0, 3, 4, 4, 5};
  std::vector<uint64_t> code_index = {0, 4, 6, 6, 8};
  std::vector<uint8_t> codes = {0, 2, 1, 1, 0, 1, 0, 0};
};

class VerifyFilesTest : public ::testing::Test {
 protected:
  // Commits the manifest with the arrays that `write_arrays` writes, and verifies.
  template <typename WriteArrays>
  absl::Status Verify(Manifest manifest, WriteArrays&& write_arrays) {
    auto directory = GraphDirectory::Create(directory_.Path("graph"), /*overwrite=*/true);
    write_arrays([&](const std::string& name, const auto& values, ElementType type) {
      auto writer = directory->CreateArray(name, type);
      for (const auto value : values) EXPECT_TRUE(writer->Append(value).ok());
      manifest.arrays[name] = *writer->Finish();
    });
    EXPECT_TRUE(directory->Commit(manifest).ok());
    const auto files = GraphFiles::Open(directory_.Path("graph"));
    return files.ok() ? VerifyFiles(*files) : files.status();
  }

  absl::Status Verify(const HandMadeGraph& graph) {
    Manifest manifest;
    manifest.graph.vertices = 4;
    manifest.graph.edges = 5;
    manifest.graph.heads = graph.heads.size();
    manifest.graph.order = graph.recorded_order;
    return Verify(manifest, [&](const auto& write) {
      write("out.index", graph.index, ElementType::kUint64);
      write("out.edges", graph.edges, kVertexIdType);
      write("ids", graph.ids, ElementType::kUint64);
      write("order", graph.order, kVertexIdType);
      write("ranks", graph.ranks, kVertexIdType);
      for (size_t i = 0; i < graph.heads.size(); ++i) {
        write(HeadsArray(Direction::kOut, i), graph.heads[i], kVertexIdType);
      }
    });
  }

  absl::Status Verify(const HandMadeDirections& graph) {
    Manifest manifest;
    manifest.graph.vertices = 3;
    manifest.graph.edges = 3;
    manifest.graph.symmetric = graph.symmetric;
    manifest.graph.has_reverse = !graph.symmetric;
    manifest.graph.weight_type = WeightType::kUint8;
    return Verify(manifest, [&](const auto& write) {
      write("out.index", graph.out_index, ElementType::kUint64);
      write("out.edges", graph.out_edges, kVertexIdType);
      write("out.weights", graph.out_weights, ElementType::kUint8);
      if (graph.symmetric) return;
      write("in.index", graph.in_index, ElementType::kUint64);
      write("in.edges", graph.in_edges, kVertexIdType);
      write("in.weights", graph.in_weights, ElementType::kUint8);
    });
  }

  absl::Status Verify(const HandMadeCodes& graph) {
    Manifest manifest;
    manifest.graph.vertices = 4;
    manifest.graph.edges = 5;
    manifest.graph.compressed = true;
    return Verify(manifest, [&](const auto& write) {
      write("out.index", graph.index, ElementType::kUint64);
      write("out.codes.index", graph.code_index, ElementType::kUint64);
      write("out.codes", graph.codes, kCodeType);
    });
  }

  template <typename HandMade>
  void ExpectDamaged(const HandMade& graph, const std::string& file, const std::string& why) {
    const absl::Status status = Verify(graph);
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr(file), HasSubstr(why)));
  }

 private:
  TestDirectory directory_;
};

TEST_F(VerifyFilesTest, AcceptsAGraphWithAnyNumberOfHeads) {
  for (HandMadeGraph graph;; graph.heads.pop_back()) {
    const absl::Status status = Verify(graph);
    EXPECT_TRUE(status.ok()) << status;
    if (graph.heads.empty()) break;
  }
}

TEST_F(VerifyFilesTest, FindsOffsetsThatDoNotAscendToTheEdgeCount) {
  for (const std::vector<EdgeOffset>& index : {std::vector<EdgeOffset>{1, 3, 4, 4, 5},
                                               {0, 3, 2, 4, 5},
                                               {0, 3, 4, 4, 4},
                                               {0, 3, 6, 6, 6}}) {
    ExpectDamaged(HandMadeGraph{.index = index, .heads = {}}, "out.index",
                  "do not ascend from 0 to the edge count");
  }
}

TEST_F(VerifyFilesTest, FindsAnEdgeOutsideTheVertices) {
  ExpectDamaged(HandMadeGraph{.edges = {1, 2, 3, 4, 3}, .heads = {}}, "out.edges",
                "edge 3 points to vertex 4 of 4");
}

TEST_F(VerifyFilesTest, FindsAListThatDoesNotAscend) {
  ExpectDamaged(HandMadeGraph{.edges = {1, 3, 2, 0, 3}, .heads = {}}, "out.edges",
                "the list of vertex 0 does not ascend");
}

TEST_F(VerifyFilesTest, FindsHeadsThatAreNotThoseOfTheLists) {
  ExpectDamaged(HandMadeGraph{.heads = {{1, 0, kNoVertex, 2}}}, "out.heads.0", "at vertex 3");
  ExpectDamaged(HandMadeGraph{.heads = {{1, 0, 1, 3}}}, "out.heads.0", "at vertex 2");
  ExpectDamaged(HandMadeGraph{.heads = {{1, 0, kNoVertex, 3}, {}}}, "out.heads.1", "at vertex 0");
}

TEST_F(VerifyFilesTest, FindsHeadsThatEndEarlyOrLate) {
  ExpectDamaged(HandMadeGraph{.heads = {{1, 0}}}, "out.heads.0", "at vertex 3");
  ExpectDamaged(HandMadeGraph{.heads = {{1, 0, kNoVertex, 3}, {2, kNoVertex}}}, "out.heads.1",
                "goes on after");
}

TEST_F(VerifyFilesTest, FindsIdsThatDoNotAscend) {
  ExpectDamaged(HandMadeGraph{.ids = {5, 8, 7, 30}}, "/ids", "do not ascend");
  ExpectDamaged(HandMadeGraph{.ids = {5, 7, 7, 30}}, "/ids", "do not ascend");
}

TEST_F(VerifyFilesTest, FindsARenumberingThatIsNone) {
  ExpectDamaged(HandMadeGraph{.order = {2, 0, 1, 3}}, "/ranks", "not the inverse");
  ExpectDamaged(HandMadeGraph{.ranks = {3, 1, 0, 2}}, "/ranks", "not the inverse");
  ExpectDamaged(HandMadeGraph{.order = {0, 0, 0, 0}, .ranks = {0, 0, 0, 0}}, "/ranks",
                "not the inverse");
}

TEST_F(VerifyFilesTest, OpeningFindsARenumberingThatTheOrderDoesNotCallFor) {
  ExpectDamaged(HandMadeGraph{.recorded_order = VertexOrder::kInput}, "manifest.json",
                "order of the input");
  ExpectDamaged(HandMadeGraph{.order = {2, 0, 1}}, "manifest.json", "\"order\" does not fit");
}

TEST_F(VerifyFilesTest, OpeningFindsAColumnLongerThanTheOneBeforeOrTheVertices) {
  ExpectDamaged(HandMadeGraph{.heads = {{1, 0}, {2, 0, 0}}}, "manifest.json",
                "\"out.heads.1\" does not fit");
  ExpectDamaged(HandMadeGraph{.heads = {{1, 0, 0, 0, 0}}}, "manifest.json",
                "\"out.heads.0\" does not fit");
}

TEST_F(VerifyFilesTest, AcceptsInListsThatAreTheReverseAndEdgesInBothDirections) {
  absl::Status status = Verify(HandMadeDirections());
  EXPECT_TRUE(status.ok()) << status;
  status = Verify(
      HandMadeDirections{.out_edges = {0, 2, 0}, .out_weights = {7, 8, 8}, .symmetric = true});
  EXPECT_TRUE(status.ok()) << status;
}

TEST_F(VerifyFilesTest, FindsInListsThatAreNotTheReverse) {
  const std::string why = "its lists are not the reverse of";
  ExpectDamaged(HandMadeDirections{.in_edges = {2, 0, 1}}, "in.edges", why);
  ExpectDamaged(HandMadeDirections{.in_weights = {9, 8, 7}}, "in.edges", why);
  ExpectDamaged(HandMadeDirections{.in_index = {0, 2, 2, 3}, .in_edges = {1, 2, 0}}, "in.edges",
                why);
}

TEST_F(VerifyFilesTest, FindsASymmetricGraphThatIsNone) {
  const std::string why = "not every edge is there in both directions";
  ExpectDamaged(HandMadeDirections{.symmetric = true}, "out.edges", why);
  ExpectDamaged(HandMadeDirections{.out_edges = {0, 2, 0}, .symmetric = true}, "out.edges", why);
}

TEST_F(VerifyFilesTest, AcceptsCodes) {
  const absl::Status status = Verify(HandMadeCodes());
  EXPECT_TRUE(status.ok()) << status;
}

TEST_F(VerifyFilesTest, FindsCodesThatAreNotThoseOfTheirLists) {
  ExpectDamaged(HandMadeCodes{.code_index = {0, 3, 6, 6, 8}}, "out.codes",
                "the list of vertex 0 is no code of its neighbours");
  ExpectDamaged(HandMadeCodes{.code_index = {0, 5, 6, 6, 8}}, "out.codes",
                "the list of vertex 0 has bytes behind its last neighbour");
  ExpectDamaged(HandMadeCodes{.code_index = {0, 4, 6, 7, 8}}, "out.codes",
                "the list of vertex 2 has bytes behind its last neighbour");
  ExpectDamaged(HandMadeCodes{.codes = {0, 2, 1, 1, 0, 1, 1, 0}}, "out.codes",
                "the list of vertex 3 is no code of its neighbours");
}

TEST_F(VerifyFilesTest, FindsAnEdgeOfACodeOutsideTheVertices) {
  ExpectDamaged(HandMadeCodes{.codes = {0, 2, 1, 1, 0, 1, 0, 2}}, "out.codes",
                "edge 4 points to vertex 4 of 4");
}

TEST_F(VerifyFilesTest, FindsCodeOffsetsThatDoNotAscendToTheEndOfTheCodes) {
  ExpectDamaged(HandMadeCodes{.code_index = {0, 4, 3, 6, 8}}, "out.codes.index",
                "do not ascend to the end");
  ExpectDamaged(HandMadeCodes{.code_index = {1, 4, 6, 6, 8}}, "out.codes",
                "the list of vertex 0 is no code of its neighbours");
  ExpectDamaged(HandMadeCodes{.code_index = {0, 4, 6, 6, 9}}, "out.codes",
                "the list of vertex 3 has bytes behind its last neighbour");
  ExpectDamaged(HandMadeCodes{.codes = {0, 2, 1, 1, 0, 1, 0, 0, 0}}, "out.codes.index",
                "do not ascend to the end");
}

}  // namespace
}  // namespace fargraph

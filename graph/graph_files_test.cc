#include "graph/graph_files.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/files/test_directory.h"
#include "gmock/gmock.h"
#include "graph/builder.h"
#include "graph/csr.h"
#include "graph/format/array_format.h"
#include "graph/memory_edge_reader.h"
#include "graph/vertex_names.h"
#include "graph/write_graph.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class GraphFilesTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return directory_.Path(name); }

  // Two vertices with long lists, so that the edges fill several checksum blocks.
  std::string WriteLargeGraph() const {
    std::vector<InputEdge> edges;
    for (uint64_t i = 0; i < 700'000; ++i) edges.push_back({i % 2, i % 1000, 0});
    EXPECT_TRUE(WriteGraph(Path("large"), 1000, edges, {.reverse = false}).ok());
    return Path("large");
  }

  std::string WriteSmallGraph(bool compress = false) const {
    const std::vector<InputEdge> edges = {{0, 2, 7}, {0, 1, 5}, {2, 2, 1}, {3, 0, 9}, {0, 1, 6}};
    const std::string path = Path(compress ? "compressed" : "small");
    const WriteGraphOptions options = {
        .reverse = true, .compress = compress, .weight_type = WeightType::kInt32};
    EXPECT_TRUE(WriteGraph(path, 5, edges, options).ok());
    return path;
  }

  // A graph that has every file, those of its names too.
  std::string WriteRenumberedGraph() const {
    const std::vector<InputEdge> edges = {{3, 9, 0}, {7, 9, 0}, {8, 9, 0}, {9, 3, 0}};
    const auto open = [&]() -> absl::StatusOr<std::unique_ptr<EdgeReader>> {
      return std::make_unique<MemoryEdgeReader>(edges, InputProperties{.format = "test"});
    };
    EXPECT_TRUE(BuildGraph(open, Path("renumbered"), {.order = VertexOrder::kDegree}).ok());
    return Path("renumbered");
  }

 private:
  TestDirectory directory_;
};

std::string FileBytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void WriteBytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

TEST_F(GraphFilesTest, ReadsBackBothDirectionsWithWeights) {
  auto files = GraphFiles::Open(WriteSmallGraph(), /*verify_files=*/true);
  ASSERT_TRUE(files.ok()) << files.status();
  const GraphManifest& manifest = files->manifest();
  EXPECT_EQ(manifest.vertices, 5u);
  EXPECT_EQ(manifest.edges, 5u);
  EXPECT_EQ(manifest.self_loops, 1u);
  EXPECT_EQ(manifest.duplicates, 1u);
  EXPECT_EQ(manifest.content_id.size(), 32u);
  EXPECT_TRUE(files->Has(Direction::kIn));

  auto out = LoadCsr(*files, Direction::kOut);
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_THAT(out->offsets, ElementsAre(0, 3, 3, 4, 5, 5));
  EXPECT_THAT(out->neighbors(0), ElementsAre(1, 1, 2));
  EXPECT_THAT(out->weights(0), ElementsAre(5, 6, 7));
  auto in = LoadCsr(*files, Direction::kIn);
  ASSERT_TRUE(in.ok()) << in.status();
  EXPECT_THAT(in->neighbors(2), ElementsAre(0, 2));
  EXPECT_THAT(in->weights(2), ElementsAre(7, 1));
  EXPECT_TRUE(files->names().identity());
}

TEST_F(GraphFilesTest, BothDirectionsOfASymmetricGraphAreTheSameFiles) {
  ASSERT_TRUE(WriteGraph(Path("g"), 3, {{0, 1, 0}, {2, 2, 0}}, {.symmetrize = true}).ok());
  auto files = GraphFiles::Open(Path("g"), true);
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_EQ(&files->Edges(Direction::kIn), &files->Edges(Direction::kOut));
  auto csr = LoadCsr(*files, Direction::kIn);
  ASSERT_TRUE(csr.ok());
  EXPECT_THAT(csr->neighbors(1), ElementsAre(0));
  EXPECT_THAT(csr->neighbors(2), ElementsAre(2));
}

TEST_F(GraphFilesTest, AnEmptyGraphIsAGraph) {
  ASSERT_TRUE(WriteGraph(Path("g"), 0, {}).ok());
  auto files = GraphFiles::Open(Path("g"), true);
  ASSERT_TRUE(files.ok()) << files.status();
  auto csr = LoadCsr(*files, Direction::kOut);
  ASSERT_TRUE(csr.ok());
  EXPECT_THAT(csr->offsets, ElementsAre(0));
}

TEST_F(GraphFilesTest, ContentIdsAreEqualForEqualGraphsOnly) {
  const auto first = WriteGraph(Path("a"), 3, {{0, 1, 0}, {1, 2, 0}});
  const auto same = WriteGraph(Path("b"), 3, {{1, 2, 0}, {0, 1, 0}});
  const auto other = WriteGraph(Path("c"), 3, {{0, 1, 0}, {2, 1, 0}});
  ASSERT_TRUE(first.ok() && same.ok() && other.ok());
  EXPECT_EQ(first->content_id, same->content_id);
  EXPECT_NE(first->content_id, other->content_id);
}

TEST_F(GraphFilesTest, AScanHandsOverEachBlockAtOnceAndThenInOrder) {
  auto files = GraphFiles::Open(WriteLargeGraph());
  ASSERT_TRUE(files.ok()) << files.status();
  const ArrayFile& edges = files->Edges(Direction::kOut);
  const uint64_t blocks = (edges.bytes() + kArrayBlockBytes - 1) / kArrayBlockBytes;
  ASSERT_GT(blocks, 2u);
  std::vector<std::atomic<int>> at_once(blocks);
  std::atomic<bool> in_order = false;
  uint64_t next = 0;
  const absl::Status status = edges.Scan(
      [&](uint64_t offset, absl::Span<const std::byte> /*block*/) {
        ++at_once[offset / kArrayBlockBytes];
        return absl::OkStatus();
      },
      [&](uint64_t offset, absl::Span<const std::byte> block) {
        EXPECT_FALSE(in_order.exchange(true)) << "two at a time";
        EXPECT_EQ(offset, next);
        EXPECT_EQ(at_once[offset / kArrayBlockBytes], 1);
        next += block.size();
        in_order = false;
        return absl::OkStatus();
      });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(next, edges.bytes());
}

TEST_F(GraphFilesTest, AScanEndsWithTheErrorOfTheFirstBlockThatHasOne) {
  auto files = GraphFiles::Open(WriteLargeGraph());
  ASSERT_TRUE(files.ok()) << files.status();
  const ArrayFile& edges = files->Edges(Direction::kOut);
  for (const uint64_t bad : {0, 1, 2}) {
    const auto fails_at = [](uint64_t block, absl::StatusCode code) {
      return [=](uint64_t offset, absl::Span<const std::byte> /*block*/) {
        return offset < block * kArrayBlockBytes ? absl::OkStatus() : absl::Status(code, "");
      };
    };
    EXPECT_EQ(edges.Scan(fails_at(bad, absl::StatusCode::kAborted), IgnoreBlock).code(),
              absl::StatusCode::kAborted);
    EXPECT_EQ(edges.Scan(IgnoreBlock, fails_at(bad, absl::StatusCode::kAborted)).code(),
              absl::StatusCode::kAborted);
    EXPECT_EQ(edges
                  .Scan(fails_at(bad + 1, absl::StatusCode::kAborted),
                        fails_at(bad, absl::StatusCode::kCancelled))
                  .code(),
              absl::StatusCode::kCancelled);
  }
}

TEST_F(GraphFilesTest, EveryRangeOfAnArrayReadsBack) {
  auto files = GraphFiles::Open(WriteLargeGraph());
  ASSERT_TRUE(files.ok()) << files.status();
  const ArrayFile& edges = files->Edges(Direction::kOut);
  ASSERT_GT(edges.bytes(), 2 * kArrayBlockBytes);
  std::vector<std::byte> whole;
  ASSERT_TRUE(edges
                  .Scan([&](uint64_t offset, absl::Span<const std::byte> bytes) {
                    EXPECT_EQ(offset, whole.size());
                    whole.insert(whole.end(), bytes.begin(), bytes.end());
                    return absl::OkStatus();
                  })
                  .ok());
  ASSERT_EQ(whole.size(), edges.bytes());
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const uint64_t begin = random() % (whole.size() + 1);
    std::vector<std::byte> out(random() % (whole.size() - begin + 1));
    ASSERT_TRUE(edges.Read(begin, absl::MakeSpan(out)).ok());
    EXPECT_TRUE(std::equal(out.begin(), out.end(), whole.begin() + begin)) << begin;
  }
  std::byte past_the_end{};
  EXPECT_EQ(edges.Read(edges.bytes(), {&past_the_end, 1}).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(GraphFilesTest, ADirectoryWithoutManifestIsNotFound) {
  const absl::Status status = GraphFiles::Open(Path("nothing")).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("fargraph convert"));
}

TEST_F(GraphFilesTest, EveryFlippedByteOfTheHeaderIsFoundOnOpening) {
  const std::string graph = WriteSmallGraph();
  const std::string path = graph + "/out.edges";
  for (uint64_t byte = 0; byte < kArrayPageBytes; ++byte) {
    FlipBit(path, byte, static_cast<int>(byte % 8));
    const absl::Status status = GraphFiles::Open(graph).status();
    ASSERT_EQ(status.code(), absl::StatusCode::kDataLoss) << "byte " << byte;
    ASSERT_THAT(std::string(status.message()), HasSubstr(path));
    ASSERT_THAT(std::string(status.message()), HasSubstr("convert the graph again"));
    FlipBit(path, byte, static_cast<int>(byte % 8));
  }
  EXPECT_TRUE(GraphFiles::Open(graph, true).ok());
}

void ExpectEveryFlipIsFound(const std::string& graph) {
  for (const auto& entry : fs::directory_iterator(graph)) {
    if (entry.path().filename() == "manifest.json") continue;
    const std::string path = entry.path().string();
    for (uint64_t byte = kArrayPageBytes; byte < entry.file_size(); byte += 101) {
      FlipBit(path, byte, static_cast<int>(byte % 8));
      const absl::Status status = GraphFiles::Open(graph, true).status();
      ASSERT_EQ(status.code(), absl::StatusCode::kDataLoss) << path << " byte " << byte;
      ASSERT_THAT(std::string(status.message()), HasSubstr(path));
      FlipBit(path, byte, static_cast<int>(byte % 8));
    }
  }
}

TEST_F(GraphFilesTest, FlippedBytesAllOverEveryArrayAreFoundByVerifying) {
  for (const std::string& graph :
       {WriteSmallGraph(), WriteSmallGraph(/*compress=*/true), WriteRenumberedGraph()}) {
    ExpectEveryFlipIsFound(graph);
  }
}

TEST_F(GraphFilesTest, ReadingFindsADamagedBlockAndOnlyThat) {
  const std::string graph = WriteLargeGraph();
  auto files = GraphFiles::Open(graph);
  ASSERT_TRUE(files.ok());
  const ArrayFile& edges = files->Edges(Direction::kOut);
  FlipBit(edges.path(), kArrayDataOffset + kArrayBlockBytes + 77);
  std::vector<std::byte> out(8);
  EXPECT_TRUE(edges.Read(0, absl::MakeSpan(out)).ok());
  const absl::Status status = edges.Read(kArrayBlockBytes, absl::MakeSpan(out));
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("bytes 1052672 to 2101247"));
  EXPECT_TRUE(edges.Read(2 * kArrayBlockBytes, absl::MakeSpan(out)).ok());
}

TEST_F(GraphFilesTest, TruncatedExtendedAndMissingFilesAreFoundOnOpening) {
  const std::string graph = WriteSmallGraph();
  for (const std::string name : {"out.index", "in.edges", "out.weights"}) {
    const std::string path = absl::StrCat(graph, "/", name);
    const std::string bytes = FileBytes(path);
    for (const size_t size : {size_t{0}, size_t{1}, size_t{4095}, size_t{4096}, bytes.size() - 1}) {
      WriteBytes(path, bytes.substr(0, size));
      const absl::Status status = GraphFiles::Open(graph).status();
      EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << path << " of " << size;
      EXPECT_THAT(std::string(status.message()), HasSubstr(path));
    }
    WriteBytes(path, bytes + "x");
    EXPECT_EQ(GraphFiles::Open(graph).status().code(), absl::StatusCode::kDataLoss);
    fs::remove(path);
    EXPECT_EQ(GraphFiles::Open(graph).status().code(), absl::StatusCode::kDataLoss);
    WriteBytes(path, bytes);
  }
  EXPECT_TRUE(GraphFiles::Open(graph, true).ok());
}

TEST_F(GraphFilesTest, ADamagedManifestIsDataLossOrHarmless) {
  const std::string graph = WriteSmallGraph();
  const std::string path = graph + "/manifest.json";
  const std::string text = FileBytes(path);
  const std::string content_id = GraphFiles::Open(graph)->manifest().content_id;
  for (size_t byte = 0; byte < text.size(); ++byte) {
    std::string damaged = text;
    damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << (byte % 8)));
    WriteBytes(path, damaged);
    const auto files = GraphFiles::Open(graph);
    if (files.ok()) {  // white space became other white space
      EXPECT_EQ(files->manifest().content_id, content_id) << damaged;
    } else {
      EXPECT_EQ(files.status().code(), absl::StatusCode::kDataLoss) << files.status();
    }
    WriteBytes(path, text.substr(0, byte));
    if (byte + 2 < text.size()) {
      EXPECT_EQ(GraphFiles::Open(graph).status().code(), absl::StatusCode::kDataLoss);
    }
  }
}

TEST_F(GraphFilesTest, AnotherFormatVersionIsRefusedInItsOwnSentence) {
  const std::string path = WriteSmallGraph() + "/manifest.json";
  std::string text = FileBytes(path);
  const std::string version = "\"version\": 3";
  ASSERT_THAT(text, HasSubstr(version));
  text.replace(text.find(version), version.size(), "\"version\": 2");
  WriteBytes(path, text);
  const absl::Status status = GraphFiles::Open(Path("small")).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(status.message(), "Opening the graph " + Path("small") +
                                  ": it has format version 2 and this program reads version 3; "
                                  "convert the graph again");
}

TEST_F(GraphFilesTest, AFileOfAnotherGraphIsFoundOnOpening) {
  const std::string graph = WriteSmallGraph();
  ASSERT_TRUE(WriteGraph(Path("other"), 5, {{0, 3, 0}, {0, 1, 0}, {2, 2, 0}, {3, 0, 0}, {0, 1, 0}},
                         {.reverse = false})
                  .ok());
  fs::copy_file(Path("other") + "/out.edges", graph + "/out.edges",
                fs::copy_options::overwrite_existing);
  const absl::Status status = GraphFiles::Open(graph).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("does not match the manifest"));
}

}  // namespace
}  // namespace fargraph

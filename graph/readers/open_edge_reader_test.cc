#include "graph/readers/open_edge_reader.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "graph/readers/format_writers_test_util.h"
#include "graph/readers/reader_test_util.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace fargraph {
namespace {

using ::testing::HasSubstr;

GraphToWrite RandomGraph(uint64_t vertices, uint64_t edges, WeightType weight_type, uint64_t seed) {
  std::mt19937_64 random(seed);
  GraphToWrite graph{vertices, weight_type, {}};
  for (uint64_t i = 0; i < edges; ++i) {
    InputEdge edge{random() % vertices, random() % vertices, 0};
    const auto weight = static_cast<int32_t>(random());
    if (weight_type == WeightType::kInt32) edge.weight_bits = IntEdge(0, 0, weight).weight_bits;
    if (weight_type == WeightType::kFloat32) {
      const float value = static_cast<float>(weight) * 1e-7F;
      edge.weight_bits = FloatEdge(0, 0, value).weight_bits;
    }
    graph.edges.push_back(edge);
  }
  std::stable_sort(graph.edges.begin(), graph.edges.end(),
                   [](const InputEdge& a, const InputEdge& b) { return a.source < b.source; });
  return graph;
}

GraphToWrite Reversed(const GraphToWrite& graph) {
  GraphToWrite reversed = graph;
  for (InputEdge& edge : reversed.edges) std::swap(edge.source, edge.target);
  std::stable_sort(reversed.edges.begin(), reversed.edges.end(),
                   [](const InputEdge& a, const InputEdge& b) { return a.source < b.source; });
  return reversed;
}

struct Format {
  std::string name;
  std::vector<WeightType> weight_types;
  uint64_t first_id;
  std::function<std::string(const GraphToWrite&, const TextStyle&)> write;
};

void PrintTo(const Format& format, std::ostream* out) { *out << format.name; }

const std::vector<Format>& Formats() {
  constexpr WeightType kAllTypes[] = {WeightType::kNone, WeightType::kInt32, WeightType::kFloat32};
  static const auto* formats = new std::vector<Format>{
      {"Snap", {std::begin(kAllTypes), std::end(kAllTypes)}, 0, WriteSnap},
      {"MatrixMarket", {std::begin(kAllTypes), std::end(kAllTypes)}, 1, WriteMatrixMarket},
      {"AdjacencyGraph", {std::begin(kAllTypes), std::end(kAllTypes)}, 0, WriteAdjacencyGraph},
      {"GapbsDirected",
       {WeightType::kNone, WeightType::kInt32},
       0,
       [](const GraphToWrite& graph, const TextStyle&) {
         const GraphToWrite reversed = Reversed(graph);
         return WriteGapbs(graph, &reversed);
       }},
      {"GapbsUndirected",
       {WeightType::kNone, WeightType::kInt32},
       0,
       [](const GraphToWrite& graph, const TextStyle&) { return WriteGapbs(graph, nullptr); }},
      {"BinaryPairs",
       {WeightType::kNone},
       0,
       [](const GraphToWrite& graph, const TextStyle&) { return WriteBinaryPairs(graph); }},
  };
  return *formats;
}

class EveryFormat : public testing::TestWithParam<Format> {
 protected:
  /// Expects that reading `bytes` gives the graph, whatever the sizes of blocks and batches.
  void ExpectReadsBack(const GraphToWrite& graph, const std::string& bytes) {
    std::vector<InputEdge> expected = graph.edges;
    for (InputEdge& edge : expected) {
      edge.source += GetParam().first_id;
      edge.target += GetParam().first_id;
    }
    for (const auto& [block_bytes, batch_edges] :
         {std::pair<size_t, size_t>{kMiB, 4096}, {1, 7}, {7, 1}, {64, 3}, {4096, 4097}}) {
      const auto contents = ReadBytes(bytes, block_bytes, batch_edges);
      ASSERT_TRUE(contents.ok()) << contents.status() << ", blocks of " << block_bytes;
      ASSERT_EQ(contents->edges, expected) << "blocks of " << block_bytes;
      ASSERT_EQ(contents->properties.weight_type, graph.weight_type);
      ASSERT_EQ(contents->properties.first_id, GetParam().first_id);
      if (contents->properties.declares_vertices) {
        ASSERT_EQ(contents->properties.declared_vertices, graph.vertices);
      }
    }
  }
};

TEST_P(EveryFormat, ReadsBackWhatWasWritten) {
  for (const WeightType weight_type : GetParam().weight_types) {
    for (uint64_t seed = 0; seed < 12; ++seed) {
      const GraphToWrite graph = RandomGraph(1 + seed * seed * 3, 1 + seed * 37, weight_type, seed);
      const TextStyle style = {seed % 3 == 0 ? "\t" : (seed % 3 == 1 ? " " : "  \t"),
                               seed % 2 == 0 ? "\n" : "\r\n", seed % 4 != 0, seed};
      const std::string bytes = GetParam().write(graph, style);
      if (GetParam().name == "BinaryPairs" && graph.vertices == 1) continue;  // zeros only
      ExpectReadsBack(graph, bytes);
      ExpectReadsBack(graph, Gzip(bytes));
      ExpectReadsBack(graph, Zstd(bytes));
    }
  }
}

TEST_P(EveryFormat, ReadsManyBlocks) {
  const GraphToWrite graph = RandomGraph(30000, 200000, GetParam().weight_types.back(), 5);
  const auto contents = ReadBytes(GetParam().write(graph, {" ", "\n", true, 3}));
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_EQ(contents->edges.size(), graph.edges.size());
  EXPECT_EQ(contents->edges.back().target, graph.edges.back().target + GetParam().first_id);
}

TEST_P(EveryFormat, SurvivesAFlippedBitOfAnyByteAndAnyCut) {
  const GraphToWrite graph = RandomGraph(9, 20, GetParam().weight_types.back(), 3);
  const std::string whole = GetParam().write(graph, {});
  for (const std::string& bytes : {whole, Gzip(whole), Zstd(whole)}) {
    for (size_t i = 0; i < bytes.size(); ++i) {
      std::string flipped = bytes;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << i % 8));
      for (const std::string& damaged : {flipped, bytes.substr(0, i)}) {
        const absl::Status status = ReadBytes(damaged).status();
        EXPECT_TRUE(status.ok() || status.code() == absl::StatusCode::kDataLoss) << status;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Format, EveryFormat, testing::ValuesIn(Formats()),
                         [](const auto& test) { return test.param.name; });

TEST(OpenEdgeReader, SaysThatAFileIsMissingOrNoFile) {
  const absl::Status missing = OpenEdgeReader(std::string("/nonexistent/graph.txt")).status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(missing.ToString(), HasSubstr("'/nonexistent/graph.txt': No such file"));
  const absl::Status directory = OpenEdgeReader(testing::TempDir()).status();
  EXPECT_EQ(directory.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(directory.ToString(), HasSubstr("it is a directory"));
  const absl::Status device = OpenEdgeReader(std::string("/dev/null")).status();
  EXPECT_EQ(device.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(device.ToString(), HasSubstr("it is not a regular file"));
}

TEST(OpenEdgeReader, TellsTheFormatOfTextBehindAByteOrderMark) {
  for (const std::string text :
       {"1 2\n", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n",
        "AdjacencyGraph\n2\n1\n0\n1\n1\n", "WeightedAdjacencyGraph 2 2 0 1 1 0 5 0.25"}) {
    const auto expected = ReadBytes(text);
    ASSERT_TRUE(expected.ok()) << expected.status();
    for (const size_t block_bytes : {size_t{1}, size_t{kMiB}}) {
      const auto contents = ReadBytes("\xEF\xBB\xBF" + text, block_bytes);
      ASSERT_TRUE(contents.ok()) << contents.status();
      EXPECT_EQ(contents->properties.format, expected->properties.format);
      EXPECT_EQ(contents->properties.symmetric, expected->properties.symmetric);
      EXPECT_EQ(contents->edges, expected->edges);
    }
  }
}

struct NoGraph {
  std::string bytes;
  std::string problem;
};

void PrintTo(const NoGraph& no_graph, std::ostream* out) { *out << no_graph.problem; }

class OpenEdgeReaderRefuses : public testing::TestWithParam<NoGraph> {};

TEST_P(OpenEdgeReaderRefuses, WithReason) {
  const auto reader = OpenEdgeReader(MakeMemoryInput("test.graph", GetParam().bytes));
  EXPECT_EQ(reader.status().code(), absl::StatusCode::kDataLoss) << reader.status();
  EXPECT_THAT(reader.status().ToString(), HasSubstr(GetParam().problem));
}

INSTANTIATE_TEST_SUITE_P(
    All, OpenEdgeReaderRefuses,
    testing::Values(NoGraph{"", "it is empty"}, NoGraph{Gzip(""), "it is empty"},
                    NoGraph{Zstd(""), "it is empty"},
                    NoGraph{"\x7F"
                            "ELF\x02\x01\x01" +
                                std::string(9, '\0'),
                            "it is no graph"},
                    NoGraph{"\x89PNG\r\n\x1A\n" + std::string(8, '\0'), "it is no graph"},
                    NoGraph{std::string("\xFF\xFE"
                                        "1\0 \0"
                                        "2\0\n\0",
                                        10),
                            "UTF-16"},
                    NoGraph{std::string("\xFE\xFF\0"
                                        "1\0 \0"
                                        "2\0\n",
                                        10),
                            "UTF-16"},
                    NoGraph{std::string("\xFD"
                                        "7zXZ\0\0\4",
                                        8),
                            "compressed with xz"},
                    NoGraph{std::string("BZh91AY&SY\0\0", 12), "compressed with bzip2"},
                    NoGraph{std::string("PK\x03\x04\x14\0\0\0", 8), "zip archive"},
                    NoGraph{Gzip(Gzip("1 2\n")), "it is no graph"},
                    NoGraph{"<!DOCTYPE html>\n<html>\n", "line 1: the vertex id '<!DOCTYPE'"}));

TEST(OpenEdgeReader, TextWithABinaryPartIsRefusedByLine) {
  const std::string bytes = "1 2\n3 4\n" + std::string("\x80\0\x01\x02\n", 5) + "5 6\n";
  EXPECT_THAT(ReadBytes(bytes).status().ToString(), HasSubstr("line 3: the vertex id '\\x80"));
}

/// The folder of real graphs with reference counts beside the checkout; empty if there is none.
std::string DataDirectory() {
  if (const char* directory = std::getenv("FARGRAPH_DATA_DIR")) return directory;
  for (std::filesystem::path folder = std::filesystem::absolute(__FILE__);
       folder.has_relative_path(); folder = folder.parent_path()) {
    const std::filesystem::path data = folder / "shared/data";
    if (std::filesystem::is_directory(data)) return data;
  }
  return "";
}

struct RealFile {
  std::string name;
  std::string suffix;
};

void PrintTo(const RealFile& file, std::ostream* out) { *out << file.name; }

class RealGraph : public testing::TestWithParam<RealFile> {};

TEST_P(RealGraph, HasTheReferenceCounts) {
  const std::string directory = DataDirectory();
  if (directory.empty())
    GTEST_SKIP() << "no real graphs: neither FARGRAPH_DATA_DIR nor shared/data";
  const std::string path = directory + "/" + GetParam().name;
  std::ifstream json(path + ".json");
  const nlohmann::json reference = nlohmann::json::parse(json);

  auto reader = OpenEdgeReader(path + GetParam().suffix);
  ASSERT_TRUE(reader.ok()) << reader.status();
  const auto contents = ReadToEnd(**reader);
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_EQ(contents->properties.format, "SNAP text");

  std::vector<uint64_t> ids;
  uint64_t self_loops = 0;
  for (const InputEdge& edge : contents->edges) {
    ids.insert(ids.end(), {edge.source, edge.target});
    self_loops += edge.source == edge.target ? 1 : 0;
  }
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(ids.front(), reference["min_id"]);
  EXPECT_EQ(ids.back(), reference["max_id"]);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  EXPECT_EQ(ids.size(), reference["vertices_appearing"]);
  EXPECT_EQ(self_loops, reference["self_loops"]);
  // The road network lists each undirected edge in both directions, with one weight.
  const bool roads = GetParam().name == "USA-road-d.NY";
  EXPECT_EQ(contents->edges.size(), (roads ? 2 : 1) * reference["edge_lines"].get<size_t>());
  EXPECT_EQ(contents->properties.weight_type, roads ? WeightType::kInt32 : WeightType::kNone);
}

INSTANTIATE_TEST_SUITE_P(
    All, RealGraph,
    testing::Values(RealFile{"wiki-Vote", ".txt"}, RealFile{"facebook_combined", ".txt"},
                    RealFile{"email-Enron", ".txt.gz"}, RealFile{"p2p-Gnutella31", ".txt.gz"},
                    RealFile{"soc-Slashdot0902", ".txt.zst"}, RealFile{"cnr-2000", ".txt.zst"},
                    RealFile{"USA-road-d.NY", ".wel.zst"}));

}  // namespace
}  // namespace fargraph

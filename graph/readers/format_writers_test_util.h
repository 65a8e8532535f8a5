#ifndef FARGRAPH_GRAPH_READERS_FORMAT_WRITERS_TEST_UTIL_H_
#define FARGRAPH_GRAPH_READERS_FORMAT_WRITERS_TEST_UTIL_H_

#include <zlib.h>
#include <zstd.h>

#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "graph/edge_reader.h"
#include "graph/ids.h"
#include "graph/readers/reader_test_util.h"

/// Writers of every input format, for tests. They know the formats from their descriptions and
/// share no code with the readers.
namespace fargraph {

/// A graph to write: vertices 0 to vertices - 1.
struct GraphToWrite {
  uint64_t vertices = 0;
  WeightType weight_type = WeightType::kNone;
  std::vector<InputEdge> edges;  ///< ascending by source
};

/// How a text is laid out where its format leaves it open.
struct TextStyle {
  std::string separator = " ";
  std::string line_end = "\n";
  bool comments = false;  ///< put comments and blank lines between the lines
  uint64_t seed = 0;      ///< of where they stand
};

inline std::string WeightText(uint32_t bits, WeightType type) {
  if (type == WeightType::kInt32) return absl::StrCat(std::bit_cast<int32_t>(bits));
  const std::string text = absl::StrFormat("%.9g", std::bit_cast<float>(bits));
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

inline std::string EdgeText(const InputEdge& edge, uint64_t first_id, WeightType type,
                            const std::string& separator) {
  std::string text = absl::StrCat(edge.source + first_id, separator, edge.target + first_id);
  if (type != WeightType::kNone) {
    absl::StrAppend(&text, separator, WeightText(edge.weight_bits, type));
  }
  return text;
}

/// Edges a line from `first_id` on, comments begun by `comment_mark`.
inline std::string EdgeLines(const GraphToWrite& graph, uint64_t first_id, char comment_mark,
                             const TextStyle& style) {
  std::mt19937_64 random(style.seed);
  std::string text;
  for (const InputEdge& edge : graph.edges) {
    while (style.comments && random() % 4 == 0) {
      if (random() % 2 == 0) absl::StrAppend(&text, std::string(1, comment_mark), " 1 2 \xC3\xA9");
      text += std::string(random() % 3, ' ') + style.line_end;
    }
    if (style.comments && random() % 4 == 0) text += "\t ";
    text += EdgeText(edge, first_id, graph.weight_type, style.separator);
    if (style.comments && random() % 4 == 0) text += " \t";
    text += style.line_end;
  }
  return text;
}

inline std::string WriteSnap(const GraphToWrite& graph, const TextStyle& style) {
  return absl::StrCat(style.comments ? "# Nodes: 5 Edges: 7.5" + style.line_end : "",
                      EdgeLines(graph, 0, style.seed % 2 == 0 ? '#' : '%', style));
}

inline std::string WriteMatrixMarket(const GraphToWrite& graph, const TextStyle& style) {
  const std::string field = graph.weight_type == WeightType::kNone    ? "pattern"
                            : graph.weight_type == WeightType::kInt32 ? "integer"
                                                                      : "real";
  return absl::StrCat("%%MatrixMarket matrix coordinate ", field, " general", style.line_end,
                      style.comments ? "% made by a test" + style.line_end : "", graph.vertices,
                      style.separator, graph.vertices, style.separator, graph.edges.size(),
                      style.line_end, EdgeLines(graph, 1, '%', style));
}

/// Where the list of each vertex begins, and the number of edges behind them.
inline std::vector<uint64_t> ListOffsets(const GraphToWrite& graph) {
  std::vector<uint64_t> offsets(graph.vertices + 1, 0);
  for (const InputEdge& edge : graph.edges) ++offsets[edge.source + 1];
  for (uint64_t v = 0; v < graph.vertices; ++v) offsets[v + 1] += offsets[v];
  return offsets;
}

inline std::string WriteAdjacencyGraph(const GraphToWrite& graph, const TextStyle& style) {
  const bool weighted = graph.weight_type != WeightType::kNone;
  std::vector<std::string> words = {weighted ? "WeightedAdjacencyGraph" : "AdjacencyGraph",
                                    absl::StrCat(graph.vertices), absl::StrCat(graph.edges.size())};
  const std::vector<uint64_t> offsets = ListOffsets(graph);
  for (uint64_t v = 0; v < graph.vertices; ++v) words.push_back(absl::StrCat(offsets[v]));
  for (const InputEdge& edge : graph.edges) words.push_back(absl::StrCat(edge.target));
  if (weighted) {
    for (const InputEdge& edge : graph.edges) {
      words.push_back(WeightText(edge.weight_bits, graph.weight_type));
    }
  }
  std::mt19937_64 random(style.seed);
  std::string text;
  for (const std::string& word : words) {
    const bool same_line = style.comments && random() % 2 == 0;
    absl::StrAppend(&text, word, same_line ? style.separator : style.line_end);
  }
  return text;
}

/// Offsets and targets, with int32 weights between these if the graph has any.
inline void AppendGapbsLists(const GraphToWrite& graph, std::string& bytes) {
  for (const uint64_t offset : ListOffsets(graph)) AppendBinary(bytes, offset);
  for (const InputEdge& edge : graph.edges) {
    AppendBinary(bytes, static_cast<int32_t>(edge.target));
    if (graph.weight_type != WeightType::kNone) AppendBinary(bytes, edge.weight_bits);
  }
}

/// `.sg`, or `.wsg` of a graph with integer weights. A directed one gets `reversed` behind it.
inline std::string WriteGapbs(const GraphToWrite& graph, const GraphToWrite* reversed) {
  std::string bytes;
  AppendBinary(bytes, reversed != nullptr);
  AppendBinary(bytes, static_cast<int64_t>(graph.edges.size()));
  AppendBinary(bytes, static_cast<int64_t>(graph.vertices));
  AppendGapbsLists(graph, bytes);
  if (reversed != nullptr) AppendGapbsLists(*reversed, bytes);
  return bytes;
}

inline std::string WriteBinaryPairs(const GraphToWrite& graph) {
  std::string bytes;
  for (const InputEdge& edge : graph.edges) {
    AppendBinary(bytes, static_cast<uint32_t>(edge.source));
    AppendBinary(bytes, static_cast<uint32_t>(edge.target));
  }
  return bytes;
}

/// One gzip member.
inline std::string Gzip(const std::string& bytes) {
  z_stream stream = {};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string compressed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(compressed.data());
  stream.avail_out = static_cast<uInt>(compressed.size());
  deflate(&stream, Z_FINISH);
  compressed.resize(stream.total_out);
  deflateEnd(&stream);
  return compressed;
}

/// One zstd frame.
inline std::string Zstd(const std::string& bytes) {
  std::string compressed(ZSTD_compressBound(bytes.size()), '\0');
  compressed.resize(
      ZSTD_compress(compressed.data(), compressed.size(), bytes.data(), bytes.size(), 3));
  return compressed;
}

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_READERS_FORMAT_WRITERS_TEST_UTIL_H_

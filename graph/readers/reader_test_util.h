#ifndef FARGRAPH_GRAPH_READERS_READER_TEST_UTIL_H_
#define FARGRAPH_GRAPH_READERS_READER_TEST_UTIL_H_

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/status_macros.h"
#include "graph/edge_reader.h"
#include "graph/readers/input_file.h"
#include "graph/readers/open_edge_reader.h"

/// What the readers' tests share.
namespace fargraph {

inline bool operator==(const InputEdge& a, const InputEdge& b) {
  return a.source == b.source && a.target == b.target && a.weight_bits == b.weight_bits;
}

inline void PrintTo(const InputEdge& edge, std::ostream* out) {
  *out << edge.source << "->" << edge.target << " (" << edge.weight_bits << ")";
}

inline InputEdge IntEdge(uint64_t source, uint64_t target, int32_t weight) {
  return {source, target, std::bit_cast<uint32_t>(weight)};
}

inline InputEdge FloatEdge(uint64_t source, uint64_t target, float weight) {
  return {source, target, std::bit_cast<uint32_t>(weight)};
}

/// All that there is to know of an input.
struct InputContents {
  InputProperties properties;
  std::vector<InputEdge> edges;
};

inline absl::StatusOr<InputContents> ReadToEnd(EdgeReader& reader, size_t batch_edges = 4096) {
  InputContents contents{reader.properties(), {}};
  std::vector<InputEdge> batch(batch_edges);
  while (true) {
    FARGRAPH_ASSIGN_OR_RETURN(const size_t count, reader.Read(absl::MakeSpan(batch)));
    if (count == 0) return contents;
    contents.edges.insert(contents.edges.end(), batch.begin(), batch.begin() + count);
  }
}

/// Opens and reads `bytes` as a file named "test.graph".
inline absl::StatusOr<InputContents> ReadBytes(std::string bytes, size_t block_bytes = kMiB,
                                               size_t batch_edges = 4096) {
  FARGRAPH_ASSIGN_OR_RETURN(
      std::unique_ptr<EdgeReader> reader,
      OpenEdgeReader(MakeMemoryInput("test.graph", std::move(bytes), block_bytes)));
  return ReadToEnd(*reader, batch_edges);
}

/// Appends the bytes of `value`, as a binary file holds them.
template <typename Value>
void AppendBinary(std::string& bytes, Value value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_READERS_READER_TEST_UTIL_H_

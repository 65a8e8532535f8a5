#ifndef FARGRAPH_GRAPH_READERS_GAPBS_READER_H_
#define FARGRAPH_GRAPH_READERS_GAPBS_READER_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "graph/edge_reader.h"
#include "graph/readers/input_file.h"

namespace fargraph {

/// A serialized graph of the GAP Benchmark Suite, `.sg` or `.wsg`. In its bytes, which have no
/// padding and are little-endian:
///
///     bool    directed
///     int64   edges                  of an undirected graph both directions are counted
///     int64   vertices
///     int64   offsets[vertices + 1]  in edges
///     int32   targets[edges]         each with an int32 weight behind it in a .wsg
///     the same two arrays of the reversed edges, if directed
struct GapbsHeader {
  bool directed = false;
  bool weighted = false;
  uint64_t vertices = 0;
  uint64_t edges = 0;
};

/// True if the `head` of a file reads as such a header with ascending offsets behind it. Less than
/// a header and the first offset could as well be a few binary pairs, and gives false.
bool BeginsAsGapbs(absl::string_view head);

/// The header in a `head` that begins as a GAPBS graph. DataLoss if a graph with this header, with
/// or without weights, does not have the input's `size`.
absl::StatusOr<GapbsHeader> ParseGapbsHeader(const InputFile& input, absl::string_view head,
                                             uint64_t size);

/// Reads the lists of out-edges; the reversed edges are the same again.
absl::StatusOr<std::unique_ptr<EdgeReader>> OpenGapbsReader(std::shared_ptr<const InputFile> input,
                                                            const GapbsHeader& header);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_READERS_GAPBS_READER_H_

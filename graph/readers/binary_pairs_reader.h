#ifndef FARGRAPH_GRAPH_READERS_BINARY_PAIRS_READER_H_
#define FARGRAPH_GRAPH_READERS_BINARY_PAIRS_READER_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "graph/edge_reader.h"
#include "graph/readers/input_file.h"

namespace fargraph {

/// Binary pairs, the input of GridGraph: two little-endian 32-bit ids an edge, no header.
///
/// With no header to recognise, pairs are what looks like pairs: whole ones, not all of them 0 0,
/// and with ids below LargestPlausibleId.

/// The bound on the ids of a file of `pairs` pairs: 2^24 or 16 for every pair, whichever is larger.
/// A graph has at most two vertices for an edge, so this leaves room for ids with holes; text,
/// compressed data and machine code read as pairs run up to 2^32 within their first kilobytes.
uint64_t LargestPlausibleId(uint64_t pairs);

/// Why an input of `size` bytes that begins with `head` is not pairs; OK if it looks like pairs.
/// The status is for its message, which is the end of a sentence.
absl::Status CheckBinaryPairs(absl::string_view head, uint64_t size);

/// The input, of `size` bytes, must have passed CheckBinaryPairs. Reading checks every id.
absl::StatusOr<std::unique_ptr<EdgeReader>> OpenBinaryPairsReader(
    std::shared_ptr<const InputFile> input, uint64_t size);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_READERS_BINARY_PAIRS_READER_H_

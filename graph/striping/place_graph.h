#ifndef FARGRAPH_GRAPH_STRIPING_PLACE_GRAPH_H_
#define FARGRAPH_GRAPH_STRIPING_PLACE_GRAPH_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "graph/graph_files.h"

namespace fargraph {

struct PlaceGraphOptions {
  std::vector<std::string> directories;  ///< on each SSD one, that are there; at least one
  /// Both are called by one thread at a time. In bytes of the arrays.
  std::function<void(uint64_t done, uint64_t total)> progress = {};
  std::function<bool()> cancelled = {};
};

struct PlaceReport {
  uint64_t bytes = 0;          ///< of the lists and weights in stripes
  uint64_t written_bytes = 0;  ///< of those; the others were there and passed their checksums
};

/// Stripes the lists of a graph, and their weights, over directories, where jobs find them
/// (StripedArray): every array that is not there, or is damaged, is written in one pass over the
/// graph's own file, in a few MiB of memory for each directory.
///
/// Files get their names when all parts of an array are on the devices; an error leaves what was
/// there before. ResourceExhausted for a full disk, NotFound for a directory that is not there,
/// Cancelled when `cancelled` says so, DataLoss for a damaged graph.
absl::StatusOr<PlaceReport> PlaceGraph(const GraphFiles& files, const PlaceGraphOptions& options);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_STRIPING_PLACE_GRAPH_H_

#ifndef FARGRAPH_GRAPH_BUILDER_H_
#define FARGRAPH_GRAPH_BUILDER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "common/units.h"
#include "graph/edge_reader.h"
#include "graph/graph_files.h"

namespace fargraph {

/// Opens the input from its beginning. Called more than once; gives the same edges every time.
using EdgeReaderFactory = std::function<absl::StatusOr<std::unique_ptr<EdgeReader>>()>;

struct BuildProgress {
  absl::string_view phase;  ///< "reading", "sorting", "writing out-edges", "writing in-edges"
  uint64_t done = 0;        ///< edges of this phase
  uint64_t total = 0;       ///< 0 while unknown
};

struct BuildOptions {
  /// Store every edge in both directions, self-loops once. An input that holds every edge in both
  /// directions already stays as it is.
  bool symmetrize = false;
  /// Store in-edges too. A symmetric graph needs none and gets none.
  bool reverse = true;
  bool remove_self_loops = false;
  /// Of edges with the same source and target, keep the one with the smallest weight.
  bool remove_duplicates = false;
  /// Nothing: kDegree where the largest degree is 32 times the average or more, else kInput.
  /// Degrees are those of the input, in-edges and out-edges, duplicates included.
  std::optional<VertexOrder> order;
  /// Store the first so many neighbours of every vertex in columns of their own too, at most
  /// kMaxHeads.
  uint64_t heads = 4;
  /// Store lists as codes of about half their bytes; heads and weights stay as they are.
  bool compress = false;
  /// Replace a graph that is there already.
  bool overwrite = false;
  /// For sorting edges. The set of ids (VertexIds) comes on top of it, and some 100 MiB of buffers
  /// and page cache: by default, all fits a memory cgroup of 1 GiB.
  uint64_t memory_bytes = 512 * kMiB;
  /// Both are called by one thread at a time, up to some thousand times a second.
  std::function<void(const BuildProgress&)> progress = {};
  std::function<bool()> cancelled = {};
};

struct BuildReport {
  GraphManifest manifest;
  uint64_t input_edges = 0;        ///< as the input states them
  uint64_t isolated_vertices = 0;  ///< without a stored edge
  bool remapped = false;           ///< vertices are not the input's ids
};

/// Converts the edges that `open` reads into the graph directory `output`. External and streaming:
/// memory grows with the vertices, not with the edges; two passes over the input, then a merge sort
/// in a scratch file beside the output: of what memory_bytes do not hold, 8 bytes an edge, 16 with
/// weights or 64-bit ids, and with in-edges as many again.
///
/// Vertices are the input's ids, numbered in the order asked for; where the input declares its
/// vertices, all of them. Lists are ascending, duplicates by weight, so equal inputs in any order
/// give equal bytes. A graph that turns out to hold every edge in both directions is stored as
/// symmetric.
///
/// Until it is complete the graph is in a temporary directory beside the output, which an error
/// removes. AlreadyExists when the output is there, ResourceExhausted when the disk is full,
/// Cancelled when `cancelled` says so, InvalidArgument when the vertices do not fit VertexId,
/// DataLoss when the input is not what it declares or changes between the passes, and the errors of
/// the reader.
absl::StatusOr<BuildReport> BuildGraph(const EdgeReaderFactory& open, const std::string& output,
                                       const BuildOptions& options);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_BUILDER_H_

#ifndef FARGRAPH_COMPUTE_NODE_LOADING_PLACE_ARRAY_H_
#define FARGRAPH_COMPUTE_NODE_LOADING_PLACE_ARRAY_H_

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compute_node/loading/place_options.h"
#include "compute_node/placement/chunk_table.h"
#include "compute_node/placement/edge_lists.h"
#include "compute_node/placement/placement_plan.h"
#include "graph/graph_files.h"
#include "graph/striping/striped_array.h"

namespace fargraph {

/// An array that is to be placed.
struct ArraySource {
  const ChunkTable& chunks;
  const ArrayFile* file;        ///< that holds it as it is scanned, if there is one
  const StripedArray* stripes;  ///< the same of what lies on the job's SSDs
  std::string prefix;           ///< of its uploads
};

/// Reads an array once, as ArrayFile::Scan does.
using ArrayScan = absl::FunctionRef<absl::Status(BlockVisitor at_once, BlockVisitor in_order)>;

/// An array in its places.
struct ArrayPlacement {
  PlacedArray array;
  uint64_t far_bytes = 0;
  uint64_t ssd_bytes = 0;  ///< of those
  bool attached = true;    ///< all far bytes were there already
};

/// Brings every chunk of an array to its place, as large a part of them far as `ratios` say: to
/// local memory, to memory nodes, and what these have no room for to SSDs. What is there already,
/// as an upload or in files that SSDs can read, stays; what else is far is uploaded and sealed.
/// Calls `scan` unless all is there already; stripes are read and checked beside it. Cancelled once
/// `*options.cancelled` is true; errors of the scan and of far memory pass through.
absl::StatusOr<ArrayPlacement> PlaceArray(ArrayScan scan, const ArraySource& source,
                                          const FarRatios& ratios, const PlaceOptions& options);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_LOADING_PLACE_ARRAY_H_

#ifndef FARGRAPH_COMPUTE_NODE_LOADING_FILE_COPY_H_
#define FARGRAPH_COMPUTE_NODE_LOADING_FILE_COPY_H_

#include "compute_node/placement/chunk_table.h"
#include "compute_node/placement/far_set.h"
#include "compute_node/tiers/far_tier.h"
#include "graph/graph_files.h"

namespace fargraph {

/// The chunks of a far set, packed as it packs them, in the graph's own file, which holds all
/// chunks and outlives the result. What it reads has passed the file's checksums.
SegmentCopy CopyInFile(const ArrayFile& file, const ChunkTable& chunks, const FarSet& far_set);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_LOADING_FILE_COPY_H_

#ifndef FARGRAPH_COMPUTE_NODE_LOADING_JOB_SEGMENTS_H_
#define FARGRAPH_COMPUTE_NODE_LOADING_JOB_SEGMENTS_H_

#include <string>
#include <vector>

#include "compute_node/engine/kernel.h"
#include "compute_node/loading/place_options.h"
#include "compute_node/placement/segment.h"
#include "graph/graph_files.h"

namespace fargraph {

/// Every array of a job that runs the kernel on this graph and is placed like that.
std::vector<DataSegment> JobSegments(const GraphFiles& files, const Kernel& kernel,
                                     const KernelOptions& options, const PlaceOptions& place);

/// The segments of which the cache of a direction's lists is made: a buffer, where it keeps blocks
/// of lists, and what it has of the local memory that is left.
std::string CacheBuffer(Direction direction);
std::string CacheShare(Direction direction);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_LOADING_JOB_SEGMENTS_H_

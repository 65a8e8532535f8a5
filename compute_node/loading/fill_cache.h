#ifndef FARGRAPH_COMPUTE_NODE_LOADING_FILL_CACHE_H_
#define FARGRAPH_COMPUTE_NODE_LOADING_FILL_CACHE_H_

#include <atomic>
#include <memory>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "compute_node/pipeline/chunk_cache.h"
#include "compute_node/pipeline/edge_stream.h"
#include "compute_node/placement/edge_lists.h"

namespace fargraph {

/// Reads far chunks of the lists into the frames of their cache while there are any: those that are
/// first in their order, which are spread over all. `streams`: idle, one for each OpenMP thread.
/// Ends early when `cancelled`, unless it is nullptr, becomes true. An error means that the tier
/// has failed.
absl::Status FillCache(ChunkCache& cache, const EdgeLists& lists,
                       absl::Span<const std::unique_ptr<EdgeStream>> streams,
                       const std::atomic<bool>* cancelled);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_LOADING_FILL_CACHE_H_

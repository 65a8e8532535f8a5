#ifndef FARGRAPH_COMPUTE_NODE_LOADING_KEPT_LISTS_H_
#define FARGRAPH_COMPUTE_NODE_LOADING_KEPT_LISTS_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "compute_node/engine/kernel.h"
#include "compute_node/placement/placement_plan.h"
#include "compute_node/tiers/far_tier.h"
#include "compute_node/tiers/ssd_array.h"
#include "graph/graph_files.h"

/// What memory nodes and SSDs hold already of the lists that a kernel reads, so that a job need not
/// upload it.
namespace fargraph {

/// The chunk sizes in which the memory nodes hold all that the plan makes far, sealed: with one of
/// them LoadGraph would upload nothing. `any_part`: or at least some of each array. Empty where
/// nothing is far.
absl::StatusOr<std::set<uint64_t>> UploadedChunkSizes(const GraphFiles& files, const Kernel& kernel,
                                                      const PlacementPlan& plan, bool compressed,
                                                      bool any_part, FarTier& far_tier);

/// The far ratios, by the array, of what memory nodes hold already of these lists in chunks of that
/// size.
absl::StatusOr<std::map<std::string, double>> KeptRatios(const GraphFiles& files,
                                                         const Kernel& kernel, bool compressed,
                                                         uint64_t chunk_bytes, FarTier& far_tier);

/// The arrays, by the names of their segments, that the SSDs hold as the kernel reads them: in the
/// graph's own files, or in stripes. DataLoss as StripedArray::Find's.
absl::StatusOr<std::set<std::string>> ArraysOnSsds(const GraphFiles& files, const Kernel& kernel,
                                                   bool compressed, const SsdArray& ssds);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_LOADING_KEPT_LISTS_H_

#ifndef FARGRAPH_EVALUATION_PAGING_PAGE_LISTS_H_
#define FARGRAPH_EVALUATION_PAGING_PAGE_LISTS_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "compute_node/loading/load_graph.h"
#include "compute_node/tiers/far_tiers.h"
#include "evaluation/paging/far_pager.h"

namespace fargraph {

/// Makes lists that are all far look as if they were all local: in memory of the pager, which keeps
/// `budget_bytes` of them here. `loaded`: lists of edges, not of codes, with nothing local, and
/// rings of at least FarPager::kRunBytes for each OpenMP thread; its streams and caches go. It must
/// outlive the pager, and the tiers both; the lists are valid while the pager lives.
/// InvalidArgument for a graph without edges; errors of opening a queue and of FarPager::Start.
absl::StatusOr<std::unique_ptr<FarPager>> PageLists(LoadedGraph& loaded, FarTiers& tiers,
                                                    uint64_t budget_bytes);

}  // namespace fargraph

#endif  // FARGRAPH_EVALUATION_PAGING_PAGE_LISTS_H_

#ifndef FARGRAPH_COMPUTE_NODE_PLACEMENT_LIST_FORM_H_
#define FARGRAPH_COMPUTE_NODE_PLACEMENT_LIST_FORM_H_

#include "compute_node/tiers/link_profile.h"
#include "graph/graph_files.h"

namespace fargraph {

/// Whether scans of a compressed graph with `far_share` (0 to 1) of its lists far are faster on
/// codes than on edges: whether the link is the limit by so much that fetching fewer bytes gains
/// more than decoding them costs.
bool CodesAreFaster(double far_share, const GraphFiles& files, const LinkProfile& link);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PLACEMENT_LIST_FORM_H_

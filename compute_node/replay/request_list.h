#ifndef FARGRAPH_COMPUTE_NODE_REPLAY_REQUEST_LIST_H_
#define FARGRAPH_COMPUTE_NODE_REPLAY_REQUEST_LIST_H_

#include <vector>

#include "absl/types/span.h"
#include "compute_node/replay/block_planner.h"
#include "compute_node/replay/spc_trace.h"

namespace fargraph {

/// Plans by sorting, what BlockPlanner is compared with: the same requests for the same bytes and
/// options. A list of one request is direct submission; one of 16, sorted and merged by itself, is
/// what an operating system does with a plug list. One thread.
class RequestList {
 public:
  explicit RequestList(const BlockPlannerOptions& options) : options_(options) {}

  /// Appends to `requests` those that cover `asked`, ascending.
  void Plan(absl::Span<const ByteRange> asked, std::vector<BlockRequest>& requests);

 private:
  BlockPlannerOptions options_;
  std::vector<BlockRequest> sorted_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_REPLAY_REQUEST_LIST_H_

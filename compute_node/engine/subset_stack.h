#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_SUBSET_STACK_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_SUBSET_STACK_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compute_node/engine/graph.h"
#include "compute_node/pipeline/far_state.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "graph/ids.h"

namespace fargraph {

/// Sets of vertices, none in two of them, of which the last one comes back first: the levels of a
/// search. They are local, or far if the plan says so of the segment of that name, and then lie one
/// behind the other. Each is a list of its members, or bits where these take less, so that all take
/// no more than one VertexId per vertex. One thread; errors of far memory pass through.
class SubsetStack {
 public:
  /// The graph outlives it.
  SubsetStack(Graph& graph, absl::string_view name);

  size_t size() const { return far_ == nullptr ? local_.size() : ends_.size(); }
  void Push(VertexSubset subset);
  /// Calls visit(members) for the last ones, up to `subsets` of them, as far as they are local and
  /// few.
  template <typename Visit>
  void VisitLast(size_t subsets, Visit&& visit) const {
    for (size_t i = local_.size(); i > 0 && local_.size() - i < subsets; --i) {
      if (local_[i - 1].is_sparse()) visit(local_[i - 1].members());
    }
  }
  /// Takes the last one, of at least one. Tells if the tier has failed, also of an earlier Push.
  absl::StatusOr<VertexSubset> Pop();

 private:
  struct End {
    uint64_t address;  ///< in the tier
    bool is_bits;
  };

  BlockStream& stream() { return *far_->streams.front(); }
  uint64_t top() const { return ends_.empty() ? far_->address : ends_.back().address; }
  void Write(absl::Span<const VertexId> ids, bool is_bits);
  absl::Status Read(absl::Span<VertexId> ids);

  const VertexId vertices_;
  FarArray* const far_;              ///< the graph's; nullptr where they are local
  std::vector<VertexSubset> local_;  ///< all of them then
  std::vector<End> ends_;            ///< of those that are far
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_SUBSET_STACK_H_

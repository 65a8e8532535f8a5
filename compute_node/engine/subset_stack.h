#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_SUBSET_STACK_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_SUBSET_STACK_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "common/bitmap.h"
#include "compute_node/engine/graph.h"
#include "compute_node/engine/sequential_array.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "graph/ids.h"

namespace fargraph {

/// Sets of vertices, none in two of them, of which the last one comes back first: the levels of a
/// search. They lie one behind the other in a SequentialArray, each as a list of its members, or as
/// bits where these take less, so that all take no more than one VertexId per vertex. One thread;
/// errors of far memory pass through.
class SubsetStack {
 public:
  /// `name`: of the array's segment. The vertices from `end` on are in no set that has another
  /// vertex.
  static absl::StatusOr<SubsetStack> Make(Graph& graph, absl::string_view name, VertexId end);

  size_t size() const { return ends_.size(); }
  absl::Status Push(const VertexSubset& subset);
  /// Takes the last one, of at least one.
  absl::StatusOr<VertexSubset> Pop();

 private:
  struct End {
    size_t position;  ///< in the array
    bool is_bits;
  };

  SubsetStack(VertexId vertices, SequentialArray<VertexId> array)
      : vertices_(vertices), array_(std::move(array)) {}
  size_t top() const { return ends_.empty() ? 0 : ends_.back().position; }
  absl::Status Append(absl::Span<const VertexId> ids, bool is_bits);

  const VertexId vertices_;
  SequentialArray<VertexId> array_;
  std::vector<End> ends_;  ///< of the sets
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_SUBSET_STACK_H_

#ifndef FARGRAPH_COMPUTE_NODE_PIPELINE_ASKED_LISTS_H_
#define FARGRAPH_COMPUTE_NODE_PIPELINE_ASKED_LISTS_H_

#include <cstddef>
#include <cstdint>

#include "compute_node/pipeline/fetch_run.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "compute_node/placement/edge_lists.h"
#include "graph/ids.h"

namespace fargraph {

/// The lists that a scan asks for: those of the active vertices, without the first `skip` edges of
/// each. Lists with no more edges are not asked for. What it is made of outlives it.
class AskedLists {
 public:
  /// `active`: sorted if it is sparse.
  AskedLists(const EdgeLists& lists, const VertexSubset& active, EdgeOffset skip)
      : lists_(lists), active_(active), skip_(skip) {}

  /// Calls visit(v, list) for each that is in the chunk, in the order in which they lie. A code is
  /// read from its beginning.
  template <typename Visit>
  void ForEach(size_t chunk, Visit&& visit) const {
    const ChunkTable& chunks = lists_.chunks();
    const uint64_t skipped = lists_.compressed() ? 0 : skip_;
    active_.ForEach(chunks.FirstVertex(chunk), chunks.FirstVertex(chunk + 1), [&](VertexId v) {
      if (lists_.Degree(v) <= skip_) return;
      const ElementRange stored = lists_.Stored(v, chunk);
      visit(v, ElementRange{stored.begin + skipped, stored.end});
    });
  }

  struct Joined {
    FetchRun run;
    uint64_t lists = 0;  ///< 0: there is nothing to fetch, and no run
  };
  /// All that are in the chunk, as one run with what lies in between.
  Joined Join(size_t chunk) const;

 private:
  Joined JoinOneByOne(size_t chunk) const;
  Joined JoinByGroups(size_t chunk) const;

  const EdgeLists& lists_;
  const VertexSubset& active_;
  const EdgeOffset skip_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PIPELINE_ASKED_LISTS_H_

#ifndef FARGRAPH_GRAPH_BUILDER_RENUMBERING_H_
#define FARGRAPH_GRAPH_BUILDER_RENUMBERING_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "graph/ids.h"

namespace fargraph {

/// True if the largest degree is at least 32 times the average, as in social networks and on the
/// web: so that an order by degree has a group of hubs. Vertices without edges do not count.
bool DegreesAreSkewed(absl::Span<const VertexId> degrees);

/// Which vertex is which: by default, each has the rank of its id among the input's ids as its
/// number.
class Renumbering {
 public:
  Renumbering() = default;

  /// Hubs first, by degree-based grouping: vertices of at least 32, 16, 8, 4, 2, 1 and 1/2 times
  /// the average degree, all others, and last those without edges. Within a group they keep their
  /// order, and so the locality that it has. `degrees` are by rank.
  ///
  /// Priyank Faldu, Jeff Diamond, and Boris Grot. "A Closer Look at Lightweight Graph Reordering."
  /// IEEE International Symposium on Workload Characterization (IISWC), Orlando, Florida, November
  /// 2019.
  static Renumbering HubsFirst(std::vector<VertexId> degrees);

  /// True if every vertex is its rank.
  bool identity() const { return vertices_.empty(); }
  uint64_t VertexOf(uint64_t rank) const { return identity() ? rank : vertices_[rank]; }
  /// Asks for what VertexOf will read, of a rank or of anything else.
  void Prefetch(uint64_t rank) const {
    if (rank < vertices_.size()) __builtin_prefetch(&vertices_[rank]);
  }
  /// The vertices by rank; empty if they are their ranks.
  absl::Span<const VertexId> vertices() const { return vertices_; }

 private:
  explicit Renumbering(std::vector<VertexId> vertices) : vertices_(std::move(vertices)) {}

  std::vector<VertexId> vertices_;
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_BUILDER_RENUMBERING_H_

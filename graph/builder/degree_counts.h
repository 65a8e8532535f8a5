#ifndef FARGRAPH_GRAPH_BUILDER_DEGREE_COUNTS_H_
#define FARGRAPH_GRAPH_BUILDER_DEGREE_COUNTS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "graph/builder/vertex_ids.h"
#include "graph/edge_reader.h"
#include "graph/ids.h"

namespace fargraph {

/// Counts the edges at each id of an input, whichever end it is, before the ids are ranked. A
/// counter has one byte, since most vertices have few edges, and carries to a hash map: memory is 1
/// to 2 bytes an id where ids are dense, and some 40 where they are scattered.
class DegreeCounts {
 public:
  /// The ids of [first_id, first_id + dense_ids) have their counters in a table, which grows up to
  /// the largest that occurs; all others in a hash map.
  DegreeCounts(uint64_t first_id, uint64_t dense_ids, bool count_self_loops)
      : first_id_(first_id), dense_ids_(dense_ids), count_self_loops_(count_self_loops) {}

  /// Counts both ends of every edge; of a self-loop, both or none. One thread calls, all work.
  void Add(absl::Span<const InputEdge> edges);

  /// The counts by the ranks of `ids`, which have every id that was counted, up to the largest
  /// VertexId.
  std::vector<VertexId> ByRank(const VertexIds& ids);

 private:
  static constexpr uint64_t kBlockIds = 16;  // neighbouring ids that share an entry of `sparse_`
  using Block = std::array<uint8_t, kBlockIds>;

  // nullptr if the id has none yet.
  uint8_t* FindCounter(uint64_t id) {
    if (id - first_id_ < dense_.size()) return &dense_[id - first_id_];
    return sparse_.empty() ? nullptr : FindSparseCounter(id);
  }
  uint8_t* FindSparseCounter(uint64_t id);
  void Prefetch(uint64_t id) const {
    if (id - first_id_ < dense_.size()) __builtin_prefetch(&dense_[id - first_id_], /*rw=*/1);
  }
  // Zero if it is new.
  uint8_t& MakeCounter(uint64_t id);

  uint64_t first_id_;
  uint64_t dense_ids_;
  bool count_self_loops_;
  std::vector<uint8_t> dense_;
  absl::flat_hash_map<uint64_t, Block> sparse_;
  absl::flat_hash_map<uint64_t, uint64_t> carries_;  // how often the counter of an id overflowed
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_BUILDER_DEGREE_COUNTS_H_

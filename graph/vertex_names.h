#ifndef FARGRAPH_GRAPH_VERTEX_NAMES_H_
#define FARGRAPH_GRAPH_VERTEX_NAMES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graph/format/array_cursor.h"
#include "graph/graph_files.h"
#include "graph/ids.h"

namespace fargraph {

/// What the input calls the vertices of a graph: any 64-bit ids, no two alike. Nothing of it is in
/// memory: every call reads the blocks that it needs, checks their checksums, and fails with
/// DataLoss where a file is damaged. Any thread may call.
class VertexNames {
 public:
  /// Files of a graph directory (docs/file-format.md); nullptr for what it has not. They outlive
  /// this object.
  struct Arrays {
    const ArrayFile* ids = nullptr;    ///< ids by rank: ascending; else every id is its rank
    const ArrayFile* order = nullptr;  ///< vertices by rank; else every vertex is its rank
    const ArrayFile* ranks = nullptr;  ///< ranks by vertex: there if `order` is
  };

  VertexNames(uint64_t vertices, const Arrays& arrays) : vertices_(vertices), arrays_(arrays) {}

  uint64_t vertices() const { return vertices_; }
  const Arrays& arrays() const { return arrays_; }
  /// True if every vertex is called by its number.
  bool identity() const { return arrays_.ids == nullptr && arrays_.order == nullptr; }
  /// True if a vertex with a smaller number has a smaller id.
  bool ascending() const { return arrays_.order == nullptr; }

  absl::StatusOr<uint64_t> IdOf(VertexId vertex) const;

  /// The vertex of an id; nothing if no vertex is called so.
  absl::StatusOr<std::optional<VertexId>> Find(uint64_t id) const;

  /// The id with so many smaller ones, fewer than vertices().
  absl::StatusOr<uint64_t> IdOfRank(uint64_t rank) const;

  /// The ids by vertex, all in memory.
  absl::StatusOr<std::vector<uint64_t>> ReadIds() const;

 private:
  absl::StatusOr<std::optional<uint64_t>> FindRank(uint64_t id) const;

  uint64_t vertices_;
  Arrays arrays_;
};

struct VertexName {
  VertexId vertex = 0;
  uint64_t id = 0;
};

/// Walks all vertices of a graph in ascending order of their ids, in little memory. Used by one
/// thread.
class AscendingNames {
 public:
  explicit AscendingNames(const VertexNames& names);

  /// The next, vertices() times. DataLoss where a file is damaged.
  absl::Status Next(VertexName& name);

 private:
  uint64_t vertices_;
  std::optional<ArrayCursor<uint64_t>> ids_;
  std::optional<ArrayCursor<VertexId>> order_;
  uint64_t rank_ = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_VERTEX_NAMES_H_

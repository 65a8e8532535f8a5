#include "algorithms/building_blocks/component_labels.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "common/status_macros.h"
#include "compute_node/engine/vertex_map.h"
#include "graph/format/array_reader.h"
#include "graph/graph_files.h"

namespace fargraph {
namespace {

absl::Status NoRank(const ArrayFile& ranks, uint64_t v, VertexId rank) {
  return DamagedFileError(ranks.path(),
                          absl::StrCat("number ", v, " is ", rank, " of ", ranks.elements()));
}

/// Calls visit(v, rank) for every vertex, on several cores.
template <typename Visit>
absl::Status ForEachRank(const ArrayFile& ranks, Visit&& visit) {
  const auto visit_block = [&](uint64_t offset, absl::Span<const std::byte> block) -> absl::Status {
    const auto* rank = reinterpret_cast<const VertexId*>(block.data());
    const uint64_t first = offset / sizeof(VertexId);
    const uint64_t end = first + block.size() / sizeof(VertexId);
    for (uint64_t v = first; v < end; ++v, ++rank) {
      if (*rank >= ranks.elements()) return NoRank(ranks, v, *rank);
      visit(static_cast<VertexId>(v), *rank);
    }
    return absl::OkStatus();
  };
  return ranks.Scan(visit_block, IgnoreBlock);
}

/// Keeps the smaller of two ranks. Most are not smaller, and threads that only look share a line.
void KeepSmaller(VertexId rank, VertexId& smallest) {
  std::atomic_ref kept(smallest);
  VertexId before = kept.load(std::memory_order_relaxed);
  while (rank < before && !kept.compare_exchange_weak(before, rank, std::memory_order_relaxed)) {
  }
}

/// components[v] = values[components[v]] for every vertex.
void Replace(const VertexArray<VertexId>& values, VertexArray<VertexId>& components) {
  VertexMap(static_cast<VertexId>(components.size()),
            [&](VertexId v) { components[v] = values[components[v]]; });
}

}  // namespace

absl::Status LabelBySmallestId(const VertexNames& names, VertexArray<VertexId>& components) {
  if (names.ascending()) return absl::OkStatus();
  const ArrayFile& ranks = *names.arrays().ranks;

  VertexArray<VertexId> smallest_rank(components.size(), kNoVertex);  // by component
  FARGRAPH_RETURN_IF_ERROR(ForEachRank(
      ranks, [&](VertexId v, VertexId rank) { KeepSmaller(rank, smallest_rank[components[v]]); }));
  Replace(smallest_rank, components);

  VertexArray<VertexId>& vertex = smallest_rank;  // by rank, of those that are the smallest
  FARGRAPH_RETURN_IF_ERROR(ForEachRank(ranks, [&](VertexId v, VertexId rank) {
    if (components[v] == rank) std::atomic_ref(vertex[rank]).store(v, std::memory_order_relaxed);
  }));
  Replace(vertex, components);
  return absl::OkStatus();
}

}  // namespace fargraph

#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_VERTEX_MAP_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_VERTEX_MAP_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "compute_node/engine/on_team.h"
#include "compute_node/pipeline/list_in_parts.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "graph/bitmap.h"
#include "graph/ids.h"
#include "graph/thread_count.h"

namespace fargraph {

/// The least work for which threads are woken: a smaller loop over vertices is done before they
/// come. A search with many small levels would else spend its time in barriers.
inline constexpr size_t kVerticesPerTask = 64 * 64;

/// Loops over all vertices deal these out to the threads in turn, so many at a time: if each thread
/// had one part of them, the first would have nearly all the work where hubs come first and those
/// without edges last. A thread has the same vertices in every loop, and a loop over no more than
/// these is one thread's.
inline constexpr VertexId kVerticesInTurn = 8192;
inline constexpr size_t kWordsInTurn = kVerticesInTurn / Bitmap::kWordBits;  ///< of their bits

/// Calls visit(v) for every vertex of [0, vertices), on all cores.
template <typename Visit>
void VertexMap(VertexId vertices, Visit&& visit) {
#pragma omp parallel for schedule(static, kVerticesInTurn) if (vertices > kVerticesInTurn)
  for (VertexId v = 0; v < vertices; ++v) visit(v);
}

/// Calls visit(v) for every member of `subset`, on all cores.
template <typename Visit>
void VertexMap(const VertexSubset& subset, Visit&& visit) {
  if (subset.is_sparse()) {
    const absl::Span<const VertexId> members = subset.members();
    OnTeam(members.size() > kVerticesPerTask, [&] {
#pragma omp for schedule(static) nowait
      for (size_t i = 0; i < members.size(); ++i) visit(members[i]);
    });
    return;
  }
  const size_t vertices = subset.vertices();
#pragma omp parallel for schedule(dynamic) if (vertices > kVerticesPerTask)
  for (size_t begin = 0; begin < vertices; begin += kVerticesPerTask) {
    subset.bitmap().ForEachSet(begin, std::min(begin + kVerticesPerTask, vertices), visit);
  }
}

/// Sets in `bits` the members of `subset`, on all cores.
inline void Include(const VertexSubset& subset, Bitmap& bits) {
  if (subset.is_sparse()) {
    bits.SetAll(subset.members());
    return;
  }
#pragma omp parallel for schedule(static) if (subset.vertices() > kVerticesPerTask)
  for (size_t word = 0; word < bits.words(); ++word) {
    bits.SetWord(word, bits.word(word) | subset.bitmap().word(word));
  }
}

/// The members of two subsets that have none in common.
inline VertexSubset Union(VertexSubset a, const VertexSubset& b) {
  if (b.empty()) return a;
  if (a.is_sparse() && b.is_sparse()) {
    std::vector<VertexId> members(a.members().begin(), a.members().end());
    absl::c_copy(b.members(), std::back_inserter(members));
    return VertexSubset::Of(a.vertices(), std::move(members));
  }
  Bitmap members = std::move(a).ToBitmap();
  Include(b, members);
  return VertexSubset(std::move(members));
}

/// The vertices of [0, vertices) for which keep(v) is true, tried on all cores.
template <typename Keep>
VertexSubset VertexFilter(VertexId vertices, Keep&& keep) {
  Bitmap members(vertices);
#pragma omp parallel for schedule(static, kWordsInTurn) if (vertices > kVerticesInTurn)
  for (size_t word = 0; word < members.words(); ++word) {
    members.AssignWord(word, keep);
  }
  return VertexSubset(std::move(members));
}

/// The members of `subset` for which keep(v) is true, tried on all cores. Few are held as a list,
/// ascending if they were.
template <typename Keep>
VertexSubset VertexFilter(const VertexSubset& subset, Keep&& keep) {
  if (subset.is_sparse()) {
    const absl::Span<const VertexId> few = subset.members();
    const auto list = [&](size_t begin, size_t end, std::vector<VertexId>& kept) {
      absl::c_copy_if(few.subspan(begin, end - begin), std::back_inserter(kept), keep);
    };
    return VertexSubset(subset.vertices(),
                        ListInParts(few.size(), ThreadCountFor(few.size()), /*expected=*/0, list));
  }
  Bitmap members(subset.vertices());
#pragma omp parallel for schedule(static, kWordsInTurn) if (subset.vertices() > kVerticesInTurn)
  for (size_t word = 0; word < members.words(); ++word) {
    uint64_t kept = subset.bitmap().word(word);
    ForEachBit(kept, [&](int bit) {
      if (!keep(static_cast<VertexId>(word * 64 + bit))) kept &= ~(uint64_t{1} << bit);
    });
    members.SetWord(word, kept);
  }
  return VertexSubset(std::move(members)).ListedIfFew();
}

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_VERTEX_MAP_H_

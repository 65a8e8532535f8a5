#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_EDGE_MAP_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_EDGE_MAP_H_

#include <omp.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/status_macros.h"
#include "compute_node/engine/for_each_list.h"
#include "compute_node/engine/graph.h"
#include "compute_node/engine/list_scan.h"
#include "compute_node/engine/next_frontier.h"
#include "compute_node/engine/vertex_map.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "graph/bitmap.h"

namespace fargraph {

/// The edge maps of one traversal, after Ligra's edgeMap (Shun and Blelloch, PPoPP 2013): applies a
/// step to every edge that leaves a frontier and returns the targets for which it said true, the
/// next frontier. Step has
///
///     bool UpdateAtomic(VertexId source, VertexId target);  // by any thread; true at most once
///                                                           // for each target and step
///     bool Update(VertexId source, VertexId target);        // the same while no other thread is
///                                                           // at work on the target
///     bool Cond(VertexId target);                           // of a pull: it wants more sources
///
/// and, as a pair that may be left out,
///
///     bool IsOpen(VertexId target);    // cheap; a push updates no target that is not
///     void Prefetch(VertexId target);  // is open, and will be updated soon
///
/// It pushes along the out-edges of the frontier, or pulls along the in-edges of every vertex that
/// wants (where the graph has in-edges), whichever costs less. Used by one thread, which all
/// cores help; keeps what the steps of a traversal share. Errors as in ForEachList.
class EdgeMap {
 public:
  explicit EdgeMap(Graph& graph)
      : graph_(graph), next_(graph.vertices()), candidates_(graph.vertices()) {}

  template <typename Step>
  absl::StatusOr<VertexSubset> operator()(const VertexSubset& frontier, Step& step) {
    return PullIsCheaper(frontier) ? Pull(frontier, step) : Push(frontier, step);
  }

  /// Any thread may reach any target, so the step updates atomically; not where one thread does it
  /// all, as with small frontiers.
  template <typename Step>
  absl::StatusOr<VertexSubset> Push(const VertexSubset& frontier, Step& step);

  /// One thread owns a target: no atomics. Heads come first; of the lists only the tails are read,
  /// and only of those vertices that the heads did not satisfy. Heads are looked at while tails of
  /// other vertices are under way.
  template <typename Step>
  absl::StatusOr<VertexSubset> Pull(const VertexSubset& frontier, Step& step);

 private:
  template <typename Step>
  class Pusher;

  bool PullIsCheaper(const VertexSubset& frontier);
  VertexSubset Reached(VertexSubset next);
  template <typename Step>
  uint64_t PullFromHeads(const Bitmap& frontier, VertexId begin, VertexId end, Step& step,
                         VertexSubset& unsatisfied);

  Graph& graph_;
  NextFrontier next_;
  uint64_t candidates_;  ///< so many vertices with in-edges still want, as far as the steps show
  double expected_ = 0;  ///< targets of this step, if its edges lead anywhere; 0: not estimated
  double spread_ = 1;    ///< part of these that the last step with an estimate found
};

/// What one thread does in a push.
template <typename Step>
class EdgeMap::Pusher {
 public:
  Pusher(EdgeMap& edge_map, Step& step)
      : step_(step), found_(edge_map.next_.part()), alone_(!omp_in_parallel()) {}

  void operator()(VertexId source, absl::Span<const VertexId> targets, const std::byte*) {
    Push([source](size_t) { return source; }, targets);
  }
  void operator()(absl::Span<const VertexId> sources, absl::Span<const VertexId> targets) {
    Push([sources](size_t i) { return sources[i]; }, targets);
  }

 private:
  /// Edge i leads from source(i) to targets[i]. Most lead to targets that are closed, and which
  /// ones cannot be foreseen: so those to open ones are picked out of a block, without a branch,
  /// before the first of them is pushed.
  template <typename Source>
  void Push(const Source& source, absl::Span<const VertexId> targets) {
    if constexpr (requires { step_.IsOpen(VertexId{}); }) {
      constexpr size_t kBlock = 256;
      std::array<VertexId, kBlock> open_sources, open_targets;
      for (size_t begin = 0; begin < targets.size(); begin += kBlock) {
        const size_t end = std::min(begin + kBlock, targets.size());
        size_t count = 0;
        for (size_t i = begin; i < end; ++i) {
          open_sources[count] = source(i);
          open_targets[count] = targets[i];
          count += step_.IsOpen(targets[i]);
        }
        for (size_t i = 0; i < count; ++i) step_.Prefetch(open_targets[i]);
        PushAll([&](size_t i) { return open_sources[i]; },
                absl::MakeConstSpan(open_targets.data(), count));
      }
    } else {
      PushAll(source, targets);
    }
  }

  template <typename Source>
  void PushAll(const Source& source, absl::Span<const VertexId> targets) {
    if (alone_) {
      found_.AddIf(targets, [&](size_t i) { return step_.Update(source(i), targets[i]); });
    } else {
      found_.AddIf(targets, [&](size_t i) { return step_.UpdateAtomic(source(i), targets[i]); });
    }
  }

  Step& step_;
  NextFrontier::Part& found_;
  const bool alone_;  ///< no other thread pushes
};

template <typename Step>
absl::StatusOr<VertexSubset> EdgeMap::Push(const VertexSubset& frontier, Step& step) {
  const auto soon = [&](auto&& take) { next_.VisitListed(take); };
  FARGRAPH_RETURN_IF_ERROR(ScanLists(
      graph_, Direction::kOut, &frontier, [&] { return Pusher<Step>(*this, step); },
      /*tails=*/std::nullopt, ListScan::Soon(soon)));
  return Reached(next_.Take());
}

template <typename Step>
absl::StatusOr<VertexSubset> EdgeMap::Pull(const VertexSubset& frontier, Step& step) {
  FARGRAPH_RETURN_IF_ERROR(graph_.CheckHas(Direction::kIn));
  const Bitmap of_sparse = frontier.is_sparse() ? frontier.ToBitmap() : Bitmap();
  const Bitmap& in_frontier = frontier.is_sparse() ? of_sparse : frontier.bitmap();
  VertexSubset unsatisfied = VertexSubset::NoBits(graph_.vertices());
  std::atomic<uint64_t> candidates = 0;
  const auto pull_from_heads = [&](VertexId begin, VertexId end) {
    candidates += PullFromHeads(in_frontier, begin, end, step, unsatisfied);
  };
  const auto pull = [&](VertexId target, absl::Span<const VertexId> sources) {
    for (const VertexId source : sources) {
      if (!in_frontier.Test(source)) continue;
      if (step.Update(source, target)) next_.bits().Set(target);
      if (!step.Cond(target)) return false;
    }
    return true;
  };
  FARGRAPH_RETURN_IF_ERROR(ForEachChosenTail(graph_, Direction::kIn, unsatisfied,
                                             graph_.heads(Direction::kIn).columns(),
                                             pull_from_heads, pull));
  candidates_ = candidates;
  unsatisfied = VertexSubset(graph_.vertices());  // before there are further bits
  return Reached(next_.TakeBits());
}

/// Pulls from the heads of the vertices [begin, end) that want. Adds those that want their tails as
/// well to `unsatisfied`, and returns how many have a neighbour. Takes 64 targets at a time, so
/// that nothing depends on a branch that cannot be foreseen: whether a head is in the frontier.
template <typename Step>
uint64_t EdgeMap::PullFromHeads(const Bitmap& frontier, VertexId begin, VertexId end, Step& step,
                                VertexSubset& unsatisfied) {
  const Heads& heads = graph_.heads(Direction::kIn);
  uint64_t candidates = 0;
  for (size_t word = begin / 64; word * 64 < end; ++word) {
    const VertexId first = static_cast<VertexId>(word * 64);
    uint64_t wanting = Bitmap::MakeWord(word, begin, end, [&](VertexId v) { return step.Cond(v); });
    uint64_t with_neighbors = wanting;
    uint64_t found = 0;
    for (size_t j = 0; j < heads.columns() && wanting != 0; ++j) {
      const auto [hits, ended] = heads.Probe(j, first, wanting, frontier);
      ForEachBit(hits, [&](int bit) {
        if (step.Update(heads.At(j, first + bit), first + bit)) found |= uint64_t{1} << bit;
        if (!step.Cond(first + bit)) wanting &= ~(uint64_t{1} << bit);
      });
      wanting &= ~ended;
      if (j == 0) with_neighbors &= ~ended;
    }
    candidates += std::popcount(with_neighbors);
    next_.bits().SetWithin(word, begin, end, found);
    unsatisfied.AddUncounted(word, begin, end, wanting);
  }
  return candidates;
}

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_EDGE_MAP_H_

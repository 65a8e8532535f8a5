/*
Maximal independent set: vertices of which no two are neighbours, and to which none can be added.

The set is the one that a greedy search finds which takes the vertices in a fixed order, each unless
a neighbour has been taken. Here every vertex without a neighbour before it that may still be taken
is taken at once, and rules its neighbours out; what that leaves undecided has another turn. The
order is random among vertices of like degrees, so that few turns are needed, and those with fewer
neighbours come first: the set becomes larger, and hubs are ruled out before anybody reads their
lists.

Most lists are never read: the vertices have their turns in prefixes of the order, each twice as
long as the one before, and most of a prefix has been ruled out by those before it.

An edge makes its two ends neighbours whichever way it points; self-loops do not count.

Values: a vertex of the set has 1, others 0, the same on every placement and for any number of
threads.

Guy E. Blelloch, Jeremy T. Fineman, and Julian Shun. "Greedy Sequential Maximal Independent Set and
Matching are Parallel on Average." ACM Symposium on Parallelism in Algorithms and Architectures
(SPAA), Pittsburgh, Pennsylvania, June 2012.
Martin Burtscher, Sindhu Devale, Sahar Azimi, Jayadharini Jaiganesh, and Evan Powers. "A High-
Quality and Fast Maximal Independent Set Implementation for GPUs." ACM Transactions on Parallel
Computing, 5(2):8, December 2018. (An order by degree, and a rank that becomes the decision.)
*/

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "algorithms/building_blocks/both_ends.h"
#include "algorithms/building_blocks/prefetched.h"
#include "algorithms/verification/mis_verifier.h"
#include "common/mix_bits.h"
#include "common/status_macros.h"
#include "compute_node/engine/for_each_list.h"
#include "compute_node/engine/kernel_registry.h"
#include "compute_node/engine/vertex_map.h"
#include "graph/bitmap.h"

namespace fargraph {
namespace {

/// A vertex' place in the order while it is undecided: the number of bits of its degree, then 25
/// bits of a hash of its number (equal ones stand in the order of their numbers). Once it is
/// decided, before or behind all others.
using Rank = int32_t;
constexpr Rank kTaken = 0;
constexpr Rank kRuledOut = std::numeric_limits<Rank>::max();

Rank RankOf(VertexId v, EdgeOffset degree) {
  constexpr int kHashBits = 25;
  const int degree_bits = std::min<int>(std::bit_width(degree), 62);
  return static_cast<Rank>(degree_bits << kHashBits | SplitMix64(v) >> (64 - kHashBits));
}

class GreedySearch {
 public:
  explicit GreedySearch(Graph& graph) : graph_(graph), ranks_(graph.vertices()) {
    VertexMap(graph.vertices(), [&](VertexId v) {
      const EdgeOffset degree = EdgesAt(graph, v);
      ranks_[v] = degree == 0 ? kTaken : RankOf(v, degree);
    });
  }

  absl::Status DecideAll() {
    for (const Rank end : PrefixEnds()) {
      VertexSubset undecided = VertexFilter(graph_.vertices(), [&](VertexId v) -> bool {
        const Rank rank = ranks_[v];
        return (rank != kTaken) & (rank < end);  // without a branch; end <= kRuledOut
      });
      const size_t vertices = undecided.size();
      while (!undecided.empty()) {
        FARGRAPH_RETURN_IF_ERROR(TakeFirstOnes(undecided));
        const size_t before = undecided.size();
        undecided = VertexFilter(undecided, [&](VertexId v) { return IsUndecided(v); });
        if (undecided.size() == before) return NobodyIsFirst();
      }
      graph_.EndIteration(vertices);
    }
    return absl::OkStatus();
  }

  /// Once all are decided.
  VertexArray<int32_t> TakeMembers() {
    VertexMap(graph_.vertices(), [&](VertexId v) { ranks_[v] = ranks_[v] == kTaken; });
    return std::move(ranks_);
  }

 private:
  /// Of all that are undecided the first in the order waits for nobody, unless one of its
  /// neighbours was taken and did not know of it.
  static absl::Status NobodyIsFirst() {
    return absl::DataLossError(
        "mis found an edge that is in the list of one of its ends only, so the graph is damaged or "
        "not as symmetric as it says; convert the graph again");
  }

  /// Where prefixes of the order end, found in a sample. Of the first a vertex has about one
  /// neighbour.
  std::vector<Rank> PrefixEnds() {
    constexpr VertexId kSample = 4096;
    std::vector<Rank> sample;
    for (VertexId v = 0; v < graph_.vertices(); v += 1 + graph_.vertices() / kSample) {
      if (IsUndecided(v)) sample.push_back(ranks_[v]);
    }
    std::sort(sample.begin(), sample.end());
    std::vector<Rank> ends;
    const EdgeOffset mean_degree =
        graph_.Lists(Direction::kOut).edges() / std::max<VertexId>(graph_.vertices(), 1);
    for (size_t length = sample.size() / (mean_degree + 1) + 1; length < sample.size();
         length *= 2) {
      ends.push_back(sample[length]);
    }
    ends.push_back(kRuledOut);
    return ends;
  }

  /// Takes those of the vertices that no neighbour makes wait, and rules their neighbours out.
  absl::Status TakeFirstOnes(const VertexSubset& vertices) {
    Bitmap waiting(graph_.vertices());
    const auto look = [&](VertexId v, absl::Span<const VertexId> neighbors) {
      if (!IsUndecided(v)) return false;
      if (HasToWait(v, neighbors)) {
        waiting.Set(v);
        return false;
      }
      const bool has_seen_all = graph_.symmetric() && neighbors.size() == graph_.OutDegree(v);
      if (has_seen_all) {
        Decide(v, kTaken);
        RuleOut(v, neighbors);
      }
      return true;
    };
    FARGRAPH_RETURN_IF_ERROR(ForEachList(graph_, Direction::kOut, &vertices, look));
    const auto may_be_taken = [&](VertexId v) { return IsUndecided(v) && !waiting.Test(v); };
    VertexSubset first_ones = VertexFilter(vertices, may_be_taken);
    if (!graph_.symmetric()) {
      FARGRAPH_RETURN_IF_ERROR(ForEachList(graph_, Direction::kIn, &first_ones, look));
      first_ones = VertexFilter(first_ones, may_be_taken);
    }
    return Take(first_ones);
  }

  /// Takes vertices whose neighbours it reads anew: they came in several pieces.
  absl::Status Take(const VertexSubset& vertices) {
    if (vertices.empty()) return absl::OkStatus();
    VertexMap(vertices, [&](VertexId v) { Decide(v, kTaken); });
    const auto rule_out = [&](VertexId v, absl::Span<const VertexId> neighbors) {
      RuleOut(v, neighbors);
    };
    return ForBothEnds(graph_, [&](Direction direction) {
      return ForEachList(graph_, direction, &vertices, rule_out);
    });
  }

  /// True if one of the neighbours comes before v and is not ruled out. What other threads decide
  /// meanwhile is of no account: who does not have to wait now never will.
  bool HasToWait(VertexId v, absl::Span<const VertexId> neighbors) {
    const Rank rank = ranks_[v];
    for (const VertexId neighbor : PrefetchedToRead(neighbors, ranks_.data())) {
      const Rank other = RankNow(neighbor);
      if (other < rank || (other == rank && neighbor < v)) return true;
    }
    return false;
  }

  void RuleOut(VertexId taken, absl::Span<const VertexId> neighbors) {
    for (const VertexId v : neighbors) {
      if (v != taken) Decide(v, kRuledOut);
    }
  }

  void Decide(VertexId v, Rank decision) {
    std::atomic_ref(ranks_[v]).store(decision, std::memory_order_relaxed);
  }
  Rank RankNow(VertexId v) { return std::atomic_ref(ranks_[v]).load(std::memory_order_relaxed); }
  bool IsUndecided(VertexId v) {
    const Rank rank = RankNow(v);
    return rank != kTaken && rank != kRuledOut;
  }

  Graph& graph_;
  VertexArray<Rank> ranks_;
};

class Mis : public Kernel {
 public:
  absl::string_view name() const override { return "mis"; }
  absl::string_view summary() const override {
    return "maximal independent set: whether each vertex is in it, whichever way edges point";
  }
  ListUse out_lists() const override { return ListUse::kEdges; }
  ListUse in_lists() const override { return ListUse::kEdges; }

  std::vector<DataSegment> Segments(const GraphManifest& graph,
                                    const KernelOptions&) const override {
    std::vector<DataSegment> segments = {
        VertexSegment<Rank>("rank", graph.vertices, kRandomReadWrite),
        VertexBits("undecided", graph.vertices), VertexBits("next_undecided", graph.vertices),
        VertexBits("waiting", graph.vertices)};
    if (!graph.symmetric) segments.push_back(VertexBits("first_ones", graph.vertices));
    return segments;
  }

  /// Where hubs come first most of what it reads is theirs, and of what is at hand, too.
  Effort EffortOn(const GraphManifest& graph, const KernelOptions&,
                  const ListTraits& lists) const override {
    const double directions = Directions(graph);
    const double hubs = 0.13 * std::pow(lists.far_ratio, 8);
    return {
        .list_reads = lists.Of({.deep = 0.6, .clustered = 0.5, .hubs = hubs, .scattered = 0.13}),
        .parts = graph.order == VertexOrder::kDegree ? 0.9 : 5.4,  // vertices go by degree
        .edge_visits = directions,
        .random_visits = 0.15 * directions,
        .vertex_visits = lists.kind == GraphKind::kClustered ? 45 : 32.,
        .steps = 12};
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions&) const override {
    GreedySearch search(graph);
    FARGRAPH_RETURN_IF_ERROR(search.DecideAll());
    KernelResult result;
    result.columns.push_back({"member", search.TakeMembers()});
    return result;
  }

  absl::Status Summarize(const Graph&, KernelResult& result) const override {
    const auto& members = std::get<VertexArray<int32_t>>(result.columns[0].values);
    result.answer["members"] = std::count(members.begin(), members.end(), 1);
    return absl::OkStatus();
  }

  absl::Status Verify(const GraphFiles& files, const KernelOptions&,
                      const KernelResult& result) const override {
    return VerifyMis(files, result);
  }
};

FARGRAPH_REGISTER_KERNEL(Mis);

}  // namespace
}  // namespace fargraph

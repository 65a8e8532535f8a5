/*
PageRank by deltas: the ranks of pagerank (damping 0.85, the rank of dangling vertices spread over
all), in iterations that read the lists of those vertices only whose rank has changed enough.

A vertex holds its rank and the part of it that its out-neighbours have not been told yet, its
change. In an iteration every active vertex pushes its change, damped and divided by its out-degree,
to its out-neighbours; what arrives there is a change of their ranks, of which others are to be told
in turn. Ranks start uniform, with neighbours that know nothing. As long as all vertices are active
the iterations are those of power iteration.

A push adds atomically, which takes many times as long as adding. So where the graph has in-edges,
and the active vertices a sixth of its edges or more, every vertex pulls from its in-neighbours
instead, whether these are active or not.

Active is a vertex whose change is at least tolerance / (2 m) for each of its out-edges, where m is
the number of all edges: what the others hold back is less than half of the tolerance. (The
criterion of Andersen et al. A threshold that falls with the changes would leave out more lists in
an iteration, but takes so many more iterations on some graphs that more is read in all.)

It ends when the changes that are left sum up to no more than the tolerance (L1), or after so many
iterations, whichever comes first, with the defaults of pagerank; without a tolerance all vertices
stay active. Another step of power iteration would change the ranks by no more than 0.85 times these
changes, so the ranks are at most 0.85 / 0.15 times the tolerance away from the fixed point.

In double precision. Changes that are pushed arrive in any order, on which the last bits of a rank
depend.

Hang Liu and H. Howie Huang. "Graphene: Fine-Grained IO Management for Graph Computing." USENIX
Conference on File and Storage Technologies (FAST), Santa Clara, California, February 2017.
Yanfeng Zhang, Qixin Gao, Lixin Gao, and Cuirong Wang. "Maiter: An Asynchronous Graph Processing
Framework for Delta-Based Accumulative Iterative Computation." IEEE Transactions on Parallel and
Distributed Systems, 25(8):2091-2100, 2014.
Reid Andersen, Fan Chung, and Kevin Lang. "Local Graph Partitioning Using PageRank Vectors." IEEE
Symposium on Foundations of Computer Science (FOCS), 2006.
*/

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithms/building_blocks/count_edges.h"
#include "algorithms/building_blocks/neighbor_sums.h"
#include "algorithms/building_blocks/pagerank_common.h"
#include "algorithms/building_blocks/prefetched.h"
#include "algorithms/building_blocks/top10.h"
#include "algorithms/damping.h"
#include "algorithms/verification/pagerank_delta_verifier.h"
#include "common/status_macros.h"
#include "compute_node/engine/for_each_list.h"
#include "compute_node/engine/kernel_registry.h"
#include "compute_node/engine/sequential_array.h"
#include "compute_node/engine/vertex_map.h"

namespace fargraph {
namespace {

/// What one thread does in a pull.
struct ChangePull {
  const NeighborSums<double>& sums;
  double* arrived;

  void operator()(VertexId v, absl::Span<const VertexId> sources, const std::byte*) const {
    sums(arrived[v], sources);
  }
  void operator()(const ListRun& run) const { sums(run, arrived + run.first_vertex); }
};

class DeltaIteration {
 public:
  DeltaIteration(Graph& graph, SequentialArray<double> rank)
      : graph_(graph),
        uniform_(1.0 / graph.vertices()),
        rank_(std::move(rank)),
        change_(graph.vertices(), uniform_),
        arrived_(graph.vertices()) {}

  static std::vector<DataSegment> Segments(uint64_t vertices) {
    return {SequentialSegment<double>("rank", vertices),
            VertexSegment<double>("change", vertices, kRandomReadWrite),
            VertexSegment<double>("arrived", vertices, kRandomReadWrite),
            VertexBits("active", vertices)};
  }

  absl::Status Run(const PageRankStop& stop) {
    VertexSubset active = AllVertices();
    // What uniform ranks owe to neighbours is taken back: these are about to say it anew.
    double for_everyone = -kPageRankDamping * uniform_;
    for (uint64_t i = 0; i < stop.iterations; ++i) {
      for_everyone += kPageRankDamping * uniform_ * DanglingChange();
      if (PullIsCheaper(active)) {
        active = VertexSubset(graph_.vertices());  // before there is another
        active = AllVertices();
        FARGRAPH_RETURN_IF_ERROR(Pull());
      } else {
        FARGRAPH_RETURN_IF_ERROR(Push(active));
      }
      FARGRAPH_RETURN_IF_ERROR(Settle(active, std::exchange(for_everyone, 0)));
      graph_.EndIteration(active.size());
      if (left_ <= stop.tolerance) break;
      active = VertexSubset(graph_.vertices());  // as above
      active = ChangedEnough(stop.tolerance);
    }
    return absl::OkStatus();
  }

  /// The changes that nobody was told of, L1.
  double left() const { return left_; }
  absl::StatusOr<VertexArray<double>> TakeRanks() { return rank_.Take(std::move(arrived_)); }

 private:
  VertexSubset AllVertices() const {
    return VertexFilter(graph_.vertices(), [](VertexId) { return true; });
  }

  bool PullIsCheaper(const VertexSubset& active) const {
    if (!graph_.Has(Direction::kIn)) return false;
    const EdgeLists& lists = graph_.Lists(Direction::kOut);
    return CountEdges(lists, active) >= lists.edges() / 6;
  }

  /// By all vertices. What a vertex has for each of its out-neighbours takes the place of its
  /// change.
  absl::Status Pull() {
    VertexMap(graph_.vertices(), [&](VertexId v) {
      const EdgeOffset neighbors = std::max<EdgeOffset>(1, graph_.OutDegree(v));
      change_[v] *= kPageRankDamping / static_cast<double>(neighbors);
    });
    const NeighborSums<double> sums(change_);
    return ScanLists(graph_, Direction::kIn, /*active=*/nullptr, [&] {
      return ChangePull{sums, arrived_.data()};
    });
  }

  absl::Status Push(const VertexSubset& active) {
    const bool all = active.size() == graph_.vertices();
    const auto push = [&](VertexId v, absl::Span<const VertexId> targets) {
      const double share = kPageRankDamping * change_[v] / static_cast<double>(graph_.OutDegree(v));
      for (const VertexId target : PrefetchedToWrite(targets, arrived_.data()))
        std::atomic_ref(arrived_[target]).fetch_add(share, std::memory_order_relaxed);
    };
    return ForEachList(graph_, Direction::kOut, all ? nullptr : &active, push);
  }

  /// Adds what has arrived to the ranks. Dangling vertices, which are always active, tell all.
  absl::Status Settle(const VertexSubset& active, double for_everyone) {
    std::vector<double> left(omp_get_max_threads());
    const auto settle = [&](int thread, VertexId first, absl::Span<double> rank) {
      double left_in_block = 0;
      for (size_t i = 0; i < rank.size(); ++i) {
        const VertexId v = first + i;
        const double arrived = std::exchange(arrived_[v], 0) + for_everyone;
        rank[i] += arrived;
        change_[v] = active.bitmap().TestUnshared(v) ? arrived : change_[v] + arrived;
        left_in_block += std::abs(change_[v]);
      }
      left[thread] += left_in_block;
    };
    FARGRAPH_RETURN_IF_ERROR(ForEachBlock(settle, rank_));
    left_ = std::accumulate(left.begin(), left.end(), 0.0);
    return absl::OkStatus();
  }

  double DanglingChange() const {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
    for (VertexId v = 0; v < graph_.vertices(); ++v) {
      if (graph_.OutDegree(v) == 0) sum += change_[v];
    }
    return sum;
  }

  /// Some, if the changes that are left sum up to more than the tolerance.
  VertexSubset ChangedEnough(double tolerance) const {
    const EdgeOffset edges = std::max<EdgeOffset>(1, graph_.Lists(Direction::kOut).edges());
    const double least_per_edge = std::max(0.0, tolerance) / (2 * static_cast<double>(edges));
    return VertexFilter(graph_.vertices(), [&](VertexId v) {
      return std::abs(change_[v]) >= least_per_edge * static_cast<double>(graph_.OutDegree(v));
    });
  }

  Graph& graph_;
  const double uniform_;
  SequentialArray<double> rank_;
  VertexArray<double> change_;   ///< of the rank, which the out-neighbours do not know of
  VertexArray<double> arrived_;  ///< in this iteration
  double left_ = 0;
};

class PageRankDelta : public Kernel {
 public:
  absl::string_view name() const override { return "pagerank_delta"; }
  absl::string_view summary() const override {
    return "PageRank by deltas: the same ranks, reading lists of changed vertices only";
  }
  std::vector<absl::string_view> takes() const override { return {"iterations", "tolerance"}; }
  ListUse out_lists() const override { return ListUse::kEdges; }
  ListUse in_lists() const override { return ListUse::kEdgesIfStored; }

  std::vector<DataSegment> Segments(const GraphManifest& graph,
                                    const KernelOptions&) const override {
    return DeltaIteration::Segments(graph.vertices);
  }

  Effort EffortOn(const GraphManifest& graph, const KernelOptions& options,
                  const ListTraits&) const override {
    const double iterations = ExpectedIterations(graph, options, Precision::kDouble);
    const bool pulls = graph.symmetric || graph.has_reverse;
    const double visits_per_edge = pulls ? 1.75 : 3;  // a push adds atomically
    return {.list_reads = 0.8 * iterations,
            .parts = 0.8 * iterations,
            .edge_visits = 0.8 * visits_per_edge * iterations,
            .random_visits = 0.6 * visits_per_edge * iterations,
            .vertex_visits = 6 * iterations,
            .steps = 4 * iterations};
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions& options) const override {
    FARGRAPH_ASSIGN_OR_RETURN(const PageRankStop stop,
                              ChoosePageRankStop(name(), options, Precision::kDouble));
    const double uniform = 1.0 / graph.vertices();
    FARGRAPH_ASSIGN_OR_RETURN(auto rank, SequentialArray<double>::Make(graph, "rank", uniform));
    DeltaIteration iteration(graph, std::move(rank));
    FARGRAPH_RETURN_IF_ERROR(iteration.Run(stop));
    KernelResult result;
    result.answer["delta"] = iteration.left();
    FARGRAPH_ASSIGN_OR_RETURN(auto column, iteration.TakeRanks());
    result.columns.push_back({"rank", std::move(column)});
    return result;
  }

  absl::Status Summarize(const Graph& graph, KernelResult& result) const override {
    const auto& rank = std::get<VertexArray<double>>(result.columns[0].values);
    result.answer["sum"] = SumRanks(rank);
    FARGRAPH_ASSIGN_OR_RETURN(result.answer["top10"], Top10(graph, rank));
    return absl::OkStatus();
  }

  absl::Status Verify(const GraphFiles& files, const KernelOptions& options,
                      const KernelResult& result) const override {
    return VerifyPageRankDelta(files, options, result);
  }
};

FARGRAPH_REGISTER_KERNEL(PageRankDelta);

}  // namespace
}  // namespace fargraph

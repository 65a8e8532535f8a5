/*
PageRank: the share of time that a random surfer spends on each vertex. With probability 0.85 the
surfer follows an out-edge of the current vertex, chosen uniformly, else moves to any vertex; from a
vertex without out-edges (dangling) always to any vertex. Repeated edges count repeatedly, and
self-loops count.

Power iteration by pull, in double precision or, when asked for, in single, which moves half the
bytes. An iteration first divides each rank by the
out-degree, once per vertex, then every vertex sums these contributions over its in-edges, so that
one thread owns a sum and needs no atomics. The rank of the dangling vertices is spread uniformly
over all vertices, which keeps the sum of all ranks at 1.

It ends when the ranks change by no more than the tolerance, summed over all vertices (L1), or after
so many iterations, whichever comes first. Given iterations alone it makes exactly that many; given
a tolerance alone, at most 1000; given neither, the tolerance is 1e-9.

Sergey Brin and Lawrence Page. "The Anatomy of a Large-Scale Hypertextual Web Search Engine."
Computer Networks and ISDN Systems, 30(1-7):107-117, April 1998.
*/

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithms/neighbor_sums.h"
#include "algorithms/pagerank_common.h"
#include "algorithms/pagerank_verifier.h"
#include "algorithms/top10.h"
#include "common/dispatch.h"
#include "common/status_macros.h"
#include "compute_node/engine/gather_lists.h"
#include "compute_node/engine/kernel_registry.h"
#include "compute_node/engine/sequential_array.h"
#include "compute_node/engine/vertex_map.h"

namespace fargraph {
namespace {

/// Ranks of double or single precision.
template <typename Real>
struct Ranks {
  SequentialArray<Real> rank;
  SequentialArray<Real> sum;       ///< of the contributions over the in-edges
  VertexArray<Real> contribution;  ///< rank / out-degree; 0 if dangling
};

template <typename Real>
absl::Status GatherContributions(Graph& graph, Ranks<Real>& ranks) {
  return GatherLists(graph, Direction::kIn, ranks.sum, NeighborSums<Real>(ranks.contribution));
}

struct Change {
  double distance = 0;  ///< of the ranks from those before, L1
  double dangling = 0;  ///< the rank of all dangling vertices

  Change& operator+=(const Change& other) {
    distance += other.distance;
    dangling += other.dangling;
    return *this;
  }
  Change operator+(const Change& other) const { return Change(*this) += other; }
};

/// The contributions of the uniform ranks; returns the rank of all dangling vertices.
template <typename Real>
double StartUniform(const Graph& graph, Real uniform, Ranks<Real>& ranks) {
  uint64_t dangling = 0;
#pragma omp parallel for reduction(+ : dangling) schedule(static)
  for (VertexId v = 0; v < graph.vertices(); ++v) {
    const EdgeOffset degree = graph.OutDegree(v);
    dangling += degree == 0 ? 1 : 0;
    ranks.contribution[v] = degree == 0 ? 0 : uniform / static_cast<Real>(degree);
  }
  return static_cast<double>(dangling) * uniform;
}

/// Of a block of vertices, makes ranks of the sums and contributions of the ranks. `index`: of the
/// out-edges.
template <typename Real>
FARGRAPH_DISPATCHED Change UpdateBlock(double base, const EdgeOffset* index, absl::Span<Real> rank,
                                       const Real* sum, Real* contribution) {
  double distance = 0, dangling = 0;
#pragma omp simd reduction(+ : distance, dangling)
  for (size_t i = 0; i < rank.size(); ++i) {
    const Real updated = static_cast<Real>(base + kPageRankDamping * sum[i]);
    const EdgeOffset degree = index[i + 1] - index[i];
    const Real dangles = degree == 0;  // a factor, since a branch would keep vectors away
    distance += std::abs(updated - rank[i]);
    dangling += dangles * updated;
    rank[i] = updated;
    contribution[i] = (1 - dangles) * updated / (static_cast<Real>(degree) + dangles);
  }
  return {.distance = distance, .dangling = dangling};
}

/// The same of all vertices.
template <typename Real>
absl::StatusOr<Change> UpdateRanks(const Graph& graph, double dangling, Ranks<Real>& ranks) {
  const double base = (1 - kPageRankDamping + kPageRankDamping * dangling) / graph.vertices();
  const EdgeOffset* const index = graph.Lists(Direction::kOut).Index(0, graph.vertices()).data();
  std::vector<Change> by_thread(omp_get_max_threads());
  const auto update = [&](int thread, VertexId first, absl::Span<Real> rank,
                          absl::Span<const Real> sum) {
    by_thread[thread] +=
        UpdateBlock(base, index + first, rank, sum.data(), ranks.contribution.data() + first);
  };
  FARGRAPH_RETURN_IF_ERROR(ForEachBlock(update, ranks.rank, std::as_const(ranks.sum)));
  return std::accumulate(by_thread.begin(), by_thread.end(), Change());
}

template <typename Real>
absl::StatusOr<KernelResult> Iterate(Graph& graph, const PageRankStop& stop) {
  const Real uniform = static_cast<Real>(1.0 / graph.vertices());
  FARGRAPH_ASSIGN_OR_RETURN(auto rank, SequentialArray<Real>::Make(graph, "rank", uniform));
  FARGRAPH_ASSIGN_OR_RETURN(auto sum, SequentialArray<Real>::Make(graph, "sum", 0));
  Ranks<Real> ranks = {.rank = std::move(rank),
                       .sum = std::move(sum),
                       .contribution = VertexArray<Real>(graph.vertices())};
  Change change = {.dangling = StartUniform(graph, uniform, ranks)};
  uint64_t iterations = 0;
  while (iterations < stop.iterations) {
    FARGRAPH_RETURN_IF_ERROR(GatherContributions(graph, ranks));
    FARGRAPH_ASSIGN_OR_RETURN(change, UpdateRanks(graph, change.dangling, ranks));
    graph.EndIteration(graph.vertices());
    ++iterations;
    if (change.distance <= stop.tolerance) break;
  }
  KernelResult result;
  result.answer["delta"] = change.distance;
  result.answer["iterations"] = iterations;
  FARGRAPH_ASSIGN_OR_RETURN(auto column, ranks.rank.Take(std::move(ranks.contribution)));
  result.columns.push_back({"rank", std::move(column)});
  return result;
}

template <typename Real>
std::vector<DataSegment> PageRankSegments(const GraphManifest& graph) {
  return {SequentialSegment<Real>("rank", graph.vertices),
          SequentialSegment<Real>("sum", graph.vertices),
          VertexSegment<Real>("contribution", graph.vertices, kRandomReadWrite)};
}

class PageRank : public Kernel {
 public:
  absl::string_view name() const override { return "pagerank"; }
  absl::string_view summary() const override {
    return "PageRank, damping 0.85, to --tolerance (1e-9, L1) or for --iterations";
  }
  ListUse out_lists() const override { return ListUse::kDegrees; }
  ListUse in_lists() const override { return ListUse::kEdges; }

  std::vector<DataSegment> Segments(const GraphManifest& graph,
                                    const KernelOptions& options) const override {
    return options.precision == Precision::kSingle ? PageRankSegments<float>(graph)
                                                   : PageRankSegments<double>(graph);
  }

  Effort EffortOn(const GraphManifest&, const KernelOptions& options, bool) const override {
    constexpr uint64_t kUsualIterations = 80;  // to the default tolerance
    const double iterations = static_cast<double>(options.iterations.value_or(kUsualIterations));
    return {.list_reads = iterations,
            .edge_visits = iterations,
            .vertex_visits = iterations,
            .steps = iterations};
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions& options) const override {
    FARGRAPH_ASSIGN_OR_RETURN(const PageRankStop stop, ChoosePageRankStop(name(), options));
    return options.precision == Precision::kSingle ? Iterate<float>(graph, stop)
                                                   : Iterate<double>(graph, stop);
  }

  absl::Status Summarize(const Graph& graph, KernelResult& result) const override {
    const auto summarize = [&](const auto& rank) -> absl::Status {
      result.answer["sum"] = SumRanks(rank);
      FARGRAPH_ASSIGN_OR_RETURN(result.answer["top10"], Top10(graph, rank));
      return absl::OkStatus();
    };
    if (const auto* rank = std::get_if<VertexArray<float>>(&result.columns[0].values)) {
      return summarize(*rank);
    }
    return summarize(std::get<VertexArray<double>>(result.columns[0].values));
  }

  absl::Status Verify(const GraphFiles& files, const KernelOptions& options,
                      const KernelResult& result) const override {
    return VerifyPageRank(files, options, result);
  }
};

FARGRAPH_REGISTER_KERNEL(PageRank);

}  // namespace
}  // namespace fargraph

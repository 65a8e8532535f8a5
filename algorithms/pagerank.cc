/*
PageRank: the share of time that a random surfer spends on each vertex. With probability 0.85 the
surfer follows an out-edge of the current vertex, chosen uniformly, else moves to any vertex; from a
vertex without out-edges (dangling) always to any vertex. Repeated edges count repeatedly, and
self-loops count.

Power iteration by pull, in double precision or, when asked for, in single, which moves half the
bytes. A rank is kept as the contribution that it makes along each out-edge, the rank divided by the
out-degree. In an iteration every vertex sums these up over its in-edges, so that one thread owns a
sum and needs no atomics, and makes of the sum its next contribution, while others are still read.
The rank of the dangling vertices is spread uniformly over all vertices, which keeps the sum of all
ranks at 1.

It ends when the ranks change by no more than the tolerance, summed over all vertices (L1), or after
so many iterations, whichever comes first. Given iterations alone it makes exactly that many; given
a tolerance alone, at most 1000; given neither, the tolerance is 1e-9, in single precision 1e-6.

Sergey Brin and Lawrence Page. "The Anatomy of a Large-Scale Hypertextual Web Search Engine."
Computer Networks and ISDN Systems, 30(1-7):107-117, April 1998.
*/

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "algorithms/building_blocks/neighbor_sums.h"
#include "algorithms/building_blocks/pagerank_common.h"
#include "algorithms/building_blocks/real_column.h"
#include "algorithms/building_blocks/top10.h"
#include "algorithms/damping.h"
#include "algorithms/verification/pagerank_verifier.h"
#include "common/dispatch.h"
#include "common/status_macros.h"
#include "compute_node/engine/gather_lists.h"
#include "compute_node/engine/kernel_registry.h"
#include "compute_node/engine/sequential_array.h"
#include "compute_node/engine/vertex_map.h"

namespace fargraph {
namespace {

/// Ranks of double or single precision, each as what the vertex contributes along an out-edge. A
/// dangling vertex keeps its whole rank.
template <typename Real>
struct Contributions {
  VertexArray<Real> now;
  SequentialArray<Real> next;
};

/// What a rank is divided by.
template <typename Real>
Real Shares(EdgeOffset out_degree) {
  return static_cast<Real>(out_degree) + static_cast<Real>(out_degree == 0);
}

struct Change {
  double distance = 0;  ///< of the ranks from those before, L1
  double dangling = 0;  ///< the rank of all dangling vertices

  Change& operator+=(const Change& other) {
    distance += other.distance;
    dangling += other.dangling;
    return *this;
  }
};

/// Makes uniform ranks; returns that of all dangling vertices.
template <typename Real>
double StartUniform(const Graph& graph, Real uniform, VertexArray<Real>& contribution) {
  uint64_t dangling = 0;
#pragma omp parallel for reduction(+ : dangling) schedule(static)
  for (VertexId v = 0; v < graph.vertices(); ++v) {
    dangling += graph.OutDegree(v) == 0 ? 1 : 0;
    contribution[v] = uniform / Shares<Real>(graph.OutDegree(v));
  }
  return static_cast<double>(dangling) * uniform;
}

/// Of a block of vertices, makes of the sums over the in-edges the next contributions. `index`: of
/// the out-edges. Degree: holds any degree; int32_t is faster, since without AVX-512 processors
/// have vectors of floating-point numbers from that alone.
template <typename Degree, typename Real>
FARGRAPH_DISPATCHED Change UpdateBlock(double base, const EdgeOffset* index, const Real* now,
                                       absl::Span<Real> sums) {
  double distance = 0, dangling = 0;
#pragma omp simd reduction(+ : distance, dangling)
  for (size_t i = 0; i < sums.size(); ++i) {
    const Degree degree = static_cast<Degree>(index[i + 1] - index[i]);
    const Real dangles = degree == 0;  // a factor, since a branch would keep vectors away
    const Real shares = static_cast<Real>(degree) + dangles;
    const Real next = static_cast<Real>(base + kPageRankDamping * sums[i]) / shares;
    distance += std::abs(next - now[i]) * shares;
    dangling += dangles * next;
    sums[i] = next;
  }
  return {.distance = distance, .dangling = dangling};
}

/// `dangling`: the rank of all dangling vertices, now.
template <typename Real>
absl::StatusOr<Change> UpdateRanks(Graph& graph, double dangling, Contributions<Real>& ranks) {
  const double base = (1 - kPageRankDamping + kPageRankDamping * dangling) / graph.vertices();
  const EdgeLists& out = graph.Lists(Direction::kOut);
  const EdgeOffset* const index = out.Index(0, graph.vertices()).data();
  const bool are_narrow = out.largest_degree() <= std::numeric_limits<int32_t>::max();
  const auto update_block = are_narrow ? UpdateBlock<int32_t, Real> : UpdateBlock<EdgeOffset, Real>;
  const auto update = [&](VertexId first, absl::Span<Real> sums) {
    return update_block(base, index + first, ranks.now.data() + first, sums);
  };
  FARGRAPH_ASSIGN_OR_RETURN(
      const Change change,
      GatherLists(graph, Direction::kIn, ranks.next, NeighborSums<Real>(ranks.now), update));
  FARGRAPH_RETURN_IF_ERROR(ranks.next.Exchange(ranks.now));
  return change;
}

template <typename Real>
absl::StatusOr<KernelResult> Iterate(Graph& graph, const PageRankStop& stop) {
  const Real uniform = static_cast<Real>(1.0 / graph.vertices());
  FARGRAPH_ASSIGN_OR_RETURN(auto next, SequentialArray<Real>::Make(graph, "next_contribution", 0));
  Contributions<Real> ranks = {.now = VertexArray<Real>(graph.vertices()), .next = std::move(next)};
  Change change = {.dangling = StartUniform(graph, uniform, ranks.now)};
  uint64_t iterations = 0;
  while (iterations < stop.iterations) {
    FARGRAPH_ASSIGN_OR_RETURN(change, UpdateRanks(graph, change.dangling, ranks));
    graph.EndIteration(graph.vertices());
    ++iterations;
    if (change.distance <= stop.tolerance) break;
  }
  VertexMap(graph.vertices(),
            [&](VertexId v) { ranks.now[v] *= Shares<Real>(graph.OutDegree(v)); });
  KernelResult result;
  result.answer["delta"] = change.distance;
  result.answer["iterations"] = iterations;
  result.columns.push_back({"rank", std::move(ranks.now)});
  return result;
}

template <typename Real>
std::vector<DataSegment> PageRankSegments(const GraphManifest& graph) {
  return {VertexSegment<Real>("contribution", graph.vertices, kRandomReadWrite),
          SequentialSegment<Real>("next_contribution", graph.vertices)};
}

class PageRank : public Kernel {
 public:
  absl::string_view name() const override { return "pagerank"; }
  absl::string_view summary() const override {
    return "PageRank, damping 0.85, to --tolerance (1e-9, in single precision 1e-6, L1) or for "
           "--iterations";
  }
  std::vector<absl::string_view> takes() const override {
    return {"iterations", "tolerance", "precision"};
  }
  ListUse out_lists() const override { return ListUse::kDegrees; }
  ListUse in_lists() const override { return ListUse::kEdges; }
  Walks walks() const override { return Walks::kFullScans; }

  std::vector<DataSegment> Segments(const GraphManifest& graph,
                                    const KernelOptions& options) const override {
    return options.precision == Precision::kSingle ? PageRankSegments<float>(graph)
                                                   : PageRankSegments<double>(graph);
  }

  Effort EffortOn(const GraphManifest& graph, const KernelOptions& options,
                  const ListTraits& lists) const override {
    const double iterations = ExpectedIterations(graph, options, options.precision);
    Effort one =
        options.precision == Precision::kSingle
            ? Effort{.edge_visits = 0.9, .random_visits = 0.55, .vertex_visits = 3.4, .steps = 1}
            : Effort{.edge_visits = 1, .random_visits = 0.95, .vertex_visits = 4.5, .steps = 1};
    if (lists.kind == GraphKind::kHubs) one.random_visits += 0.3;  // those beside the hubs
    return iterations * one;
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions& options) const override {
    FARGRAPH_ASSIGN_OR_RETURN(const PageRankStop stop,
                              ChoosePageRankStop(name(), options, options.precision));
    return options.precision == Precision::kSingle ? Iterate<float>(graph, stop)
                                                   : Iterate<double>(graph, stop);
  }

  absl::Status Summarize(const Graph& graph, KernelResult& result) const override {
    return VisitReals(result.columns[0], [&](const auto& rank) -> absl::Status {
      result.answer["sum"] = SumRanks(rank);
      FARGRAPH_ASSIGN_OR_RETURN(result.answer["top10"], Top10(graph, rank));
      return absl::OkStatus();
    });
  }

  absl::Status Verify(const GraphFiles& files, const KernelOptions& options,
                      const KernelResult& result) const override {
    return VerifyPageRank(files, options, result);
  }
};

FARGRAPH_REGISTER_KERNEL(PageRank);

}  // namespace
}  // namespace fargraph

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
#include <cstring>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/pagerank_common.h"
#include "algorithms/pagerank_verifier.h"
#include "algorithms/top10.h"
#include "common/dispatch.h"
#include "common/status_macros.h"
#include "common/units.h"
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

/// True if a core's own caches hold the contributions of so many vertices.
template <typename Real>
bool AreCached(VertexId vertices) {
  constexpr size_t kCacheBytes = 4 * kMiB;
  return vertices * sizeof(Real) <= kCacheBytes;
}

/// What *source contributes, where no cache holds that and a core does not look ahead far enough by
/// itself: that of a later source is asked for meanwhile. `end`: of the sources that come next.
template <typename Real>
[[gnu::always_inline]] inline Real UncachedContribution(const VertexId* source, const VertexId* end,
                                                        const Real* contribution) {
  constexpr ptrdiff_t kAhead = 64;
  if (end - source > kAhead) __builtin_prefetch(&contribution[source[kAhead]]);
  return contribution[*source];
}

template <typename Real>
Real SumUncached(absl::Span<const VertexId> sources, const VertexId* end,
                 const Real* contribution) {
  Real sum = 0;
  for (const VertexId& source : sources) sum += UncachedContribution(&source, end, contribution);
  return sum;
}

template <typename Real>
FARGRAPH_DISPATCHED Real SumCached(absl::Span<const VertexId> sources, const Real* contribution) {
  Real sum = 0;
#pragma omp simd reduction(+ : sum)
  for (size_t i = 0; i < sources.size(); ++i) sum += contribution[sources[i]];
  return sum;
}

/// The sum of so many terms, behind which there is room for another vector. Goes by vectors, of
/// which the last one counts in part: how many single terms there are cannot be foreseen.
template <typename Real>
[[gnu::always_inline]] inline Real SumOf(const Real* terms, uint64_t count) {
  typedef Real Vector __attribute__((vector_size(8 * sizeof(Real))));
  typedef std::conditional_t<sizeof(Real) == sizeof(int32_t), int32_t, int64_t> Lane;
  typedef Lane Lanes __attribute__((vector_size(8 * sizeof(Lane))));
  constexpr Lanes kLanes = {0, 1, 2, 3, 4, 5, 6, 7};
  Vector sum = {};
  for (int64_t left = static_cast<int64_t>(count); left > 0; left -= 8, terms += 8) {
    Vector vector;
    std::memcpy(&vector, terms, sizeof(vector));
    sum += kLanes < static_cast<Lane>(left) ? vector : Vector{};
  }
  sum += __builtin_shufflevector(sum, sum, 4, 5, 6, 7, 0, 1, 2, 3);
  sum += __builtin_shufflevector(sum, sum, 2, 3, 0, 1, 6, 7, 4, 5);
  return sum[0] + sum[1];
}

/// What every list of a run sums up to. Where a short list ends cannot be foreseen, so if the
/// lists are short the contributions to many of them are gathered as if these were one.
template <typename Real>
FARGRAPH_DISPATCHED void SumRun(const ListRun& run, const Real* contribution, bool cached,
                                Real* sums) {
  constexpr EdgeOffset kMostTerms = 1024;
  constexpr EdgeOffset kShort = 16;
  Real terms[kMostTerms + 8] = {};
  const EdgeOffset* const index = run.index.data();
  const VertexId* const edges_end = run.edges + (index[run.size()] - index[0]);
  const bool are_short = index[run.size()] - index[0] < kShort * run.size();
  const EdgeOffset most_at_once = are_short ? kMostTerms : 0;
  for (size_t first = 0, end; first < run.size(); first = end) {
    const VertexId* const sources = run.edges + (index[first] - index[0]);
    for (end = first + 1; end < run.size() && index[end + 1] - index[first] <= most_at_once;
         ++end) {
    }
    const EdgeOffset count = index[end] - index[first];
    if (count > most_at_once) {
      const absl::Span<const VertexId> list(sources, count);
      sums[first] =
          cached ? SumCached(list, contribution) : SumUncached(list, edges_end, contribution);
      continue;
    }
    if (cached) {
#pragma omp simd
      for (EdgeOffset i = 0; i < count; ++i) terms[i] = contribution[sources[i]];
    } else {
      for (EdgeOffset i = 0; i < count; ++i)
        terms[i] = UncachedContribution(sources + i, edges_end, contribution);
    }
    for (size_t i = first; i < end; ++i) {
      sums[i] = SumOf(terms + (index[i] - index[first]), index[i + 1] - index[i]);
    }
  }
}

/// What every vertex gets.
template <typename Real>
struct Gather {
  const Real* contribution;
  bool cached;

  void operator()(Real& sum, absl::Span<const VertexId> sources) const {
    sum += cached ? SumCached(sources, contribution)
                  : SumUncached(sources, sources.end(), contribution);
  }
  void operator()(const ListRun& run, Real* sums) const { SumRun(run, contribution, cached, sums); }
};

template <typename Real>
absl::Status GatherContributions(Graph& graph, Ranks<Real>& ranks) {
  const Gather<Real> gather{ranks.contribution.data(), AreCached<Real>(graph.vertices())};
  return GatherLists(graph, Direction::kIn, ranks.sum, gather);
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

/*
Sparse matrix times vector: y = A x, where the matrix has a row for each vertex and in it the
weights of the vertex' out-edges, 1 where the graph has no weights. Parallel edges add up.

The vector is x[v] = 1 / (1 + out-degree of v), which is the same however the graph was converted.
One multiplication, as in Graphene, or so many iterations: each further one multiplies what the last
one gave, divided by its largest magnitude, as in the power method, so that no number of them
overflows; with it that magnitude tends to the largest eigenvalue. The last y is left as it is.

A row is gathered along the out-edges by one thread, from left to right and in the precision of the
vector, which is double or, when asked for, single. So the answer is the same to the last bit on
every placement and for any number of threads.

Hang Liu and H. Howie Huang. "Graphene: Fine-Grained IO Management for Graph Computing." USENIX
Conference on File and Storage Technologies (FAST), Santa Clara, California, February 2017.
*/

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "algorithms/building_blocks/prefetched.h"
#include "algorithms/building_blocks/real_column.h"
#include "algorithms/building_blocks/top10.h"
#include "algorithms/verification/spmv_verifier.h"
#include "common/status_macros.h"
#include "compute_node/engine/gather_lists.h"
#include "compute_node/engine/kernel_registry.h"
#include "compute_node/engine/sequential_array.h"
#include "compute_node/engine/vertex_map.h"

namespace fargraph {
namespace {

template <typename Real>
VertexArray<Real> FirstVector(const Graph& graph) {
  VertexArray<Real> x(graph.vertices());
  VertexMap(graph.vertices(),
            [&](VertexId v) { x[v] = 1 / (1 + static_cast<Real>(graph.OutDegree(v))); });
  return x;
}

/// The weights of a row that has none.
struct Ones {
  int operator*() const { return 1; }
  void operator++() {}
};

/// Sums of rows, with and without weights, as GatherLists and GatherWeightedLists take them.
template <typename Real>
class RowSums {
 public:
  explicit RowSums(const VertexArray<Real>& x) : x_(x.data()) {}

  void operator()(Real& sum, absl::Span<const VertexId> columns) const {
    AddRow(sum, columns.begin(), columns.end(), columns.end(), Ones());
  }
  void operator()(const ListRun& run, Real* sums) const { AddRows(run, Ones(), sums); }

  template <typename Weight>
  void operator()(Real& sum, absl::Span<const VertexId> columns,
                  absl::Span<const Weight> weights) const {
    AddRow(sum, columns.begin(), columns.end(), columns.end(), weights.data());
  }
  template <typename Weight>
  void operator()(const ListRun& run, absl::Span<const Weight> weights, Real* sums) const {
    AddRows(run, weights.data(), sums);
  }

 private:
  template <typename Weights>
  void AddRows(const ListRun& run, Weights weights, Real* sums) const {
    const VertexId* row = run.edges;
    const VertexId* const run_end = row + run.edge_count();
    for (size_t i = 0; i < run.size(); ++i) {
      const VertexId* const end = row + (run.index[i + 1] - run.index[i]);
      sums[i] = 0;
      weights = AddRow(sums[i], row, end, run_end, weights);
      row = end;
    }
  }

  /// Returns the weights of the next row. `run_end`: of the rows that are here.
  template <typename Weights>
  Weights AddRow(Real& sum_of_row, const VertexId* column, const VertexId* end,
                 const VertexId* run_end, Weights weight) const {
    Real sum = sum_of_row;
    for (; column != end; ++column, ++weight) {
      sum += static_cast<Real>(*weight) * PrefetchedTerm(column, run_end, x_);
    }
    sum_of_row = sum;
    return weight;
  }

  const Real* const x_;
};

/// y = A x.
template <typename Real>
absl::Status MultiplyOnce(Graph& graph, const VertexArray<Real>& x, SequentialArray<Real>& y) {
  const RowSums<Real> sums(x);
  if (!graph.Lists(Direction::kOut).has_weights())
    return GatherLists(graph, Direction::kOut, y, sums);
  if (graph.weight_type() == WeightType::kFloat32)
    return GatherWeightedLists<float>(graph, Direction::kOut, y, sums);
  return GatherWeightedLists<int32_t>(graph, Direction::kOut, y, sums);
}

template <typename Real>
Real LargestMagnitude(absl::Span<const Real> y) {
  Real largest = 0;
  for (const Real value : y) largest = std::max(largest, std::abs(value));
  return largest;
}

/// x = y / its largest magnitude.
template <typename Real>
absl::Status Normalize(const SequentialArray<Real>& y, VertexArray<Real>& x) {
  std::vector<Real> by_thread(omp_get_max_threads());
  const auto compare = [&](int thread, VertexId, absl::Span<const Real> block) {
    by_thread[thread] = std::max(by_thread[thread], LargestMagnitude(block));
  };
  FARGRAPH_RETURN_IF_ERROR(ForEachBlock(compare, y));
  const Real largest = *absl::c_max_element(by_thread);
  const Real divisor = largest > 0 ? largest : 1;
  const auto divide = [&](int, VertexId first, absl::Span<const Real> block) {
    for (size_t i = 0; i < block.size(); ++i) x[first + i] = block[i] / divisor;
  };
  return ForEachBlock(divide, y);
}

template <typename Real>
absl::StatusOr<KernelResult> Multiply(Graph& graph, uint64_t iterations) {
  VertexArray<Real> x = FirstVector<Real>(graph);
  FARGRAPH_ASSIGN_OR_RETURN(auto y, SequentialArray<Real>::Make(graph, "y", 0));
  for (uint64_t i = 0; i < iterations; ++i) {
    if (i > 0) FARGRAPH_RETURN_IF_ERROR(Normalize(y, x));
    FARGRAPH_RETURN_IF_ERROR(MultiplyOnce(graph, x, y));
    graph.EndIteration(graph.vertices());
  }
  KernelResult result;
  FARGRAPH_ASSIGN_OR_RETURN(auto column, y.Take(std::move(x)));
  result.columns.push_back({"y", std::move(column)});
  return result;
}

template <typename Real>
std::vector<DataSegment> SpmvSegments(const GraphManifest& graph) {
  return {VertexSegment<Real>("x", graph.vertices, kRandomReadWrite),
          SequentialSegment<Real>("y", graph.vertices)};
}

class Spmv : public Kernel {
 public:
  absl::string_view name() const override { return "spmv"; }
  absl::string_view summary() const override {
    return "sparse matrix times vector, along the out-edges, once or for --iterations";
  }
  std::vector<absl::string_view> takes() const override { return {"iterations", "precision"}; }
  ListUse out_lists() const override { return ListUse::kWeightedEdges; }
  ListUse in_lists() const override { return ListUse::kNone; }
  Walks walks() const override { return Walks::kFullScans; }

  std::vector<DataSegment> Segments(const GraphManifest& graph,
                                    const KernelOptions& options) const override {
    return options.precision == Precision::kSingle ? SpmvSegments<float>(graph)
                                                   : SpmvSegments<double>(graph);
  }

  Effort EffortOn(const GraphManifest&, const KernelOptions& options,
                  const ListTraits&) const override {
    const double iterations = static_cast<double>(options.iterations.value_or(1));
    const Effort one =
        options.precision == Precision::kSingle
            ? Effort{.edge_visits = 1.4, .random_visits = 0.4, .vertex_visits = 9, .steps = 1}
            : Effort{.edge_visits = 1.6, .random_visits = 0.8, .vertex_visits = 9, .steps = 1};
    return iterations * one;
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions& options) const override {
    const uint64_t iterations = options.iterations.value_or(1);
    if (iterations == 0) {
      return absl::InvalidArgumentError(
          "spmv cannot make 0 multiplications; give --iterations a number from 1");
    }
    return options.precision == Precision::kSingle ? Multiply<float>(graph, iterations)
                                                   : Multiply<double>(graph, iterations);
  }

  absl::Status Summarize(const Graph& graph, KernelResult& result) const override {
    return VisitReals(result.columns[0], [&](const auto& y) -> absl::Status {
      double sum = 0;  // from left to right: the same for any number of threads
      for (const double value : y) sum += value;
      result.answer["sum"] = sum;
      result.answer["largest"] = LargestMagnitude(absl::MakeConstSpan(y));
      FARGRAPH_ASSIGN_OR_RETURN(result.answer["top10"], Top10(graph, y));
      return absl::OkStatus();
    });
  }

  absl::Status Verify(const GraphFiles& files, const KernelOptions& options,
                      const KernelResult& result) const override {
    return VerifySpmv(files, options, result);
  }
};

FARGRAPH_REGISTER_KERNEL(Spmv);

}  // namespace
}  // namespace fargraph

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

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "algorithms/spmv_verifier.h"
#include "algorithms/top10.h"
#include "common/status_macros.h"
#include "compute_node/engine/kernel_registry.h"
#include "compute_node/engine/list_scan.h"
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

/// y += A x.
template <typename Real>
absl::Status AddProduct(Graph& graph, const VertexArray<Real>& x, VertexArray<Real>& y) {
  const auto add_ones = [&](VertexId row, absl::Span<const VertexId> columns) {
    Real sum = y[row];
    for (const VertexId column : columns) sum += x[column];
    y[row] = sum;
  };
  const auto add_weighted = [&](VertexId row, absl::Span<const VertexId> columns, auto weights) {
    Real sum = y[row];
    for (size_t i = 0; i < columns.size(); ++i)
      sum += static_cast<Real>(weights[i]) * x[columns[i]];
    y[row] = sum;
  };
  if (!graph.Lists(Direction::kOut).has_weights()) {
    return ForEachList(graph, Direction::kOut, /*active=*/nullptr, add_ones);
  }
  if (graph.weight_type() == WeightType::kFloat32) {
    return ForEachWeightedList<float>(graph, Direction::kOut, /*active=*/nullptr, add_weighted);
  }
  return ForEachWeightedList<int32_t>(graph, Direction::kOut, /*active=*/nullptr, add_weighted);
}

template <typename Real>
Real LargestMagnitude(const VertexArray<Real>& y) {
  Real largest = 0;
#pragma omp parallel for reduction(max : largest) schedule(static)
  for (size_t v = 0; v < y.size(); ++v) largest = std::max(largest, std::abs(y[v]));
  return largest;
}

/// x = y / its largest magnitude, and y = 0.
template <typename Real>
void Normalize(VertexArray<Real>& y, VertexArray<Real>& x) {
  const Real largest = LargestMagnitude(y);
  const Real divisor = largest > 0 ? largest : 1;
  VertexMap(y.size(), [&](VertexId v) { x[v] = std::exchange(y[v], Real{0}) / divisor; });
}

template <typename Real>
absl::StatusOr<KernelResult> Multiply(Graph& graph, uint64_t iterations) {
  VertexArray<Real> x = FirstVector<Real>(graph);
  VertexArray<Real> y(graph.vertices());
  for (uint64_t i = 0; i < iterations; ++i) {
    if (i > 0) Normalize(y, x);
    FARGRAPH_RETURN_IF_ERROR(AddProduct(graph, x, y));
    graph.EndIteration(graph.vertices());
  }
  KernelResult result;
  result.columns.push_back({"y", std::move(y)});
  return result;
}

template <typename Real>
std::vector<DataSegment> SegmentsOf(const GraphManifest& graph) {
  return {VertexSegment<Real>("x", graph.vertices, kRandomReadWrite),
          VertexSegment<Real>("y", graph.vertices, kSequentialReadWrite)};
}

class Spmv : public Kernel {
 public:
  absl::string_view name() const override { return "spmv"; }
  absl::string_view summary() const override {
    return "sparse matrix times vector, along the out-edges, once or for --iterations";
  }
  ListUse out_lists() const override { return ListUse::kWeightedEdges; }
  ListUse in_lists() const override { return ListUse::kNone; }

  std::vector<DataSegment> Segments(const GraphManifest& graph,
                                    const KernelOptions& options) const override {
    return options.precision == Precision::kSingle ? SegmentsOf<float>(graph)
                                                   : SegmentsOf<double>(graph);
  }

  Effort EffortOn(const GraphManifest&, const KernelOptions& options, bool) const override {
    const double iterations = static_cast<double>(options.iterations.value_or(1));
    return {.list_reads = iterations,
            .edge_visits = iterations,
            .vertex_visits = iterations,
            .steps = iterations};
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
    const auto summarize = [&](const auto& y) -> absl::Status {
      double sum = 0;  // from left to right: the same for any number of threads
      for (const double value : y) sum += value;
      result.answer["sum"] = sum;
      result.answer["largest"] = LargestMagnitude(y);
      FARGRAPH_ASSIGN_OR_RETURN(result.answer["top10"], Top10(graph, y));
      return absl::OkStatus();
    };
    if (const auto* y = std::get_if<VertexArray<float>>(&result.columns[0].values)) {
      return summarize(*y);
    }
    return summarize(std::get<VertexArray<double>>(result.columns[0].values));
  }

  absl::Status Verify(const GraphFiles& files, const KernelOptions& options,
                      const KernelResult& result) const override {
    return VerifySpmv(files, options, result);
  }
};

FARGRAPH_REGISTER_KERNEL(Spmv);

}  // namespace
}  // namespace fargraph

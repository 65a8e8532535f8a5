#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_PAGERANK_COMMON_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_PAGERANK_COMMON_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compute_node/engine/kernel.h"
#include "graph/graph_files.h"
#include "graph/vertex_array.h"

/// What the kernels that compute PageRank have in common.
namespace fargraph {

/// When a kernel ends: after so many iterations, or once the ranks change by no more than the
/// tolerance (L1).
struct PageRankStop {
  uint64_t iterations;
  double tolerance;  ///< below 0: none
};

/// As the options ask of a kernel that computes in this precision. Given iterations alone there is
/// no tolerance; given a tolerance alone, there are at most 1000 iterations; given neither, the
/// tolerance is 1e-9, in single precision 1e-6, since ranks of that keep changing by up to 3e-7.
/// InvalidArgument, naming the kernel, when the tolerance is none.
absl::StatusOr<PageRankStop> ChoosePageRankStop(absl::string_view kernel,
                                                const KernelOptions& options, Precision precision);

/// About how many iterations such a run makes.
double ExpectedIterations(const GraphManifest& graph, const KernelOptions& options,
                          Precision precision);

template <typename Real>
double SumRanks(const VertexArray<Real>& rank) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
  for (size_t v = 0; v < rank.size(); ++v) sum += rank[v];
  return sum;
}

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_PAGERANK_COMMON_H_

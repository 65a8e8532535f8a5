#ifndef FARGRAPH_ALGORITHMS_TESTING_KERNEL_TESTING_H_
#define FARGRAPH_ALGORITHMS_TESTING_KERNEL_TESTING_H_

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "compute_node/engine/kernel_registry.h"
#include "compute_node/testing/test_graph.h"
#include "compute_node/testing/thread_count.h"
#include "gtest/gtest.h"

/// What the tests of the kernels have in common: small graphs, and ways to run and verify on them.
namespace fargraph {

struct GraphCase {
  std::string name;
  VertexId vertices = 0;
  EdgeList edges;
  WeightType weight_type = WeightType::kNone;
  std::vector<uint32_t> weight_bits = {};  ///< parallel to the edges; empty without weights
};

/// Random edges between `vertices` vertices, of which the first three are hubs whose lists are much
/// longer than a chunk; a tenth of the vertices has no edges.
GraphCase RandomCase(unsigned seed, VertexId vertices, int edges, bool symmetric);

/// The graph with weights from 0 to 20: whole numbers, or of those that float sums round.
GraphCase WithRandomWeights(GraphCase graph, WeightType weight_type);

EdgeList Chain(VertexId vertices);
EdgeList Star(VertexId vertices, bool outwards);

/// Graphs that kernels stumble over, except for the one without vertices.
std::vector<GraphCase> SpecialCases();
std::vector<GraphCase> AllCases();

/// Placements from all local to all far, with and without heads, and from a tier with blocks, as on
/// SSDs. Chunks and slots of 64 bytes: lists of more than 16 neighbours arrive in pieces.
std::vector<TestGraphOptions> Placements();

const Kernel& KernelNamed(absl::string_view name);

absl::StatusOr<KernelResult> RunKernel(absl::string_view name, const GraphCase& graph,
                                       TestGraphOptions placement = {},
                                       const KernelOptions& options = {});

template <typename T>
std::vector<T> Values(const KernelResult& result, size_t column = 0) {
  const auto& values = std::get<VertexArray<T>>(result.columns.at(column).values);
  return {values.begin(), values.end()};
}
template <typename T>
VertexArray<T>& MutableValues(KernelResult& result, size_t column = 0) {
  return std::get<VertexArray<T>>(result.columns.at(column).values);
}

template <typename T>
void SetValues(KernelResult& result, const std::vector<T>& values) {
  MutableValues<T>(result) = VertexArray<T>(values);
}

/// A graph as files, for verifiers; removed when it is destroyed.
class StoredGraph {
 public:
  explicit StoredGraph(const GraphCase& graph, bool reverse = true);
  ~StoredGraph();
  StoredGraph(const StoredGraph&) = delete;
  StoredGraph& operator=(const StoredGraph&) = delete;

  absl::Status Verify(absl::string_view kernel, const KernelResult& result,
                      const KernelOptions& options = {}) const;

 private:
  std::string path_;
  std::unique_ptr<GraphFiles> files_;
};

/// Tests that a verifier rejects results which are wrong.
class VerifierTest : public testing::Test {
 protected:
  VerifierTest(absl::string_view kernel, GraphCase graph, const KernelOptions& options = {});

  /// `why`: a part of the message.
  void ExpectRejected(absl::string_view why) const;
  void ExpectRejected(absl::string_view why, const KernelOptions& options) const;

  const std::string kernel_;
  const GraphCase graph_;
  KernelOptions options_;
  const StoredGraph stored_{graph_};
  KernelResult result_ = *RunKernel(kernel_, graph_, {}, options_);  ///< right at first
};

/// Distances along out-edges by relaxing every edge until nothing changes; -1: not reached.
std::vector<int32_t> RelaxedDistances(const GraphCase& graph, VertexId source);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_TESTING_KERNEL_TESTING_H_

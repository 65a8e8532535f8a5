#include "compute_node/engine/edge_map.h"

#include <algorithm>
#include <cmath>

#include "graph/thread_count.h"

namespace fargraph {
namespace {

// What a step costs, in units of one edge that is pushed: an atomic update somewhere in memory.
// Measured on Kronecker and uniform graphs of 4 million vertices.
constexpr double kProbeCost = 0.5;       ///< an in-edge whose source is looked up in the frontier
constexpr double kCandidateCost = 0.05;  ///< a vertex that is asked whether it wants

/// About how many edges leave `subset`: exact while it is sparse, else from a sample of its words.
double OutEdges(const Graph& graph, const VertexSubset& subset) {
  constexpr size_t kSampledWords = 4096;
  constexpr size_t kSampleInTurn = 64;  // of the sample, dealt out in turn as by VertexMap
  const EdgeLists& out = graph.Lists(Direction::kOut);
  if (subset.is_sparse()) return static_cast<double>(out.SumOfDegrees(subset.members()));
  const Bitmap& bits = subset.bitmap();
  const size_t stride = bits.words() / kSampledWords + 1;
  EdgeOffset edges = 0;
#pragma omp parallel for reduction(+ : edges) schedule(static, kSampleInTurn) \
    num_threads(ThreadCountFor(subset.size() / stride))
  for (size_t word = 0; word < bits.words(); word += stride) {
    ForEachBit(bits.word(word),
               [&](int bit) { edges += out.Degree(static_cast<VertexId>(word * 64 + bit)); });
  }
  return static_cast<double>(edges) * static_cast<double>(stride);
}

}  // namespace

/// A push pays for every edge that leaves the frontier. A pull looks at every vertex once, and each
/// that still wants probes its in-edges until one comes from the frontier. If those are drawn from
/// all edges, of which a share p leaves the frontier, that takes 1 / p probes, or the whole list if
/// it is shorter. Where a graph has clusters, the edges of the frontier lead to the same few
/// vertices, and the others probe their whole lists in vain. How many do is as in the last step.
bool EdgeMap::PullIsCheaper(const VertexSubset& frontier) {
  if (!graph_.Has(Direction::kIn) || !graph_.Has(Direction::kOut) || frontier.empty()) return false;
  const EdgeLists& out = graph_.Lists(Direction::kOut);
  const double edges = static_cast<double>(out.edges());
  const double vertices = graph_.vertices();
  const double most_edges = static_cast<double>(frontier.size() * out.largest_degree());
  if (most_edges < vertices * kCandidateCost) return false;
  const double frontier_edges = OutEdges(graph_, frontier);
  if (frontier_edges < vertices * kCandidateCost) return false;
  const double reached = 1 - std::exp(-frontier_edges / vertices);
  expected_ = candidates_ * reached;
  const double satisfied = spread_ * reached;
  const double degree = edges / vertices;
  const double probes =
      satisfied * std::min(degree, edges / frontier_edges) + (1 - satisfied) * degree;
  return vertices * kCandidateCost + candidates_ * probes * kProbeCost < frontier_edges;
}

/// None of those wants any more.
VertexSubset EdgeMap::Reached(VertexSubset next) {
  if (expected_ > 0) spread_ = std::min(1.0, static_cast<double>(next.size()) / expected_);
  expected_ = 0;
  candidates_ -= std::min<uint64_t>(candidates_, next.size());
  return next;
}

}  // namespace fargraph

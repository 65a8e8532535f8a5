/*
Radii estimation: for every vertex the largest distance from a sample of 64 vertices, along
out-edges. The largest of all is a lower bound of the diameter; on a symmetric graph each is a lower
bound of the vertex's eccentricity.

64 breadth-first searches run as one. Each vertex holds one bit per search that has reached it; in
an iteration every vertex whose bits changed in the last one ORs them into its out-neighbours, and a
vertex that gains a bit in iteration i is at distance i from a sample. An edge map does this in
either direction; a vertex that has all bits wants no more.

The sample is drawn uniformly without replacement by a generator with a fixed seed, so it depends on
the number of vertices alone; a graph of up to 64 vertices is its own sample, and all is exact.

Values: radius -1 where no search came.

Clemence Magnien, Matthieu Latapy, and Michel Habib. "Fast Computation of Empirically Tight Bounds
for the Diameter of Massive Graphs." ACM Journal of Experimental Algorithmics, 13:1.10, February
2009.
Julian Shun and Guy E. Blelloch. "Ligra: A Lightweight Graph Processing Framework for Shared
Memory." ACM SIGPLAN Symposium on Principles and Practice of Parallel Programming (PPoPP), Shenzhen,
China, February 2013.
*/

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "algorithms/radii_verifier.h"
#include "algorithms/vertex_sample.h"
#include "common/bitmap.h"
#include "common/status_macros.h"
#include "compute_node/engine/edge_map.h"
#include "compute_node/engine/kernel_registry.h"
#include "compute_node/engine/vertex_map.h"

namespace fargraph {
namespace {

constexpr size_t kSamples = 64;

/// The searches that have reached a vertex, one bit each.
using Searches = uint64_t;

struct Radii {
  explicit Radii(VertexId vertices)
      : visited(vertices), next_visited(vertices), radius(vertices, -1) {}

  VertexArray<Searches> visited;       ///< before this iteration
  VertexArray<Searches> next_visited;  ///< after it
  VertexArray<int32_t> radius;
  Searches all = 0;
  int32_t distance = 0;  ///< of what this iteration reaches
};

struct RadiiStep {
  Radii& radii;

  bool Cond(VertexId target) const { return radii.next_visited[target] != radii.all; }

  bool Update(VertexId source, VertexId target) {
    const Searches before = radii.next_visited[target];
    radii.next_visited[target] |= radii.visited[source];
    if (radii.next_visited[target] == before) return false;
    return std::exchange(radii.radius[target], radii.distance) != radii.distance;
  }

  bool UpdateAtomic(VertexId source, VertexId target) {
    const Searches arriving = radii.visited[source];
    std::atomic_ref searches(radii.next_visited[target]);
    if ((arriving & ~searches.load(std::memory_order_relaxed)) == 0) return false;
    if ((arriving & ~searches.fetch_or(arriving, std::memory_order_relaxed)) == 0) return false;
    std::atomic_ref radius(radii.radius[target]);
    return radius.exchange(radii.distance, std::memory_order_relaxed) != radii.distance;
  }
};

/// Starts one search at each sample; returns the first frontier.
VertexSubset StartSearches(const std::vector<VertexId>& samples, Radii& radii) {
  for (size_t i = 0; i < samples.size(); ++i) {
    const Searches search = Searches{1} << i;
    radii.visited[samples[i]] = radii.next_visited[samples[i]] = search;
    radii.radius[samples[i]] = 0;
    radii.all |= search;
  }
  return VertexSubset(static_cast<VertexId>(radii.radius.size()), samples);
}

absl::Status RunSearches(Graph& graph, VertexSubset frontier, Radii& radii) {
  EdgeMap edge_map(graph);
  RadiiStep step{radii};
  while (!frontier.empty()) {
    ++radii.distance;
    FARGRAPH_ASSIGN_OR_RETURN(VertexSubset next, edge_map(frontier, step));
    graph.EndIteration(frontier.size());
    VertexMap(next, [&](VertexId v) { radii.visited[v] = radii.next_visited[v]; });
    frontier = std::move(next);
  }
  return absl::OkStatus();
}

int32_t LargestRadius(const VertexArray<int32_t>& radius) {
  int32_t largest = 0;
#pragma omp parallel for reduction(max : largest) schedule(static)
  for (size_t v = 0; v < radius.size(); ++v) largest = std::max(largest, radius[v]);
  return largest;
}

class RadiiKernel : public Kernel {
 public:
  absl::string_view name() const override { return "radii"; }
  absl::string_view summary() const override {
    return "radii estimation: the largest distance of each vertex from 64 sampled vertices";
  }
  ListUse out_lists() const override { return ListUse::kEdges; }
  ListUse in_lists() const override { return ListUse::kEdgesIfStored; }

  std::vector<DataSegment> Segments(const GraphManifest& graph,
                                    const KernelOptions&) const override {
    return {VertexSegment<Searches>("visited", graph.vertices, kRandomReadWrite),
            VertexSegment<Searches>("next_visited", graph.vertices, kRandomReadWrite),
            VertexSegment<int32_t>("radius", graph.vertices, kRandomReadWrite),
            VertexBits("frontier", graph.vertices),
            EdgeMap::NextFrontier(graph.vertices),
            VertexBits("pull_targets", graph.vertices)};
  }

  /// The searches are wide in most of their steps, since they begin all over the graph.
  Effort EffortOn(const GraphManifest& graph, const KernelOptions&, bool) const override {
    const SearchDepth depth = RoughDepth(graph);
    return {.list_reads = 0.5 * depth.levels,
            .edge_visits = 0.7 * depth.levels,
            .vertex_visits = 4 * depth.levels,
            .steps = 2 * depth.levels};
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions&) const override {
    const std::vector<VertexId> samples = SampleVertices(graph.vertices(), kSamples);
    Radii radii(graph.vertices());
    FARGRAPH_RETURN_IF_ERROR(RunSearches(graph, StartSearches(samples, radii), radii));

    KernelResult result;
    result.columns.push_back({"radius", std::move(radii.radius)});
    return result;
  }

  absl::Status Summarize(const Graph& graph, KernelResult& result) const override {
    result.answer["samples"] = nlohmann::ordered_json::array();
    for (const VertexId sample : SampleVertices(graph.vertices(), kSamples)) {
      FARGRAPH_ASSIGN_OR_RETURN(const uint64_t id, graph.InputId(sample));
      result.answer["samples"].push_back(id);
    }
    result.answer["estimate"] =
        LargestRadius(std::get<VertexArray<int32_t>>(result.columns[0].values));
    return absl::OkStatus();
  }

  absl::Status Verify(const GraphFiles& files, const KernelOptions&,
                      const KernelResult& result) const override {
    return VerifyRadii(files, result);
  }
};

FARGRAPH_REGISTER_KERNEL(RadiiKernel);

}  // namespace
}  // namespace fargraph

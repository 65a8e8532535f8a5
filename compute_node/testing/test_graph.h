#ifndef FARGRAPH_COMPUTE_NODE_TESTING_TEST_GRAPH_H_
#define FARGRAPH_COMPUTE_NODE_TESTING_TEST_GRAPH_H_

#include <omp.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "compute_node/engine/graph.h"
#include "compute_node/placement/far_set.h"
#include "compute_node/testing/fake_tier.h"

namespace fargraph {

using EdgeList = std::vector<std::pair<VertexId, VertexId>>;

struct TestGraphOptions {
  double far_ratio = 0;
  uint64_t chunk_bytes = 64;
  size_t slots = 4;
  uint64_t fail_after = ~uint64_t{0};  ///< of the fake tier
  bool with_in_edges = true;
  size_t heads = 0;  ///< columns of each direction
  const std::atomic<bool>* cancelled = nullptr;
};

/// A small graph placed over local memory and a fake far tier, for tests of the engine and the
/// kernels.
class TestGraph {
 public:
  TestGraph(VertexId vertices, EdgeList edges, const TestGraphOptions& options = {})
      : options_(options) {
    Graph::Parts parts = {.vertices = vertices, .cancelled = options.cancelled};
    parts.out = Place(vertices, edges);
    parts.out_heads = HeadsOf(vertices, edges);
    for (auto& [source, target] : edges) std::swap(source, target);
    if (options.with_in_edges) {
      parts.in_heads = HeadsOf(vertices, edges);
      parts.in = Place(vertices, std::move(edges));
    }
    rings_.resize(omp_get_max_threads());
    for (size_t thread = 0; thread < rings_.size(); ++thread) {
      rings_[thread].resize(options.slots * options.chunk_bytes);
      parts.streams.push_back(std::make_unique<EdgeStream>(
          std::make_unique<FakeTier>(far_, /*seed=*/thread + 1, options.fail_after),
          absl::MakeSpan(rings_[thread]), options.chunk_bytes,
          RequestShape{
              .block_bytes = 16, .break_even_gap_bytes = 32, .largest_request_bytes = 256}));
    }
    graph_ = std::make_unique<Graph>(std::move(parts));
  }

  Graph& graph() { return *graph_; }

 private:
  std::shared_ptr<const EdgeLists> Place(VertexId vertices, EdgeList edges) {
    std::sort(edges.begin(), edges.end());
    std::vector<EdgeOffset> index(vertices + 1);
    for (const auto& [source, target] : edges) ++index[source + 1];
    for (VertexId v = 0; v < vertices; ++v) index[v + 1] += index[v];

    ChunkTable chunks(index, sizeof(VertexId), options_.chunk_bytes);
    const FarSet far(chunks, options_.far_ratio);
    const uint64_t base = far_.size();
    far_.resize(base + far.bytes());
    MappedMemory local = *MappedMemory::Allocate(chunks.TotalBytes() + 1);
    std::vector<ChunkPlace> places(chunks.size());
    for (size_t chunk = 0; chunk < chunks.size(); ++chunk) {
      const uint64_t offset = chunks.FirstEdge(chunk) * sizeof(VertexId);
      places[chunk] =
          far.Contains(chunk)
              ? ChunkPlace{.far_address = base + far.Offset(chunk)}
              : ChunkPlace{.local = reinterpret_cast<const VertexId*>(local.data() + offset)};
      for (EdgeOffset edge = chunks.FirstEdge(chunk); edge < chunks.FirstEdge(chunk + 1); ++edge) {
        const uint64_t within = (edge - chunks.FirstEdge(chunk)) * sizeof(VertexId);
        std::byte* place = far.Contains(chunk) ? far_.data() + base + far.Offset(chunk) + within
                                               : local.data() + offset + within;
        std::memcpy(place, &edges[edge].second, sizeof(VertexId));
      }
    }
    return std::make_shared<EdgeLists>(std::move(index), std::move(chunks), std::move(places),
                                       std::move(local));
  }

  Heads HeadsOf(VertexId vertices, EdgeList edges) const {
    std::sort(edges.begin(), edges.end());
    MappedMemory memory = *MappedMemory::Allocate((vertices * options_.heads + 1) * kVertexBytes);
    auto* const first = reinterpret_cast<VertexId*>(memory.data());
    std::fill_n(first, vertices * options_.heads, kNoVertex);
    std::vector<size_t> used(vertices);
    std::vector<size_t> column_sizes(options_.heads);
    for (const auto& [source, target] : edges) {
      const size_t j = used[source]++;
      if (j >= options_.heads) continue;
      first[j * vertices + source] = target;
      column_sizes[j] = source + 1;
    }
    std::vector<absl::Span<const VertexId>> columns;
    for (size_t j = 0; j < options_.heads; ++j) {
      columns.emplace_back(first + j * vertices, column_sizes[j]);
    }
    return Heads(std::move(memory), std::move(columns));
  }

  static constexpr size_t kVertexBytes = sizeof(VertexId);
  TestGraphOptions options_;
  std::vector<std::byte> far_;
  std::vector<std::vector<std::byte>> rings_;
  std::unique_ptr<Graph> graph_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TESTING_TEST_GRAPH_H_

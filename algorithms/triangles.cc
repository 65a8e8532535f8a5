/*
Triangle counting: the number of sets of three vertices of which each two are neighbours. An edge
joins its two ends whichever way it points; parallel edges count once, and self-loops not at all.

Every triangle has a last vertex v, a middle one u and a first one w. The predecessors of a vertex
are its neighbours that are smaller; so v has the predecessor u, and w is one of both. For every v
its predecessors are marked, and then those of each of its predecessors u are looked up. In a graph
whose vertices are ordered by degree, hubs first, even hubs have few predecessors, and that is what
makes the count fast.

It takes the lists of two vertices at a time, anywhere in the graph, and lists may be far. So the
vertices are divided into blocks, each with about a sixteenth of all edges. The predecessors of two
blocks are in local memory at any time, one for u and one for v, and every pair of blocks has its
turn: the edges are read several times over, each time in the order in which they lie.

Values: none for single vertices.

Thomas Schank and Dorothea Wagner. "Finding, Counting and Listing All Triangles in Large Graphs, an
Experimental Study." International Workshop on Experimental and Efficient Algorithms (WEA),
Santorini, Greece, May 2005.
*/

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "algorithms/building_blocks/both_ends.h"
#include "algorithms/verification/triangles_verifier.h"
#include "common/status_macros.h"
#include "compute_node/engine/for_each_list.h"
#include "compute_node/engine/kernel_registry.h"
#include "compute_node/engine/vertex_map.h"
#include "graph/bitmap.h"

namespace fargraph {
namespace {

/// The predecessors that a block may hold, before those are left out that are none: of a graph with
/// so many edges in all its lists, in so many directions. One vertex fits, parallel edges left out.
size_t BlockCapacity(uint64_t vertices, uint64_t edges, uint64_t directions) {
  constexpr uint64_t kBlocks = 16;
  return std::min(edges, std::max(edges / kBlocks, directions * vertices));
}

/// Takes v, and those close to it, out of a set that belongs to one thread.
void Unmark(VertexId v, Bitmap& marks) { marks.SetWord(v / Bitmap::kWordBits, 0); }

VertexSubset Range(VertexId vertices, VertexId begin, VertexId end) {
  VertexSubset range = VertexSubset::NoBits(vertices);
  range.AddUncountedIf(begin, end, [](VertexId) { return true; });
  return VertexSubset(std::move(range).ToBitmap());  // which counts them
}

class TriangleCount {
 public:
  explicit TriangleCount(Graph& graph) : graph_(graph), sizes_(graph.vertices()) {
    for (int thread = 0; thread < omp_get_max_threads(); ++thread)
      marks_.emplace_back(graph.vertices());
    CutBlocks();
    for (VertexArray<VertexId>& memory : memory_) memory = VertexArray<VertexId>(capacity_);
  }

  absl::StatusOr<uint64_t> CountAll() {
    uint64_t triangles = 0;
    for (size_t i = 0; i + 1 < cuts_.size(); ++i) {
      FARGRAPH_ASSIGN_OR_RETURN(const Block middle, LoadBlock(i, memory_[0]));
      triangles += CountBetween(middle, middle);
      for (size_t j = i + 1; j + 1 < cuts_.size(); ++j) {
        FARGRAPH_ASSIGN_OR_RETURN(const Block last, LoadBlock(j, memory_[1]));
        triangles += CountBetween(middle, last);
      }
    }
    return triangles;
  }

 private:
  /// The vertices [begin, end) and the memory that has room for their lists.
  struct Block {
    VertexId begin;
    VertexId end;
    VertexId* lists;
  };

  /// The edges of all vertices before v, in every direction that is read.
  EdgeOffset EdgesBefore(VertexId v) const {
    const EdgeOffset out = graph_.Lists(Direction::kOut).Begin(v);
    return graph_.symmetric() ? out : out + graph_.Lists(Direction::kIn).Begin(v);
  }

  /// Of as many vertices as the memory has room for, at least one.
  void CutBlocks() {
    const VertexId vertices = graph_.vertices();
    capacity_ = BlockCapacity(vertices, EdgesBefore(vertices), Directions(graph_));
    cuts_ = {0};
    for (VertexId v = 1; v < vertices; ++v) {
      if (EdgesBefore(v + 1) - EdgesBefore(cuts_.back()) > capacity_) cuts_.push_back(v);
    }
    if (vertices > 0) cuts_.push_back(vertices);
  }

  /// Where in the block's memory the predecessors of v are: as far into it as in the edges. A
  /// vertex whose edges exceed the memory has a block of its own, and most of them are parallel.
  VertexId* ListOf(const Block& block, VertexId v) const {
    return block.lists + (EdgesBefore(v) - EdgesBefore(block.begin));
  }
  absl::Span<VertexId> Predecessors(const Block& block, VertexId v) const {
    return absl::MakeSpan(ListOf(block, v), sizes_[v]);
  }

  absl::StatusOr<Block> LoadBlock(size_t i, VertexArray<VertexId>& memory) {
    const Block block{.begin = cuts_[i], .end = cuts_[i + 1], .lists = memory.data()};
    const VertexSubset vertices = Range(graph_.vertices(), block.begin, block.end);
    VertexMap(block.end - block.begin, [&](VertexId u) { sizes_[block.begin + u] = 0; });
    FARGRAPH_RETURN_IF_ERROR(ForBothEnds(graph_, [&](Direction direction) {
      return AppendPredecessors(direction, vertices, block);
    }));
    if (!graph_.symmetric()) UniteDirections(block);
    graph_.EndIteration(block.end - block.begin);
    return block;
  }

  /// Lists are ascending: what is not smaller than v ends them, and equals follow each other.
  absl::Status AppendPredecessors(Direction direction, const VertexSubset& vertices,
                                  const Block& block) {
    return ForEachList(graph_, direction, &vertices,
                       [&](VertexId v, absl::Span<const VertexId> neighbors) {
                         VertexId* const list = ListOf(block, v);
                         VertexId size = sizes_[v];
                         for (const VertexId neighbor : neighbors) {
                           if (neighbor >= v) break;
                           if (size == 0 || list[size - 1] != neighbor) list[size++] = neighbor;
                         }
                         sizes_[v] = size;
                         return neighbors.back() < v;
                       });
  }

  void UniteDirections(const Block& block) {
#pragma omp parallel for schedule(dynamic, 64)
    for (VertexId v = block.begin; v < block.end; ++v) {
      const absl::Span<VertexId> list = Predecessors(block, v);
      std::sort(list.begin(), list.end());
      sizes_[v] = std::unique(list.begin(), list.end()) - list.begin();
    }
  }

  /// The triangles with their middle vertex in one block and their last in the other.
  uint64_t CountBetween(const Block& middle, const Block& last) {
    uint64_t triangles = 0;
#pragma omp parallel for reduction(+ : triangles) schedule(dynamic, 64)
    for (VertexId v = last.begin; v < last.end; ++v) {
      triangles += CountWithLast(middle, Predecessors(last, v), marks_[omp_get_thread_num()]);
    }
    return triangles;
  }

  /// `predecessors`: of the last vertex. `marks`: none before and after.
  uint64_t CountWithLast(const Block& middle, absl::Span<const VertexId> predecessors,
                         Bitmap& marks) const {
    const auto first_middle =
        std::lower_bound(predecessors.begin(), predecessors.end(), middle.begin);
    const auto end = std::lower_bound(first_middle, predecessors.end(), middle.end);
    if (first_middle == end) return 0;
    for (auto w = predecessors.begin(); w != end; ++w) marks.SetUnshared(*w);
    uint64_t triangles = 0;
    for (auto u = first_middle; u != end; ++u) {
      PrefetchAhead(middle, u, end);
      for (const VertexId w : Predecessors(middle, *u)) triangles += marks.TestUnshared(w);
    }
    for (auto w = predecessors.begin(); w != end; ++w) Unmark(*w, marks);
    return triangles;
  }

  /// Of the vertices whose lists come next, where these are, and then the lists.
  void PrefetchAhead(const Block& block, const VertexId* u, const VertexId* end) const {
    constexpr ptrdiff_t kDistance = 8;
    if (end - u > 2 * kDistance) {
      graph_.Lists(Direction::kOut).PrefetchIndex(u[2 * kDistance]);
      __builtin_prefetch(&sizes_[u[2 * kDistance]]);
    }
    if (end - u > kDistance) __builtin_prefetch(ListOf(block, u[kDistance]));
  }

  Graph& graph_;
  VertexArray<VertexId> sizes_;  ///< of the list of predecessors, while its block is held
  std::vector<Bitmap> marks_;    ///< by thread
  std::vector<VertexId> cuts_;   ///< block i has the vertices [cuts_[i], cuts_[i + 1])
  size_t capacity_ = 0;          ///< of the memory of a block, in vertices
  std::array<VertexArray<VertexId>, 2> memory_;
};

class Triangles : public Kernel {
 public:
  absl::string_view name() const override { return "triangles"; }
  absl::string_view summary() const override {
    return "triangle counting: sets of three vertices that are all neighbours of each other";
  }
  ListUse out_lists() const override { return ListUse::kEdges; }
  ListUse in_lists() const override { return ListUse::kEdges; }

  std::vector<DataSegment> Segments(const GraphManifest& graph,
                                    const KernelOptions&) const override {
    const uint64_t directions = Directions(graph);
    const uint64_t held = BlockCapacity(graph.vertices, directions * graph.edges, directions);
    const uint64_t threads = omp_get_max_threads();
    return {VertexSegment<VertexId>("middle_lists", held, kRandomReadWrite),
            VertexSegment<VertexId>("last_lists", held, kSequentialReadWrite),
            VertexSegment<VertexId>("list_sizes", graph.vertices, kRandomReadWrite),
            {.name = "marks", .bytes = threads * Bitmap::StorageBytes(graph.vertices)},
            VertexBits("block", graph.vertices)};
  }

  /// Of every list that is loaded the predecessors are looked at, which are about half of it; that
  /// of a vertex is looked up as often as the vertex is a predecessor.
  Effort EffortOn(const GraphManifest& graph, const KernelOptions&,
                  const ListTraits&) const override {
    const uint64_t directions = Directions(graph);
    const uint64_t lists = std::max<uint64_t>(1, directions * graph.edges);
    const double blocks =
        std::ceil(static_cast<double>(lists) /
                  static_cast<double>(BlockCapacity(graph.vertices, lists, directions)));
    const double degree = static_cast<double>(directions) * MeanDegree(graph);
    const bool hubs_first = graph.order == VertexOrder::kDegree;
    const double reads = 0.6 * (blocks + 1) / 2;
    return {.list_reads = reads,
            .parts = reads,
            .edge_visits = hubs_first ? 3 * degree : 45 + 0.7 * degree,
            .random_visits = hubs_first ? 9 * degree : 0.5 * degree,
            .vertex_visits = 4 * blocks,
            .steps = blocks * blocks};
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions&) const override {
    KernelResult result;
    FARGRAPH_ASSIGN_OR_RETURN(result.answer["triangles"], TriangleCount(graph).CountAll());
    return result;
  }

  absl::Status Verify(const GraphFiles& files, const KernelOptions&,
                      const KernelResult& result) const override {
    return VerifyTriangles(files, result);
  }
};

FARGRAPH_REGISTER_KERNEL(Triangles);

}  // namespace
}  // namespace fargraph

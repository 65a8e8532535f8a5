#include "compute_node/loading/load_graph.h"

#include <omp.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "common/status_macros.h"
#include "compute_node/loading/fill_cache.h"
#include "compute_node/loading/job_segments.h"
#include "compute_node/loading/list_loads.h"
#include "compute_node/loading/place_lists.h"
#include "compute_node/loading/ring_sizes.h"
#include "graph/format/manifest.h"

namespace fargraph {
namespace {

/// The head columns that the plan holds, one behind the other.
absl::StatusOr<Heads> LoadHeads(const GraphFiles& files, const ListLoad& load,
                                const PlacementPlan& plan) {
  uint64_t columns = 0;
  uint64_t bytes = 0;
  while (columns < load.heads && plan.Holds(HeadsArray(load.direction, columns)))
    bytes += files.HeadsColumn(load.direction, columns++).bytes();
  if (bytes == 0) return Heads();

  FARGRAPH_ASSIGN_OR_RETURN(MappedMemory memory, MappedMemory::Allocate(bytes));
  std::vector<absl::Span<const VertexId>> spans;
  absl::Span<std::byte> rest = memory.bytes();
  for (uint64_t column = 0; column < columns; ++column) {
    const ArrayFile& file = files.HeadsColumn(load.direction, column);
    FARGRAPH_RETURN_IF_ERROR(file.Read(0, rest.first(file.bytes())));
    spans.emplace_back(reinterpret_cast<const VertexId*>(rest.data()), file.elements());
    rest.remove_prefix(file.bytes());
  }
  return Heads(std::move(memory), std::move(spans));
}

std::shared_ptr<const EdgeLists>& ListsOf(Direction direction, LoadedGraph& graph) {
  return direction == Direction::kOut ? graph.out : graph.in;
}

/// The index alone.
absl::Status LoadDegrees(const GraphFiles& files, const ListLoad& load, LoadedGraph& graph) {
  FARGRAPH_ASSIGN_OR_RETURN(VertexArray<EdgeOffset> index, files.ReadIndex(load.direction));
  ListsOf(load.direction, graph) = std::make_shared<EdgeLists>(std::move(index));
  return absl::OkStatus();
}

/// Lists, weights and heads.
absl::Status LoadLists(const GraphFiles& files, const ListLoad& load, const PlacementPlan& plan,
                       const PlaceOptions& options, LoadedGraph& graph) {
  const FarRatios ratios = plan.RatiosOf(load.ListsArray(options.compressed));
  std::optional<FarRatios> weights;
  if (load.weight_bytes > 0) weights = plan.RatiosOf(WeightsArray(load.direction));
  FARGRAPH_ASSIGN_OR_RETURN(PlacedLists placed,
                            load.StaysCompressed(options.compressed)
                                ? PlaceCodes(files, load.direction, ratios, options)
                                : PlaceLists(files, load.direction, ratios, weights, options));
  graph.edge_bytes += placed.lists->chunks().elements() * placed.lists->bytes_per_element();
  graph.far_bytes += placed.far_bytes;
  graph.ssd_bytes += placed.ssd_bytes;
  if (placed.far_bytes > 0) graph.attached &= placed.attached;
  ListsOf(load.direction, graph) = std::move(placed.lists);
  FARGRAPH_ASSIGN_OR_RETURN(Heads heads, LoadHeads(files, load, plan));
  graph.head_bytes += heads.bytes();
  (load.direction == Direction::kOut ? graph.out_heads : graph.in_heads) =
      std::make_shared<Heads>(std::move(heads));
  return absl::OkStatus();
}

/// Of a load's cache of chunks, as large as planned; 0 where it would hold nothing, or keeps lists.
uint64_t FramesBytes(const ListLoad& load, const PlacementPlan& plan, uint64_t frame_bytes,
                     LoadedGraph& graph) {
  if (!load.edges || plan.Holds(CacheBuffer(load.direction))) return 0;
  const size_t chunks = ListsOf(load.direction, graph)->chunks().size();
  return frame_bytes *
         ChunkCache::FramesWithin(plan.LocalBytes(CacheShare(load.direction)), frame_bytes, chunks);
}

/// One queue and one slice of the rings per thread, behind the frames of caches of chunks.
absl::Status OpenStreams(const std::vector<ListLoad>& loads, const PlacementPlan& plan,
                         const PlaceOptions& options, LoadedGraph& graph) {
  const LinkTuning& tuning = options.tuning;
  const uint64_t block_bytes = options.far_tiers->block_bytes();
  const uint64_t ring_bytes = RingBytes(loads, tuning, block_bytes);
  const uint64_t slot_bytes = SlotBytes(loads, tuning.chunk_bytes, block_bytes);
  const size_t threads = omp_get_max_threads();
  uint64_t frames_bytes = 0;
  for (const ListLoad& load : loads) frames_bytes += FramesBytes(load, plan, slot_bytes, graph);
  FARGRAPH_ASSIGN_OR_RETURN(
      graph.rings, MappedMemory::Allocate(frames_bytes + RingsBytes(loads, tuning, block_bytes)));
  graph.rings.Populate();
  FARGRAPH_ASSIGN_OR_RETURN(graph.rings_region,
                            options.far_tiers->RegisterMemory(graph.rings.bytes()));
  for (size_t thread = 0; thread < threads; ++thread) {
    FARGRAPH_ASSIGN_OR_RETURN(
        std::unique_ptr<TierQueue> queue,
        options.far_tiers->OpenQueue(graph.rings_region, tuning.slots, tuning.queue_pairs));
    if (options.trace != nullptr) queue = TracedQueue(std::move(queue), *options.trace);
    graph.streams.push_back(std::make_unique<EdgeStream>(
        std::move(queue),
        graph.rings.bytes().subspan(frames_bytes + thread * ring_bytes, ring_bytes), slot_bytes,
        options.gaps));
  }
  return absl::OkStatus();
}

/// Those of all loads that keep chunks, with as many as they have room for.
absl::Status OpenChunkCaches(const std::vector<ListLoad>& loads, const PlacementPlan& plan,
                             const PlaceOptions& options, LoadedGraph& graph) {
  const uint64_t block_bytes = options.far_tiers->block_bytes();
  const uint64_t frame_bytes = SlotBytes(loads, options.tuning.chunk_bytes, block_bytes);
  absl::Span<std::byte> rest = graph.rings.bytes();
  for (const ListLoad& load : loads) {
    const uint64_t bytes = FramesBytes(load, plan, frame_bytes, graph);
    if (bytes == 0) continue;
    const EdgeLists& lists = *ListsOf(load.direction, graph);
    auto& cache = load.direction == Direction::kOut ? graph.out_chunks : graph.in_chunks;
    cache = std::make_unique<ChunkCache>(lists, rest.first(bytes), frame_bytes);
    rest.remove_prefix(bytes);
    FARGRAPH_RETURN_IF_ERROR(FillCache(*cache, lists, graph.streams, options.cancelled));
  }
  return absl::OkStatus();
}

/// The cache of a load's lists, as large as planned; nullptr where it would hold nothing.
absl::StatusOr<std::unique_ptr<ListCache>> OpenListCache(const ListLoad& load,
                                                         const EdgeLists& lists,
                                                         const PlacementPlan& plan,
                                                         const PlaceOptions& options,
                                                         ListCacheMemory& memory) {
  const uint64_t bytes =
      plan.LocalBytes(CacheBuffer(load.direction)) + plan.LocalBytes(CacheShare(load.direction));
  const uint64_t slots = ListCache::SlotsWithin(bytes, lists.edges(), lists.weight_bytes());
  if (slots == 0) return nullptr;
  FARGRAPH_ASSIGN_OR_RETURN(
      memory.slots, MappedMemory::Allocate(ListCache::SlotsBytes(slots, lists.weight_bytes())));
  FARGRAPH_ASSIGN_OR_RETURN(memory.region, options.far_tiers->RegisterMemory(memory.slots.bytes()));
  FARGRAPH_ASSIGN_OR_RETURN(
      std::unique_ptr<TierQueue> queue,
      options.far_tiers->OpenQueue(memory.region, /*tags=*/1, options.tuning.queue_pairs));
  return std::make_unique<ListCache>(
      lists, std::move(queue),
      memory.slots.bytes().first(ListCache::SlotsBytes(slots, lists.weight_bytes())));
}

/// Those of all loads that keep lists.
absl::Status OpenListCaches(const std::vector<ListLoad>& loads, const PlacementPlan& plan,
                            const PlaceOptions& options, LoadedGraph& graph) {
  for (const ListLoad& load : loads) {
    if (!plan.Holds(CacheBuffer(load.direction))) continue;
    const bool is_out = load.direction == Direction::kOut;
    auto& cache = is_out ? graph.out_cache : graph.in_cache;
    FARGRAPH_ASSIGN_OR_RETURN(
        cache, OpenListCache(load, is_out ? *graph.out : *graph.in, plan, options,
                             is_out ? graph.out_cache_memory : graph.in_cache_memory));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LoadedGraph> LoadGraph(const GraphFiles& files, const Kernel& kernel,
                                      const PlacementPlan& plan, const PlaceOptions& options) {
  LoadedGraph graph = {.out_heads = std::make_shared<Heads>(),
                       .in_heads = std::make_shared<Heads>(),
                       .attached = true};
  const std::vector<ListLoad> loads = LoadsFor(files, kernel);
  for (const ListLoad& load : loads) {
    FARGRAPH_RETURN_IF_ERROR(load.edges ? LoadLists(files, load, plan, options, graph)
                                        : LoadDegrees(files, load, graph));
  }
  if (files.manifest().symmetric) {
    graph.in = graph.out;
    graph.in_heads = graph.out_heads;
  }

  graph.attached &= graph.far_bytes > 0;
  if (graph.far_bytes > 0) {
    FARGRAPH_RETURN_IF_ERROR(OpenStreams(loads, plan, options, graph));
    FARGRAPH_RETURN_IF_ERROR(OpenListCaches(loads, plan, options, graph));
    FARGRAPH_RETURN_IF_ERROR(OpenChunkCaches(loads, plan, options, graph));
    graph.cache_bytes = plan.CacheBytes();
  }
  FARGRAPH_ASSIGN_OR_RETURN(graph.state, PlaceState(plan, options.far_tiers));
  return graph;
}

Graph TakeGraph(const GraphFiles& files, LoadedGraph& loaded, const std::atomic<bool>* cancelled,
                std::function<void(uint64_t iteration, uint64_t active)> on_iteration) {
  return Graph({.vertices = static_cast<VertexId>(files.manifest().vertices),
                .out = loaded.out,
                .in = loaded.in,
                .out_heads = loaded.out_heads,
                .in_heads = loaded.in_heads,
                .may_have_self_loops = files.manifest().HasSelfLoops(),
                .weight_type = files.manifest().weight_type,
                .streams = std::move(loaded.streams),
                .out_cache = std::move(loaded.out_cache),
                .in_cache = std::move(loaded.in_cache),
                .out_chunks = std::move(loaded.out_chunks),
                .in_chunks = std::move(loaded.in_chunks),
                .far_state = std::move(loaded.state.state),
                .names = files.names(),
                .cancelled = cancelled,
                .on_iteration = std::move(on_iteration)});
}

}  // namespace fargraph

#include "compute_node/placement/load_graph.h"

#include <omp.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/huge_pages.h"
#include "common/status_macros.h"
#include "compute_node/placement/far_upload.h"
#include "graph/codec/block_codec.h"
#include "graph/format/manifest.h"

namespace fargraph {
namespace {

ListUse UseOf(const Kernel& kernel, Direction direction) {
  return direction == Direction::kOut ? kernel.out_lists() : kernel.in_lists();
}

bool ReadsEdges(const GraphFiles& files, const Kernel& kernel, Direction direction) {
  const ListUse use = UseOf(kernel, direction);
  return use == ListUse::kEdges || use == ListUse::kWeightedEdges ||
         (use == ListUse::kEdgesIfStored && files.Has(direction));
}

uint64_t WeightBytesRead(const GraphFiles& files, const Kernel& kernel, Direction direction) {
  const bool reads = UseOf(kernel, direction) == ListUse::kWeightedEdges;
  return reads ? WeightBytes(files.manifest().weight_type) : 0;
}

bool ReadsIndex(const GraphFiles& files, const Kernel& kernel, Direction direction) {
  return ReadsEdges(files, kernel, direction) || UseOf(kernel, direction) == ListUse::kDegrees;
}

/// One set of lists to load.
struct Load {
  Direction direction = Direction::kOut;
  bool edges = false;         ///< not the index alone
  uint64_t weight_bytes = 0;  ///< of each edge; 0 where they are not read
  uint64_t heads = 0;         ///< columns that the kernel has a use for
};

/// Weights are parallel to edges that lie side by side: lists that are read with them are decoded
/// while they are loaded.
bool StaysCompressed(const Load& load, bool compressed) {
  return compressed && load.weight_bytes == 0;
}

/// The array that holds the lists of a job.
std::string ListsArray(const Load& load, bool compressed) {
  return StaysCompressed(load, compressed) ? CodesArray(load.direction)
                                           : EdgesArray(load.direction);
}

/// An array that may be uploaded.
struct UploadedArray {
  absl::string_view kind;  ///< as uploads name it
  std::string segment;     ///< as plans do
};

std::vector<UploadedArray> UploadedArrays(const Load& load, bool compressed) {
  std::vector<UploadedArray> arrays = {
      {StaysCompressed(load, compressed) ? "codes" : "edges", ListsArray(load, compressed)}};
  if (load.weight_bytes > 0) arrays.push_back({"weights", WeightsArray(load.direction)});
  return arrays;
}

/// What the kernel reads of the lists of one direction.
Load LoadOf(const GraphFiles& files, const Kernel& kernel, Direction direction) {
  const uint64_t heads = direction == Direction::kOut ? kernel.out_heads() : kernel.in_heads();
  const bool edges = ReadsEdges(files, kernel, direction);
  return {.direction = direction,
          .edges = edges,
          .weight_bytes = WeightBytesRead(files, kernel, direction),
          .heads = edges ? std::min(heads, files.manifest().heads) : 0};
}

/// What the kernel makes a job load. A symmetric graph has one set of lists that serves both
/// directions.
std::vector<Load> LoadsFor(const GraphFiles& files, const Kernel& kernel) {
  const Load out = LoadOf(files, kernel, Direction::kOut);
  const Load in = LoadOf(files, kernel, Direction::kIn);
  if (files.manifest().symmetric) {
    return {{.direction = Direction::kOut,
             .edges = out.edges || in.edges,
             .weight_bytes = std::max(out.weight_bytes, in.weight_bytes),
             .heads = std::max(out.heads, in.heads)}};
  }
  std::vector<Load> loads;
  if (ReadsIndex(files, kernel, Direction::kOut)) loads.push_back(out);
  if (ReadsIndex(files, kernel, Direction::kIn)) loads.push_back(in);
  return loads;
}

/// A slot takes the edges of a chunk and, where the kernel reads them, their weights.
uint64_t SlotBytes(const std::vector<Load>& loads, uint64_t chunk_bytes, uint64_t block_bytes) {
  uint64_t weight_bytes = 0;
  for (const Load& load : loads) weight_bytes = std::max(weight_bytes, load.weight_bytes);
  return EdgeStream::SlotBytes(chunk_bytes, chunk_bytes / sizeof(VertexId) * weight_bytes,
                               block_bytes);
}

/// Of one thread.
uint64_t RingBytes(const std::vector<Load>& loads, const LinkTuning& tuning, uint64_t block_bytes) {
  return tuning.slots * SlotBytes(loads, tuning.chunk_bytes, block_bytes);
}

/// Of all threads, with what a decoder may read behind them. A device is told of every page that it
/// is to write to, so its rings are on whole huge pages. Measured: PageRank reads from an SSD 1.7
/// times as fast by chunks of 128 KiB as into pages of 4 KiB.
uint64_t RingsBytes(const std::vector<Load>& loads, const LinkTuning& tuning,
                    uint64_t block_bytes) {
  const uint64_t bytes =
      omp_get_max_threads() * RingBytes(loads, tuning, block_bytes) + kCodeSlackBytes;
  const bool is_device = block_bytes > 1;
  return is_device ? (bytes + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes : bytes;
}

/// A cache of lists is a buffer beside the local share: of so many bytes, or an eighth of lists
/// that are small. Where searches are deep it has half a block for each vertex of a frontier, whose
/// vertices are about as many as the levels, and it also takes what heads leave of the local share,
/// up to a quarter of the lists.
constexpr uint64_t kLeastCacheBufferBytes = 256 << 10;
constexpr double kCacheBlocksPerVertex = 0.5;
constexpr uint64_t kListBytesPerBufferByte = 8;
constexpr uint64_t kListBytesPerSharedByte = 4;

uint64_t CacheBufferBytes(const GraphManifest& graph, uint64_t list_bytes, uint64_t weight_bytes) {
  uint64_t bytes = kLeastCacheBufferBytes;
  if (SearchesAreDeep(graph)) {
    const double blocks = kCacheBlocksPerVertex * RoughDepth(graph).levels;
    bytes = std::max(bytes, ListCache::SlotsBytes(static_cast<uint64_t>(blocks), weight_bytes));
  }
  return std::min(bytes, list_bytes / kListBytesPerBufferByte);
}

std::string CacheBuffer(Direction direction) {
  return direction == Direction::kOut ? "out.cache.buffer" : "in.cache.buffer";
}
std::string CacheShare(Direction direction) {
  return direction == Direction::kOut ? "out.cache.share" : "in.cache.share";
}

/// Steps of few vertices are taken through a cache of their lists, where these are read edge by
/// edge from memory nodes.
bool IsCached(const Load& load, const Kernel& kernel, const PlaceOptions& place,
              uint64_t block_bytes) {
  return place.caches && load.edges && !kernel.scans_only() &&
         !StaysCompressed(load, place.compressed) && block_bytes == 1;
}

/// The head columns that the plan holds, one behind the other.
absl::StatusOr<Heads> LoadHeads(const GraphFiles& files, const Load& load,
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

/// What is held of each chunk: where it begins, where it lies, that a scan visits it, and, while it
/// is placed, where it goes. The bound on the number of chunks is that for edges, which weights
/// share.
uint64_t ChunkTableBytes(uint64_t edge_bytes, const Load& load, uint64_t chunk_bytes) {
  const uint64_t arrays = load.weight_bytes > 0 ? 2 : 1;
  const uint64_t bytes_per_chunk = sizeof(VertexId) + sizeof(EdgeOffset) + sizeof(size_t) +
                                   arrays * (sizeof(ChunkPlace) + 2 * sizeof(uint64_t));
  return ChunkTable::MostChunks(edge_bytes, chunk_bytes) * bytes_per_chunk;
}

/// One queue and one slice of the rings per thread.
absl::Status OpenStreams(const std::vector<Load>& loads, const PlaceOptions& options,
                         LoadedGraph& graph) {
  const LinkTuning& tuning = options.tuning;
  const uint64_t block_bytes = options.far_tiers->block_bytes();
  const uint64_t ring_bytes = RingBytes(loads, tuning, block_bytes);
  const size_t threads = omp_get_max_threads();
  FARGRAPH_ASSIGN_OR_RETURN(graph.rings,
                            MappedMemory::Allocate(RingsBytes(loads, tuning, block_bytes)));
  graph.rings.Populate();
  FARGRAPH_ASSIGN_OR_RETURN(graph.rings_region,
                            options.far_tiers->RegisterMemory(graph.rings.bytes()));
  for (size_t thread = 0; thread < threads; ++thread) {
    FARGRAPH_ASSIGN_OR_RETURN(
        std::unique_ptr<TierQueue> queue,
        options.far_tiers->OpenQueue(graph.rings_region, tuning.slots, tuning.queue_pairs));
    if (options.trace != nullptr) queue = TracedQueue(std::move(queue), *options.trace);
    graph.streams.push_back(std::make_unique<EdgeStream>(
        std::move(queue), graph.rings.bytes().subspan(thread * ring_bytes, ring_bytes),
        SlotBytes(loads, tuning.chunk_bytes, block_bytes), options.gaps));
  }
  return absl::OkStatus();
}

/// The cache of a load's lists, as large as planned; nullptr where it would hold nothing.
absl::StatusOr<std::unique_ptr<ListCache>> OpenCache(const Load& load, const EdgeLists& lists,
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

/// Those of all loads.
absl::Status OpenCaches(const std::vector<Load>& loads, const PlacementPlan& plan,
                        const PlaceOptions& options, LoadedGraph& graph) {
  for (const Load& load : loads) {
    const bool is_out = load.direction == Direction::kOut;
    auto& cache = is_out ? graph.out_cache : graph.in_cache;
    FARGRAPH_ASSIGN_OR_RETURN(cache,
                              OpenCache(load, is_out ? *graph.out : *graph.in, plan, options,
                                        is_out ? graph.out_cache_memory : graph.in_cache_memory));
  }
  graph.cache_bytes = plan.CacheBytes();
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckLists(const GraphFiles& files, const Kernel& kernel) {
  for (const Load& load : LoadsFor(files, kernel)) {
    if (files.Has(load.direction)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(kernel.name(), " reads the in-edges of ", files.path(),
                     ", which were not stored; convert the graph again with --reverse"));
  }
  return absl::OkStatus();
}

std::vector<DataSegment> JobSegments(const GraphFiles& files, const Kernel& kernel,
                                     const KernelOptions& options, const PlaceOptions& place) {
  const uint64_t block_bytes = place.far_tiers == nullptr ? 1 : place.far_tiers->block_bytes();
  const std::vector<Load> loads = LoadsFor(files, kernel);
  std::vector<DataSegment> segments = kernel.Segments(files.manifest(), options);
  for (const Load& load : loads) {
    segments.push_back({.name = IndexArray(load.direction),
                        .bytes = files.Index(load.direction).bytes(),
                        .behaviour = kIndexedReadOnly});
    if (!load.edges) continue;
    uint64_t list_bytes = files.manifest().edges * sizeof(VertexId);
    if (StaysCompressed(load, place.compressed)) {
      list_bytes = files.Codes(load.direction).bytes();
      segments.push_back({.name = CodeIndexArray(load.direction),
                          .bytes = (files.manifest().vertices + 1) * sizeof(uint32_t),
                          .behaviour = kIndexedReadOnly});
    }
    segments.push_back({.name = load.direction == Direction::kOut ? "out.chunks" : "in.chunks",
                        .bytes = ChunkTableBytes(list_bytes, load, place.tuning.chunk_bytes),
                        .behaviour = kIndexedReadOnly});
    segments.push_back({.name = ListsArray(load, place.compressed),
                        .bytes = list_bytes,
                        .behaviour = kStreamedReadOnly,
                        .residence = Residence::kLocalOrFar});
    for (uint64_t column = 0; column < load.heads; ++column) {
      segments.push_back({.name = HeadsArray(load.direction, column),
                          .bytes = files.HeadsColumn(load.direction, column).bytes(),
                          .behaviour = kIndexedReadOnly,
                          .residence = Residence::kLocalIfRoom});
    }
    if (load.weight_bytes > 0) {
      segments.push_back({.name = WeightsArray(load.direction),
                          .bytes = files.Weights(load.direction).bytes(),
                          .behaviour = kStreamedReadOnly,
                          .residence = Residence::kLocalOrFar});
      list_bytes += segments.back().bytes;
    }
    if (!IsCached(load, kernel, place, block_bytes)) continue;
    segments.push_back({.name = CacheBuffer(load.direction),
                        .bytes = CacheBufferBytes(files.manifest(), list_bytes, load.weight_bytes),
                        .residence = Residence::kLocalWithFar});
    if (!SearchesAreDeep(files.manifest())) continue;
    segments.push_back({.name = CacheShare(load.direction),
                        .bytes = list_bytes / kListBytesPerSharedByte,
                        .behaviour = kIndexedReadOnly,
                        .residence = Residence::kCacheIfRoom});
  }
  segments.push_back({.name = "rings",
                      .bytes = RingsBytes(loads, place.tuning, block_bytes),
                      .residence = Residence::kLocalWithFar});
  return segments;
}

absl::StatusOr<std::set<uint64_t>> UploadedChunkSizes(const GraphFiles& files, const Kernel& kernel,
                                                      const PlacementPlan& plan, bool compressed,
                                                      bool any_part, FarTier& far_tier) {
  std::optional<std::set<uint64_t>> of_all;
  for (const Load& load : LoadsFor(files, kernel)) {
    const double far_ratio = plan.FarRatio(ListsArray(load, compressed));
    if (!load.edges || far_ratio == 0) continue;
    for (const UploadedArray& array : UploadedArrays(load, compressed)) {
      FARGRAPH_ASSIGN_OR_RETURN(const std::set<uint64_t> sizes,
                                UploadedChunkSizes(files, load.direction, array.kind,
                                                   any_part ? 0 : far_ratio, far_tier));
      if (!of_all) of_all = sizes;
      std::erase_if(*of_all, [&](uint64_t size) { return !sizes.contains(size); });
    }
  }
  return of_all.value_or(std::set<uint64_t>());
}

absl::StatusOr<std::map<std::string, double>> KeptRatios(const GraphFiles& files,
                                                         const Kernel& kernel, bool compressed,
                                                         uint64_t chunk_bytes, FarTier& far_tier) {
  std::map<std::string, double> ratios;
  for (const Load& load : LoadsFor(files, kernel)) {
    if (!load.edges) continue;
    for (const UploadedArray& array : UploadedArrays(load, compressed)) {
      FARGRAPH_ASSIGN_OR_RETURN(
          ratios[array.segment],
          UploadedRatio(UploadPrefix(files, load.direction, array.kind, chunk_bytes), far_tier));
    }
  }
  return ratios;
}

absl::StatusOr<LoadedGraph> LoadGraph(const GraphFiles& files, const Kernel& kernel,
                                      const PlacementPlan& plan, const PlaceOptions& options) {
  LoadedGraph graph = {.out_heads = std::make_shared<Heads>(),
                       .in_heads = std::make_shared<Heads>(),
                       .attached = true};
  const std::vector<Load> loads = LoadsFor(files, kernel);
  for (const Load& load : loads) {
    auto& lists = load.direction == Direction::kOut ? graph.out : graph.in;
    if (!load.edges) {
      FARGRAPH_ASSIGN_OR_RETURN(VertexArray<EdgeOffset> index, files.ReadIndex(load.direction));
      lists = std::make_shared<EdgeLists>(std::move(index));
      continue;
    }
    const FarRatios ratios = plan.RatiosOf(ListsArray(load, options.compressed));
    std::optional<FarRatios> weights;
    if (load.weight_bytes > 0) weights = plan.RatiosOf(WeightsArray(load.direction));
    FARGRAPH_ASSIGN_OR_RETURN(PlacedLists placed,
                              StaysCompressed(load, options.compressed)
                                  ? PlaceCodes(files, load.direction, ratios, options)
                                  : PlaceLists(files, load.direction, ratios, weights, options));
    lists = std::move(placed.lists);
    graph.edge_bytes += lists->chunks().elements() * lists->bytes_per_element();
    graph.far_bytes += placed.far_bytes;
    graph.ssd_bytes += placed.ssd_bytes;
    if (placed.far_bytes > 0) graph.attached &= placed.attached;
    FARGRAPH_ASSIGN_OR_RETURN(Heads heads, LoadHeads(files, load, plan));
    graph.head_bytes += heads.bytes();
    (load.direction == Direction::kOut ? graph.out_heads : graph.in_heads) =
        std::make_shared<Heads>(std::move(heads));
  }
  if (files.manifest().symmetric) {
    graph.in = graph.out;
    graph.in_heads = graph.out_heads;
  }

  graph.attached &= graph.far_bytes > 0;
  if (graph.far_bytes > 0) {
    FARGRAPH_RETURN_IF_ERROR(OpenStreams(loads, options, graph));
    FARGRAPH_RETURN_IF_ERROR(OpenCaches(loads, plan, options, graph));
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
                .far_state = std::move(loaded.state.state),
                .names = files.names(),
                .cancelled = cancelled,
                .on_iteration = std::move(on_iteration)});
}

}  // namespace fargraph

#include "compute_node/loading/job_segments.h"

#include <algorithm>
#include <cstdint>

#include "compute_node/engine/effort.h"
#include "compute_node/loading/list_loads.h"
#include "compute_node/loading/ring_sizes.h"
#include "compute_node/pipeline/list_cache.h"
#include "compute_node/placement/chunk_table.h"
#include "compute_node/placement/edge_lists.h"
#include "graph/format/manifest.h"

namespace fargraph {
namespace {

/// A cache of lists, where searches are deep, is a buffer beside the local share: half a block for
/// each vertex of a frontier, whose vertices are about as many as the levels, and no less than so
/// many bytes; or an eighth of lists that are small. It also takes what heads leave of the local
/// share, up to a quarter of the lists.
constexpr uint64_t kLeastCacheBufferBytes = 256 << 10;
constexpr double kCacheBlocksPerVertex = 0.5;
constexpr uint64_t kListBytesPerBufferByte = 8;
constexpr uint64_t kListBytesPerSharedByte = 4;

uint64_t CacheBufferBytes(const GraphManifest& graph, uint64_t list_bytes, uint64_t weight_bytes) {
  const double blocks = kCacheBlocksPerVertex *
                        RoughDepth(graph, KindOf(graph, /*lists_are_clustered=*/false)).levels;
  const uint64_t bytes = ListCache::SlotsBytes(static_cast<uint64_t>(blocks), weight_bytes);
  return std::min(std::max(bytes, kLeastCacheBufferBytes), list_bytes / kListBytesPerBufferByte);
}

/// True where most lists are longer than a chunk: a cache of chunks does not keep these.
bool ListsAreLong(const GraphManifest& graph, uint64_t chunk_bytes) {
  return graph.edges * sizeof(VertexId) > graph.end_of_lists * chunk_bytes;
}

/// What is held of each chunk: where it begins, where it lies, that a scan visits it, and, while it
/// is placed, where it goes. The bound on the number of chunks is that for edges, which weights
/// share.
uint64_t ChunkTableBytes(uint64_t edge_bytes, const ListLoad& load, uint64_t chunk_bytes) {
  const uint64_t arrays = load.weight_bytes > 0 ? 2 : 1;
  const uint64_t bytes_per_chunk = sizeof(VertexId) + sizeof(EdgeOffset) + sizeof(size_t) +
                                   arrays * (sizeof(ChunkPlace) + 2 * sizeof(uint64_t));
  return ChunkTable::MostChunks(edge_bytes, chunk_bytes) * bytes_per_chunk;
}

/// Collects the segments of a job's lists.
class ListSegments {
 public:
  ListSegments(const GraphFiles& files, const PlaceOptions& place, std::vector<DataSegment>& all)
      : files_(files), place_(place), all_(all) {}

  void AddIndex(const ListLoad& load) {
    AddIndexed(IndexArray(load.direction), files_.Index(load.direction).bytes());
  }

  /// Lists with their chunks and heads, and the weights.
  void AddLists(const ListLoad& load) {
    if (load.StaysCompressed(place_.compressed)) {
      AddIndexed(CodeIndexArray(load.direction),
                 (files_.manifest().vertices + 1) * sizeof(uint32_t));
    }
    const uint64_t bytes = ListBytes(load);
    AddIndexed(load.direction == Direction::kOut ? "out.chunks" : "in.chunks",
               ChunkTableBytes(bytes, load, place_.tuning.chunk_bytes));
    AddStreamed(load.ListsArray(place_.compressed), bytes);
    for (uint64_t column = 0; column < load.heads; ++column) {
      AddIndexed(HeadsArray(load.direction, column),
                 files_.HeadsColumn(load.direction, column).bytes(), Residence::kLocalIfRoom);
    }
    if (load.weight_bytes > 0) AddStreamed(WeightsArray(load.direction), WeightsBytes(load));
  }

  void AddListCache(const ListLoad& load) {
    const uint64_t bytes = ListBytes(load) + WeightsBytes(load);
    all_.push_back({.name = CacheBuffer(load.direction),
                    .bytes = CacheBufferBytes(files_.manifest(), bytes, load.weight_bytes),
                    .residence = Residence::kLocalWithFar});
    AddCacheShare(load, bytes / kListBytesPerSharedByte);
  }

  /// Which takes all of the local share that heads leave: it begins with what would be local.
  void AddChunkCache(const ListLoad& load) {
    AddCacheShare(load, ListBytes(load) + WeightsBytes(load));
  }

 private:
  void AddIndexed(std::string name, uint64_t bytes, Residence residence = Residence::kLocal) {
    all_.push_back({.name = std::move(name),
                    .bytes = bytes,
                    .behaviour = kIndexedReadOnly,
                    .residence = residence});
  }
  void AddCacheShare(const ListLoad& load, uint64_t bytes) {
    AddIndexed(CacheShare(load.direction), bytes, Residence::kCacheIfRoom);
  }
  void AddStreamed(std::string name, uint64_t bytes) {
    all_.push_back({.name = std::move(name),
                    .bytes = bytes,
                    .behaviour = kStreamedReadOnly,
                    .residence = Residence::kLocalOrFar});
  }

  uint64_t ListBytes(const ListLoad& load) const {
    return load.StaysCompressed(place_.compressed) ? files_.Codes(load.direction).bytes()
                                                   : files_.manifest().edges * sizeof(VertexId);
  }
  uint64_t WeightsBytes(const ListLoad& load) const {
    return load.weight_bytes > 0 ? files_.Weights(load.direction).bytes() : 0;
  }

  const GraphFiles& files_;
  const PlaceOptions& place_;
  std::vector<DataSegment>& all_;
};

}  // namespace

std::string CacheBuffer(Direction direction) {
  return direction == Direction::kOut ? "out.cache.buffer" : "in.cache.buffer";
}

std::string CacheShare(Direction direction) {
  return direction == Direction::kOut ? "out.cache.share" : "in.cache.share";
}

std::vector<DataSegment> JobSegments(const GraphFiles& files, const Kernel& kernel,
                                     const KernelOptions& options, const PlaceOptions& place) {
  const uint64_t block_bytes = place.far_tiers == nullptr ? 1 : place.far_tiers->block_bytes();
  const std::vector<ListLoad> loads = LoadsFor(files, kernel);
  std::vector<DataSegment> segments = kernel.Segments(files.manifest(), options);
  ListSegments lists(files, place, segments);
  for (const ListLoad& load : loads) {
    lists.AddIndex(load);
    if (!load.edges) continue;
    lists.AddLists(load);
    if (!place.caches || kernel.walks() == Walks::kFullScans) continue;
    const bool reads_single_edges = block_bytes == 1 && !load.StaysCompressed(place.compressed);
    if (reads_single_edges && SearchesAreDeep(files.manifest())) {
      if (kernel.walks() == Walks::kSmallSteps) lists.AddListCache(load);
    } else if (!ListsAreLong(files.manifest(), place.tuning.chunk_bytes)) {
      lists.AddChunkCache(load);
    }
  }
  segments.push_back({.name = "rings",
                      .bytes = RingsBytes(loads, place.tuning, block_bytes),
                      .residence = Residence::kLocalWithFar});
  return segments;
}

}  // namespace fargraph

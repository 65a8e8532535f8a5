#include "compute_node/placement/load_graph.h"

#include <omp.h>

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graph/format/manifest.h"

namespace fargraph {
namespace {

constexpr size_t kSlotsPerThread = 8;
constexpr uint64_t kBlockBytes = 512;

ListUse UseOf(const Kernel& kernel, Direction direction) {
  return direction == Direction::kOut ? kernel.out_lists() : kernel.in_lists();
}

bool ReadsEdges(const GraphFiles& files, const Kernel& kernel, Direction direction) {
  const ListUse use = UseOf(kernel, direction);
  return use == ListUse::kEdges || (use == ListUse::kEdgesIfStored && files.Has(direction));
}

bool ReadsIndex(const GraphFiles& files, const Kernel& kernel, Direction direction) {
  return ReadsEdges(files, kernel, direction) || UseOf(kernel, direction) == ListUse::kDegrees;
}

/// One set of lists to load.
struct Load {
  Direction direction = Direction::kOut;
  bool edges = false;  ///< not the index alone
};

/// What the kernel makes a job load. A symmetric graph has one set of lists that serves both
/// directions.
std::vector<Load> LoadsFor(const GraphFiles& files, const Kernel& kernel) {
  const bool out_edges = ReadsEdges(files, kernel, Direction::kOut);
  const bool in_edges = ReadsEdges(files, kernel, Direction::kIn);
  if (files.manifest().symmetric) return {{Direction::kOut, out_edges || in_edges}};
  std::vector<Load> loads;
  if (ReadsIndex(files, kernel, Direction::kOut)) loads.push_back({Direction::kOut, out_edges});
  if (ReadsIndex(files, kernel, Direction::kIn)) loads.push_back({Direction::kIn, in_edges});
  return loads;
}

uint64_t RingBytes(uint64_t chunk_bytes) {
  return omp_get_max_threads() * kSlotsPerThread * chunk_bytes;
}

/// One queue and one slice of the rings per thread, and the link measured with all of them at once.
absl::Status OpenStreams(FarMemory& far_memory, uint64_t chunk_bytes, const FarSegment& segment,
                         LoadedGraph& graph) {
  const size_t threads = omp_get_max_threads();
  FARGRAPH_ASSIGN_OR_RETURN(graph.rings, MappedMemory::Allocate(RingBytes(chunk_bytes)));
  FARGRAPH_ASSIGN_OR_RETURN(graph.rings_region, far_memory.RegisterMemory(graph.rings.bytes()));

  std::vector<std::unique_ptr<FarQueue>> queues(threads);
  std::vector<ProbeLane> lanes(threads);
  for (size_t thread = 0; thread < threads; ++thread) {
    FARGRAPH_ASSIGN_OR_RETURN(queues[thread],
                              far_memory.OpenQueue(*graph.rings_region, kSlotsPerThread));
    const uint64_t ring_bytes = kSlotsPerThread * chunk_bytes;
    lanes[thread] = {.queue = queues[thread].get(),
                     .buffer = graph.rings.bytes().subspan(thread * ring_bytes, ring_bytes)};
  }
  FARGRAPH_ASSIGN_OR_RETURN(graph.link, ProbeLink(lanes, segment, kBlockBytes, chunk_bytes));
  for (size_t thread = 0; thread < threads; ++thread) {
    graph.streams.push_back(
        std::make_unique<EdgeStream>(std::move(queues[thread]), lanes[thread].buffer, chunk_bytes,
                                     graph.link.Shape(kBlockBytes, chunk_bytes)));
  }
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
                                     uint64_t chunk_bytes) {
  std::vector<DataSegment> segments = kernel.Segments(files.manifest());
  for (const Load& load : LoadsFor(files, kernel)) {
    segments.push_back({.name = IndexArray(load.direction),
                        .bytes = files.Index(load.direction).bytes(),
                        .behaviour = kIndexedReadOnly});
    if (!load.edges) continue;
    segments.push_back({.name = EdgesArray(load.direction),
                        .bytes = files.Edges(load.direction).bytes(),
                        .behaviour = kStreamedReadOnly,
                        .residence = Residence::kLocalOrFar});
  }
  if (files.HasOriginalIds()) {
    segments.push_back({.name = std::string(kIdsArray),
                        .bytes = files.manifest().vertices * sizeof(uint64_t),
                        .behaviour = kIndexedReadOnly});
  }
  segments.push_back(
      {.name = "rings", .bytes = RingBytes(chunk_bytes), .residence = Residence::kLocalWithFar});
  return segments;
}

absl::StatusOr<LoadedGraph> LoadGraph(const GraphFiles& files, const Kernel& kernel,
                                      const PlacementPlan& plan, const PlaceOptions& options) {
  LoadedGraph graph = {.attached = true};
  std::optional<FarSegment> largest_segment;
  for (const Load& load : LoadsFor(files, kernel)) {
    auto& lists = load.direction == Direction::kOut ? graph.out : graph.in;
    if (!load.edges) {
      FARGRAPH_ASSIGN_OR_RETURN(std::vector<EdgeOffset> index, files.ReadIndex(load.direction));
      lists = std::make_shared<EdgeLists>(std::move(index));
      continue;
    }
    FARGRAPH_ASSIGN_OR_RETURN(
        PlacedLists placed,
        PlaceLists(files, load.direction, plan.FarRatio(EdgesArray(load.direction)), options));
    lists = std::move(placed.lists);
    graph.edge_bytes += lists->chunks().TotalBytes();
    graph.far_bytes += placed.far_bytes;
    if (!placed.far_segment.has_value()) continue;
    graph.attached &= placed.attached;
    if (!largest_segment || largest_segment->bytes < placed.far_segment->bytes)
      largest_segment = placed.far_segment;
  }
  if (files.manifest().symmetric) graph.in = graph.out;

  if (largest_segment.has_value()) {
    FARGRAPH_RETURN_IF_ERROR(
        OpenStreams(*options.far_memory, options.chunk_bytes, *largest_segment, graph));
  } else {
    graph.attached = false;
  }
  return graph;
}

}  // namespace fargraph

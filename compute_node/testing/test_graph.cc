#include "compute_node/testing/test_graph.h"

#include <omp.h>

#include <algorithm>
#include <numeric>

#include "compute_node/pipeline/slot_packer.h"
#include "graph/codec/block_codec.h"
#include "gtest/gtest.h"

namespace fargraph {

namespace {

constexpr ReadGaps kGaps = {.break_even = 32, .narrow = 8};

VertexId TargetOf(uint64_t entry) { return static_cast<VertexId>(entry >> 32); }

}  // namespace

TestGraphOptions OptionsOf(const WalkPlacement& placement) {
  const auto& [far_ratio, slots, compressed, block_bytes, chunk_frames] = placement;
  return {.far_ratio = far_ratio,
          .slots = slots,
          .block_bytes = block_bytes,
          .chunk_frames = chunk_frames,
          .compressed = compressed};
}

TestGraph::TestGraph(VertexId vertices, const EdgeList& edges, const TestGraphOptions& options)
    : options_(options) {
  Graph::Parts parts = {.vertices = vertices,
                        .weight_type = options.weight_type,
                        .names = options.names,
                        .cancelled = options.cancelled};
  const Lists out = ListsOf(vertices, edges, /*reversed=*/false);
  const Lists in = ListsOf(vertices, edges, /*reversed=*/true);
  parts.out = Place(out);
  parts.out_heads = HeadsOf(out);
  if (options.is_said_to_be_symmetric || (in == out && options.weight_bits.empty())) {
    parts.in_heads = parts.out_heads;
    parts.in = parts.out;
  } else if (options.with_in_edges) {
    parts.in_heads = HeadsOf(in);
    parts.in = Place(in);
  } else {
    parts.in_heads = std::make_shared<Heads>();
  }
  rings_.resize(omp_get_max_threads());
  for (size_t thread = 0; thread < rings_.size(); ++thread) {
    const uint64_t slot_bytes = SlotBytes();
    rings_[thread] =
        AlignedBytes(options.slots * slot_bytes + kCodeSlackBytes, options.block_bytes);
    auto tier =
        std::make_unique<FakeTier>(absl::MakeSpan(far_), /*seed=*/thread + 1, options.fail_after,
                                   options.one_by_one, options.block_bytes);
    tiers_.push_back(tier.get());
    parts.streams.push_back(std::make_unique<EdgeStream>(
        std::move(tier), absl::MakeSpan(rings_[thread].get(), options.slots * slot_bytes),
        slot_bytes, FarGaps{.on_memory_nodes = kGaps, .on_ssds = kGaps}));
  }
  if (options.cache_slots > 0) {
    parts.out_cache = MakeCache(*parts.out);
    if (parts.in != nullptr && parts.in != parts.out) parts.in_cache = MakeCache(*parts.in);
  }
  if (options.chunk_frames > 0) {
    parts.out_chunks = MakeChunkCache(*parts.out);
    if (parts.in != nullptr && parts.in != parts.out) parts.in_chunks = MakeChunkCache(*parts.in);
  }
  parts.far_state = PlaceState(vertices);
  graph_ = std::make_unique<Graph>(std::move(parts));
}

TestGraph::Lists TestGraph::ListsOf(VertexId vertices, const EdgeList& edges, bool reversed) const {
  Lists lists = {.index = std::vector<EdgeOffset>(vertices + 1),
                 .entries = std::vector<uint64_t>(edges.size())};
  for (const auto& [source, target] : edges) ++lists.index[(reversed ? target : source) + 1];
  std::partial_sum(lists.index.begin(), lists.index.end(), lists.index.begin());
  std::vector<EdgeOffset> next = lists.index;
  for (size_t i = 0; i < edges.size(); ++i) {
    auto [source, target] = edges[i];
    if (reversed) std::swap(source, target);
    const uint32_t bits = options_.weight_bits.empty() ? 0 : options_.weight_bits.at(i);
    lists.entries[next[source]++] = uint64_t{target} << 32 | bits;
  }
  for (VertexId v = 0; v < vertices; ++v)
    std::sort(lists.entries.begin() + lists.index[v], lists.entries.begin() + lists.index[v + 1]);
  return lists;
}

std::shared_ptr<const EdgeLists> TestGraph::Place(const Lists& lists) {
  VertexArray<EdgeOffset> index(lists.index);
  std::vector<VertexId> targets(lists.entries.size());
  std::transform(lists.entries.begin(), lists.entries.end(), targets.begin(), TargetOf);
  if (options_.compressed) return PlaceCodes(std::move(index), targets);
  ChunkTable chunks(index, sizeof(VertexId), options_.chunk_bytes);
  const FarSet far(chunks, options_.far_ratio);
  PlacedArray placed_edges = PlaceArray(targets, chunks, far);
  PlacedArray placed_weights;
  // The lower bits of an entry.
  if (options_.weight_type == WeightType::kUint8) {
    placed_weights =
        PlaceArray(std::vector<uint8_t>(lists.entries.begin(), lists.entries.end()), chunks, far);
  } else if (!options_.weight_bits.empty()) {
    placed_weights =
        PlaceArray(std::vector<uint32_t>(lists.entries.begin(), lists.entries.end()), chunks, far);
  }
  return std::make_shared<EdgeLists>(std::move(index), std::move(chunks), std::move(placed_edges),
                                     std::move(placed_weights));
}

std::shared_ptr<const EdgeLists> TestGraph::PlaceCodes(VertexArray<EdgeOffset> index,
                                                       const std::vector<VertexId>& targets) {
  std::vector<uint64_t> code_index = {0};
  std::vector<std::byte> codes;
  for (VertexId v = 0; v + 1 < index.size(); ++v) {
    for (EdgeOffset begin = index[v]; begin < index[v + 1]; begin += kBlockEdges) {
      const EdgeOffset edges = std::min<EdgeOffset>(kBlockEdges, index[v + 1] - begin);
      const size_t bytes = codes.size();
      codes.resize(bytes + MaxBlockBytes(edges));
      codes.resize(bytes + EncodeBlock(v, absl::MakeConstSpan(targets).subspan(begin, edges),
                                       codes.data() + bytes));
    }
    code_index.push_back(codes.size());
  }
  if (options_.damaged_code_byte) codes.at(*options_.damaged_code_byte) ^= std::byte{0x55};
  ChunkTable chunks(code_index, /*edge_bytes=*/1, options_.chunk_bytes);
  const FarSet far(chunks, options_.far_ratio);
  PlacedArray placed = PlaceArray(codes, chunks, far);
  VertexArray<uint32_t> code_begin(code_index.size());
  std::copy(code_index.begin(), code_index.end(), code_begin.begin());
  return std::make_shared<EdgeLists>(std::move(index), std::move(chunks), std::move(placed),
                                     std::move(code_begin));
}

FarState TestGraph::PlaceState(VertexId vertices) {
  FarState placed;
  const uint64_t bytes = vertices * sizeof(double);  // of each at most
  state_.resize(options_.far_state.size() * bytes, std::byte{0x77});
  for (const std::string& name : options_.far_state) {
    FarArray& array = placed.arrays[name];
    array.address = (placed.arrays.size() - 1) * bytes;
    for (int thread = 0; thread < omp_get_max_threads(); ++thread) {
      std::vector<std::byte>& ring = state_rings_.emplace_back(BlockStream::kRingBytes);
      array.streams.push_back(std::make_unique<BlockStream>(
          std::make_unique<FakeTier>(absl::MakeSpan(state_), /*seed=*/thread + 1,
                                     options_.fail_after),
          absl::MakeSpan(ring)));
    }
  }
  return placed;
}

uint64_t TestGraph::SlotBytes() const {
  return SlotPacker::SlotBytes(options_.chunk_bytes,
                               options_.weight_bits.empty() ? 0 : options_.chunk_bytes,
                               options_.block_bytes);
}

std::unique_ptr<ChunkCache> TestGraph::MakeChunkCache(const EdgeLists& lists) {
  const uint64_t bytes = options_.chunk_frames * SlotBytes();
  caches_.push_back(AlignedBytes(bytes + kCodeSlackBytes, options_.block_bytes));
  return std::make_unique<ChunkCache>(lists, absl::MakeSpan(caches_.back().get(), bytes),
                                      SlotBytes());
}

std::unique_ptr<ListCache> TestGraph::MakeCache(const EdgeLists& lists) {
  const uint64_t bytes = ListCache::SlotsBytes(options_.cache_slots, lists.weight_bytes());
  caches_.push_back(AlignedBytes(bytes, sizeof(VertexId)));
  return std::make_unique<ListCache>(
      lists,
      std::make_unique<FakeTier>(absl::MakeSpan(far_), /*seed=*/caches_.size(), options_.fail_after,
                                 options_.one_by_one),
      absl::MakeSpan(caches_.back().get(), bytes));
}

template <typename T>
PlacedArray TestGraph::PlaceArray(const std::vector<T>& elements, const ChunkTable& chunks,
                                  const FarSet& far) {
  PlacedArray placed = {
      .element_bytes = sizeof(T),
      .places = std::vector<ChunkPlace>(chunks.size()),
      .local = *MappedMemory::Allocate(elements.size() * sizeof(T) + kListSlackBytes)};
  far_.resize(WholeBlocks(0, far_.size(), options_.block_bytes).length);  // arrays share none
  const uint64_t space = options_.block_bytes > 1 ? kSsdSpace : 0;
  std::byte* next_local = placed.local.data();
  for (size_t chunk = 0; chunk < chunks.size(); ++chunk) {
    const EdgeOffset begin = chunks.FirstEdge(chunk);
    const uint64_t bytes = (chunks.FirstEdge(chunk + 1) - begin) * sizeof(T);
    const auto* first = reinterpret_cast<const std::byte*>(elements.data() + begin);
    if (far.Contains(chunk)) {
      placed.places[chunk].far_address = space + far_.size();
      far_.insert(far_.end(), first, first + bytes);
    } else {
      placed.places[chunk].local = next_local;
      next_local = std::copy_n(first, bytes, next_local);
    }
  }
  return placed;
}

std::shared_ptr<const Heads> TestGraph::HeadsOf(const Lists& lists) const {
  const size_t vertices = lists.index.size() - 1;
  MappedMemory memory = *MappedMemory::Allocate((vertices * options_.heads + 1) * sizeof(VertexId));
  auto* const first = reinterpret_cast<VertexId*>(memory.data());
  std::fill_n(first, vertices * options_.heads, kNoVertex);
  std::vector<absl::Span<const VertexId>> columns;
  for (size_t j = 0; j < options_.heads; ++j) {
    VertexId* const column = first + j * vertices;
    size_t size = 0;
    for (size_t v = 0; v < vertices; ++v) {
      if (lists.index[v + 1] - lists.index[v] <= j) continue;
      column[v] = TargetOf(lists.entries[lists.index[v] + j]);
      size = v + 1;
    }
    columns.emplace_back(column, size);
  }
  return std::make_shared<Heads>(std::move(memory), std::move(columns));
}

TestGraph::Bytes TestGraph::AlignedBytes(uint64_t bytes, uint64_t alignment) {
  void* memory = nullptr;
  EXPECT_EQ(posix_memalign(&memory, std::max(alignment, sizeof(void*)), bytes), 0);
  return Bytes(static_cast<std::byte*>(memory));
}

}  // namespace fargraph

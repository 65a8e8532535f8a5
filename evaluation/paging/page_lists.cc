#include "evaluation/paging/page_lists.h"

#include <omp.h>

#include <utility>
#include <vector>

#include "common/status_macros.h"

namespace fargraph {
namespace {

/// How lists hold an array, and how large its elements are.
struct ListArray {
  const ChunkPlace& (EdgeLists::*place)(size_t chunk) const;
  uint64_t element_bytes;
};

constexpr ListArray kEdges = {&EdgeLists::Place, sizeof(VertexId)};

ListArray WeightsOf(const EdgeLists& lists) {
  return {&EdgeLists::WeightPlace, lists.weight_bytes()};
}

/// Chunks that are all far lie one behind the other, as in the array.
FarRange RangeOf(const EdgeLists& lists, const ListArray& array) {
  const size_t first_chunk = lists.far_chunks().front();
  return {.address = (lists.*array.place)(first_chunk).far_address,
          .bytes = lists.edges() * array.element_bytes};
}

std::vector<FarRange> RangesOf(const EdgeLists& lists) {
  std::vector<FarRange> ranges = {RangeOf(lists, kEdges)};
  if (lists.has_weights()) ranges.push_back(RangeOf(lists, WeightsOf(lists)));
  return ranges;
}

PlacedArray PlaceAt(const std::byte* data, const ChunkTable& chunks, const ListArray& array) {
  PlacedArray placed = {.element_bytes = array.element_bytes,
                        .places = std::vector<ChunkPlace>(chunks.size())};
  for (size_t chunk = 0; chunk < chunks.size(); ++chunk) {
    placed.places[chunk].local = data + chunks.FirstEdge(chunk) * array.element_bytes;
  }
  return placed;
}

/// The lists with their arrays in the pager's memory, the first of them its range `range`.
std::shared_ptr<const EdgeLists> Paged(const EdgeLists& lists, const FarPager& pager,
                                       size_t range) {
  const ChunkTable& chunks = lists.chunks();
  VertexArray<EdgeOffset> index(lists.Index(0, lists.vertices()));
  PlacedArray weights;
  if (lists.has_weights()) weights = PlaceAt(pager.data(range + 1), chunks, WeightsOf(lists));
  return std::make_shared<EdgeLists>(
      std::move(index), chunks, PlaceAt(pager.data(range), chunks, kEdges), std::move(weights));
}

/// Lists that have edges, those of both directions once where they are the same.
std::vector<std::shared_ptr<const EdgeLists>*> ListsWithEdges(LoadedGraph& loaded) {
  std::vector<std::shared_ptr<const EdgeLists>*> lists;
  if (loaded.out != nullptr && loaded.out->has_edges()) lists.push_back(&loaded.out);
  const bool same = loaded.in == loaded.out;
  if (!same && loaded.in != nullptr && loaded.in->has_edges()) lists.push_back(&loaded.in);
  return lists;
}

}  // namespace

absl::StatusOr<std::unique_ptr<FarPager>> PageLists(LoadedGraph& loaded, FarTiers& tiers,
                                                    uint64_t budget_bytes) {
  if (loaded.far_bytes == 0) return absl::InvalidArgumentError("the graph has no edges to page");
  // Nothing is far any more, so nothing has to be brought or kept.
  loaded.streams.clear();
  for (auto* cache : {&loaded.out_cache, &loaded.in_cache}) cache->reset();
  for (auto* cache : {&loaded.out_chunks, &loaded.in_chunks}) cache->reset();
  for (auto* memory : {&loaded.out_cache_memory, &loaded.in_cache_memory}) *memory = {};
  const auto paged_lists = ListsWithEdges(loaded);
  std::vector<FarRange> ranges;
  std::vector<size_t> first_ranges;
  for (const auto* lists : paged_lists) {
    first_ranges.push_back(ranges.size());
    for (const FarRange& range : RangesOf(**lists)) ranges.push_back(range);
  }

  const auto threads = static_cast<uint32_t>(omp_get_max_threads());
  FARGRAPH_ASSIGN_OR_RETURN(std::unique_ptr<TierQueue> queue,
                            tiers.OpenQueue(loaded.rings_region, threads, /*queue_pairs=*/1));
  FARGRAPH_ASSIGN_OR_RETURN(
      std::unique_ptr<FarPager> pager,
      FarPager::Start(std::move(ranges), std::move(queue),
                      loaded.rings.bytes().first(threads * FarPager::kRunBytes), budget_bytes));

  const bool symmetric = loaded.in == loaded.out;
  for (size_t i = 0; i < paged_lists.size(); ++i) {
    *paged_lists[i] = Paged(**paged_lists[i], *pager, first_ranges[i]);
  }
  if (symmetric) loaded.in = loaded.out;
  return pager;
}

}  // namespace fargraph

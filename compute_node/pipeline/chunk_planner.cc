#include "compute_node/pipeline/chunk_planner.h"

#include <algorithm>

namespace fargraph {

FetchRun WholeRun(const ChunkTable& chunks, size_t chunk) {
  const ElementRange all = {chunks.FirstEdge(chunk), chunks.FirstEdge(chunk + 1)};
  return {chunks.FirstVertex(chunk), chunks.FirstVertex(chunk + 1), all, all.end - all.begin};
}

void ChunkPlanner::BeginScan(const EdgeLists& lists, const VertexSubset* active, EdgeOffset skip) {
  lists_ = &lists;
  asked_.reset();
  if (active != nullptr) asked_.emplace(lists, *active, skip);
}

void ChunkPlanner::Plan(size_t chunk, std::vector<FetchRun>& runs) {
  runs.clear();
  if (asked_) return PlanAskedLists(chunk, runs);
  runs.push_back(WholeRun(lists_->chunks(), chunk));
  pattern_.whole_bytes += lists_->chunks().ChunkBytes(chunk);
}

/// Where the gaps between lists are narrow on the mean all are read: looking at each would take
/// longer than reading a few large ones in vain.
void ChunkPlanner::PlanAskedLists(size_t chunk, std::vector<FetchRun>& runs) {
  const ChunkTable& chunks = lists_->chunks();
  const auto [run, lists] = asked_->Join(chunk);
  if (lists == 0) return;
  const ReadPattern::Gaps gaps = {
      .count = lists - 1,
      .bytes = (run.range.end - run.range.begin - run.useful) * chunks.edge_bytes()};
  const uint64_t narrow_gap = gaps_.At(lists_->Place(chunk).far_address).narrow;
  ReadPattern asked_for;
  if (gaps.bytes <= gaps.count * narrow_gap) {
    asked_for.AddLists(gaps, run.useful * chunks.edge_bytes());
    runs.push_back(run);
  } else {
    PlanLists(chunk, runs, asked_for);
  }
  pattern_.AddChunk(asked_for, chunks.ChunkBytes(chunk));
}

void ChunkPlanner::PlanLists(size_t chunk, std::vector<FetchRun>& runs,
                             ReadPattern& asked_for) const {
  const uint64_t break_even_gap = BreakEvenGap(chunk);
  const uint64_t edge_bytes = lists_->chunks().edge_bytes();
  asked_->ForEach(chunk, [&](VertexId v, const ElementRange& list) {
    const uint64_t gap = runs.empty() ? 0 : list.begin - runs.back().range.end;
    asked_for.AddLists({.count = gap > 0, .bytes = gap * edge_bytes},
                       (list.end - list.begin) * edge_bytes);
    AddList(v, list, break_even_gap, runs);
  });
}

uint64_t ChunkPlanner::BreakEvenGap(size_t chunk) const {
  uint64_t bytes = 0;
  uint64_t least = 0;
  const auto add_array = [&](uint64_t address, uint64_t element_bytes) {
    bytes += gaps_.At(address).break_even;
    least = std::max(least, queue_.BlockBytesAt(address) / element_bytes);
  };
  add_array(lists_->Place(chunk).far_address, lists_->chunks().edge_bytes());
  if (lists_->has_weights()) {
    add_array(lists_->WeightPlace(chunk).far_address, lists_->weight_bytes());
  }
  return std::max(least, bytes / lists_->bytes_per_element());
}

}  // namespace fargraph

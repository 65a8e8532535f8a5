#include "graph/builder/degree_counts.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "graph/thread_count.h"

namespace fargraph {
namespace {

constexpr uint64_t kCarry = uint64_t{std::numeric_limits<uint8_t>::max()} + 1;
// Atomic additions wait for each other's cache misses: so many edges before its turn, an edge's
// counters are asked for.
constexpr size_t kPrefetchEdges = 16;

}  // namespace

void DegreeCounts::Add(absl::Span<const InputEdge> edges) {
  std::vector<uint64_t> without_counter;
  std::vector<uint64_t> carried;
#pragma omp parallel num_threads(ThreadCountFor(edges.size()))
  {
    std::vector<uint64_t> my_without_counter;
    std::vector<uint64_t> my_carried;
    const auto count = [&](uint64_t id) {
      uint8_t* const counter = FindCounter(id);
      if (counter == nullptr) {
        my_without_counter.push_back(id);
      } else if (std::atomic_ref(*counter).fetch_add(1, std::memory_order_relaxed) == kCarry - 1) {
        my_carried.push_back(id);
      }
    };
#pragma omp for nowait
    for (size_t i = 0; i < edges.size(); ++i) {
      const InputEdge& later = edges[std::min(i + kPrefetchEdges, edges.size() - 1)];
      Prefetch(later.source);
      Prefetch(later.target);
      if (edges[i].source == edges[i].target && !count_self_loops_) continue;
      count(edges[i].source);
      count(edges[i].target);
    }
#pragma omp critical(degree_counts)
    {
      without_counter.insert(without_counter.end(), my_without_counter.begin(),
                             my_without_counter.end());
      carried.insert(carried.end(), my_carried.begin(), my_carried.end());
    }
  }
  // Only now, as nobody looks anything up.
  for (const uint64_t id : without_counter) {
    if (++MakeCounter(id) == 0) carried.push_back(id);
  }
  for (const uint64_t id : carried) ++carries_[id];
}

std::vector<VertexId> DegreeCounts::ByRank(const VertexIds& ids) {
  std::vector<VertexId> degrees;
  degrees.reserve(ids.size());
  ids.ForEach([&](uint64_t id) {
       uint8_t* const counter = FindCounter(id);
       degrees.push_back(counter == nullptr ? 0 : *counter);
       return absl::OkStatus();
     })
      .IgnoreError();
  for (const auto& [id, carries] : carries_) {
    VertexId& degree = degrees[ids.Find(id)];
    degree = std::min<uint64_t>(degree + carries * kCarry, std::numeric_limits<VertexId>::max());
  }
  return degrees;
}

uint8_t* DegreeCounts::FindSparseCounter(uint64_t id) {
  const auto block = sparse_.find(id / kBlockIds);
  return block == sparse_.end() ? nullptr : &block->second[id % kBlockIds];
}

uint8_t& DegreeCounts::MakeCounter(uint64_t id) {
  const uint64_t index = id - first_id_;
  if (index >= dense_ids_) return sparse_[id / kBlockIds][id % kBlockIds];
  if (index >= dense_.size()) {
    dense_.resize(std::clamp<uint64_t>(2 * dense_.size(), index + 1, dense_ids_));
  }
  return dense_[index];
}

}  // namespace fargraph

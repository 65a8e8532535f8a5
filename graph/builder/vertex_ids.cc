#include "graph/builder/vertex_ids.h"

#include <algorithm>

#include "graph/thread_count.h"

namespace fargraph {

VertexIds VertexIds::Range(uint64_t first_id, uint64_t count) {
  VertexIds ids;
  ids.is_range_ = true;
  ids.first_id_ = first_id;
  ids.size_ = count;
  ids.last_id_ = count == 0 ? 0 : first_id + count - 1;
  return ids;
}

void VertexIds::MakeRoomForDense(absl::Span<const InputEdge> edges) {
  uint64_t end = 0;
#pragma omp parallel for num_threads(ThreadCountFor(edges.size())) reduction(max : end)
  for (size_t i = 0; i < edges.size(); ++i) {
    for (const uint64_t id : {edges[i].source, edges[i].target}) {
      if (id < kDenseIds) end = std::max(end, id + 1);
    }
  }
  if (end > low_.size()) low_.Grow(std::clamp(2 * low_.size(), end, kDenseIds));
}

void VertexIds::Add(absl::Span<const InputEdge> edges) {
  if (is_range_) return;
  MakeRoomForDense(edges);
  std::vector<uint64_t> new_high_ids;
#pragma omp parallel num_threads(ThreadCountFor(edges.size()))
  {
    std::vector<uint64_t> found;
    const auto add = [&](uint64_t id) {
      if (id < kDenseIds) {
        low_.Set(id);
      } else if (!ContainsHigh(id)) {
        found.push_back(id);
      }
    };
#pragma omp for nowait
    for (size_t i = 0; i < edges.size(); ++i) {
      add(edges[i].source);
      add(edges[i].target);
    }
#pragma omp critical(new_high_ids)
    new_high_ids.insert(new_high_ids.end(), found.begin(), found.end());
  }
  // Only now, as nobody looks anything up.
  for (const uint64_t id : new_high_ids) {
    high_[id / kWordBits].bits |= uint64_t{1} << (id % kWordBits);
  }
}

void VertexIds::Rank() {
  if (is_range_) return;
  low_ranks_.reserve(low_.words());
  for (size_t index = 0; index < low_.words(); ++index) {
    const uint64_t word = low_.word(index);
    low_ranks_.push_back(size_);
    size_ += std::popcount(word);
    if (word != 0) last_id_ = index * kWordBits + std::bit_width(word) - 1;
  }

  high_order_.reserve(high_.size());
  for (const auto& [key, word] : high_) high_order_.push_back(key);
  std::sort(high_order_.begin(), high_order_.end());
  for (const uint64_t key : high_order_) {
    HighWord& word = high_.find(key)->second;
    word.rank = size_;
    size_ += std::popcount(word.bits);
    last_id_ = key * kWordBits + std::bit_width(word.bits) - 1;
  }
}

bool VertexIds::ContainsHigh(uint64_t id) const {
  const auto word = high_.find(id / kWordBits);
  return word != high_.end() && (word->second.bits >> (id % kWordBits)) & 1;
}

uint64_t VertexIds::FindHigh(uint64_t id) const {
  const auto word = high_.find(id / kWordBits);
  if (word == high_.end()) return kNoRank;
  return RankInWord(word->second.bits, word->second.rank, id);
}

}  // namespace fargraph

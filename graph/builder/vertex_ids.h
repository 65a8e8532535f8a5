#ifndef FARGRAPH_GRAPH_BUILDER_VERTEX_IDS_H_
#define FARGRAPH_GRAPH_BUILDER_VERTEX_IDS_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "graph/bitmap.h"
#include "graph/edge_reader.h"

namespace fargraph {

/// The ids that an input uses, and the rank of each among them, from 0. Ids may be any 64-bit
/// numbers; memory grows with the number of ids, about 0.5 bytes an id where they are dense and 40
/// where they are scattered, and below kDenseIds with the largest: up to 24 MiB.
class VertexIds {
 public:
  /// Of a set that grows, ids below are dense: they have a bit in a table, which grows up to the
  /// largest of them.
  static constexpr uint64_t kDenseIds = uint64_t{1} << 27;

  /// A set that grows by Add.
  VertexIds() = default;

  /// All of first_id to first_id + count - 1.
  static VertexIds Range(uint64_t first_id, uint64_t count);

  /// Adds both ends of every edge; of a Range, it changes nothing. One thread calls, all work.
  void Add(absl::Span<const InputEdge> edges);

  /// Ranks the ids. To be called once, after the last Add and before the calls below.
  void Rank();

  uint64_t size() const { return size_; }
  /// True if every id is its own rank.
  bool identity() const { return size_ == 0 || last_id_ == size_ - 1; }

  /// What Find gives for an id that is not in the set: larger than any rank.
  static constexpr uint64_t kNoRank = ~uint64_t{0};

  /// The rank of an id, or kNoRank. Any thread may call.
  uint64_t Find(uint64_t id) const {
    if (is_range_) return Within(id) ? id - first_id_ : kNoRank;
    if (id >= low_.size()) return FindHigh(id);
    const uint64_t word = low_.word(id / kWordBits);
    return RankInWord(word, low_ranks_[id / kWordBits], id);
  }

  /// Calls visit(id) for every id in ascending order, until it returns an error.
  template <typename Visit>
  absl::Status ForEach(Visit&& visit) const;

 private:
  // Of the ids that are not dense, those that share 64 consecutive numbers share an entry of
  // `high_`.
  static constexpr uint64_t kWordBits = 64;

  struct HighWord {
    uint64_t bits = 0;
    uint64_t rank = 0;  // of its first id
  };

  void MakeRoomForDense(absl::Span<const InputEdge> edges);
  bool Within(uint64_t id) const { return id >= first_id_ && id - first_id_ < size_; }
  bool ContainsHigh(uint64_t id) const;
  uint64_t FindHigh(uint64_t id) const;

  static uint64_t RankInWord(uint64_t word, uint64_t rank, uint64_t id) {
    const uint64_t bit = uint64_t{1} << (id % kWordBits);
    if ((word & bit) == 0) return kNoRank;
    return rank + std::popcount(word & (bit - 1));
  }

  bool is_range_ = false;
  uint64_t first_id_ = 0;
  uint64_t last_id_ = 0;
  uint64_t size_ = 0;
  Bitmap low_;
  std::vector<uint32_t> low_ranks_;  // of the first id of each word of low_
  absl::flat_hash_map<uint64_t, HighWord> high_;
  std::vector<uint64_t> high_order_;  // the keys of high_, ascending
};

template <typename Visit>
absl::Status VertexIds::ForEach(Visit&& visit) const {
  absl::Status status;
  const auto visit_until_error = [&](uint64_t id) {
    if (status.ok()) status = visit(id);
  };
  if (is_range_) {
    for (uint64_t i = 0; i < size_ && status.ok(); ++i) visit_until_error(first_id_ + i);
    return status;
  }
  low_.ForEachSet(0, low_.size(), visit_until_error);
  for (const uint64_t key : high_order_) {
    for (uint64_t bits = high_.at(key).bits; bits != 0; bits &= bits - 1) {
      visit_until_error(key * kWordBits + std::countr_zero(bits));
    }
  }
  return status;
}

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_BUILDER_VERTEX_IDS_H_

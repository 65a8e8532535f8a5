#ifndef FARGRAPH_GRAPH_BITMAP_H_
#define FARGRAPH_GRAPH_BITMAP_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "graph/ids.h"
#include "graph/vertex_array.h"

namespace fargraph {

/// Calls visit(bit) for every set bit of a word, the lowest first.
template <typename Visit>
void ForEachBit(uint64_t word, Visit&& visit) {
  for (; word != 0; word &= word - 1) visit(std::countr_zero(word));
}

/// A fixed number of bits, all clear at first. Set, SetWithin, Test, ForEachSet, ForEachWord and
/// AnySet may be called by any number of threads at once (relaxed atomics: a parallel region's end
/// orders them); everything else belongs to one thread at a time, or to any number that only read.
/// What goes through all bits of a large one does so on all cores: for one of them, a bit for each
/// of 1e9 vertices takes as long as a step of a search for all.
class Bitmap {
 public:
  static constexpr size_t kWordBits = 64;

  Bitmap() = default;
  explicit Bitmap(size_t bits) : bits_(bits), words_(WordsOf(bits)) {}

  size_t size() const { return bits_; }

  /// To that many bits, at least as many as now; new ones are clear.
  void Grow(size_t bits);

  /// Bytes that a bitmap of so many bits takes.
  static constexpr size_t StorageBytes(size_t bits) { return WordsOf(bits) * sizeof(uint64_t); }

  bool Test(size_t bit) const {
    return (Word(bit / kWordBits).load(std::memory_order_relaxed) >> (bit % kWordBits)) & 1;
  }

  /// Sets the bit; true if it was clear, so of several callers exactly one gets true.
  bool Set(size_t bit) {
    const uint64_t mask = uint64_t{1} << (bit % kWordBits);
    auto word = Word(bit / kWordBits);
    if (word.load(std::memory_order_relaxed) & mask) return false;
    return (word.fetch_or(mask, std::memory_order_relaxed) & mask) == 0;
  }

  /// As Set and Test, for as long as no other thread uses these bits, or none sets any: cheaper,
  /// and the compiler may keep what it has read.
  void SetUnshared(size_t bit) { words_[bit / kWordBits] |= uint64_t{1} << (bit % kWordBits); }
  bool TestUnshared(size_t bit) const { return (words_[bit / kWordBits] >> (bit % kWordBits)) & 1; }

  /// Sets the bits of all these vertices, in any order, on all cores where both are many.
  void SetAll(absl::Span<const VertexId> vertices);

  void Clear() { words_.Fill(0); }

  /// Number of set bits.
  size_t Count() const;

  /// Calls visit(bit) for every set bit in [begin, end), in ascending order.
  template <typename Visit>
  void ForEachSet(size_t begin, size_t end, Visit&& visit) const {
    ForEachWord(begin, end, [&](size_t first, uint64_t word) {
      ForEachBit(word, [&](int bit) { visit(first + bit); });
    });
  }

  /// Calls visit(first, word) for every group of 64 bits, beginning with the bit `first`, of which
  /// one in [begin, end) is set, in ascending order; `word` has those.
  template <typename Visit>
  void ForEachWord(size_t begin, size_t end, Visit&& visit) const {
    for (size_t index = begin / kWordBits; index * kWordBits < end; ++index) {
      const uint64_t word = WordWithin(index, begin, end);
      if (word != 0) visit(index * kWordBits, word);
    }
  }

  /// True if a bit of [begin, end) is set.
  bool AnySet(size_t begin, size_t end) const {
    for (size_t index = begin / kWordBits; index * kWordBits < end; ++index) {
      if (WordWithin(index, begin, end) != 0) return true;
    }
    return false;
  }

  /// The bits stand in words() groups of 64; AssignWord sets those bits of one group for which
  /// keep(bit) is true and clears the others, SetWord takes them as they are. Different groups may
  /// be assigned by different threads at once.
  size_t words() const { return words_.size(); }
  /// One group, the lowest bit first; bits past size() are clear.
  uint64_t word(size_t index) const { return words_[index]; }
  template <typename Keep>
  void AssignWord(size_t index, Keep&& keep) {
    words_[index] = MakeWord(index, 0, bits_, keep);
  }
  void SetWord(size_t index, uint64_t word) { words_[index] = word; }
  /// The bits of a group that are in [begin, end), and for which keep(bit) is true.
  template <typename Keep>
  static uint64_t MakeWord(size_t index, size_t begin, size_t end, Keep&& keep) {
    const size_t base = index * kWordBits;
    if (begin <= base && base + kWordBits <= end) return MakeWholeWord(base, keep);
    const size_t last = std::min(kWordBits, end - base);
    uint64_t word = 0;
    for (size_t bit = begin > base ? begin - base : 0; bit < last; ++bit) {
      word |= uint64_t{static_cast<bool>(keep(base + bit))} << bit;
    }
    return word;
  }
  /// Sets of one group the bits that are set in `word`, where those in [begin, end) are clear and
  /// `word` has no others. Other threads may do so at once with other ranges.
  void SetWithin(size_t index, size_t begin, size_t end, uint64_t word) {
    const size_t base = index * kWordBits;
    if (begin <= base && base + kWordBits <= end) {
      words_[index] = word;
    } else {
      Word(index).fetch_or(word, std::memory_order_relaxed);
    }
  }

 private:
  static constexpr size_t WordsOf(size_t bits) { return (bits + kWordBits - 1) / kWordBits; }

  void SetShared(absl::Span<const VertexId> vertices);

  /// Bit i: keep(base + i). By bytes first, of which the compiler makes vectors where it can.
  template <typename Keep>
  static uint64_t MakeWholeWord(size_t base, Keep&& keep) {
    constexpr size_t kByteBits = 8;
    constexpr uint64_t kGather = 0x0102040810204080;  // the lowest bits of 8 bytes, to the top one
    std::array<uint8_t, kWordBits> kept;
    for (size_t bit = 0; bit < kWordBits; ++bit) kept[bit] = static_cast<bool>(keep(base + bit));
    uint64_t word = 0;
    for (size_t bit = 0; bit < kWordBits; bit += kByteBits) {
      uint64_t bytes = 0;
      for (size_t i = 0; i < kByteBits; ++i) bytes |= uint64_t{kept[bit + i]} << (kByteBits * i);
      word |= (bytes * kGather >> (kWordBits - kByteBits)) << bit;
    }
    return word;
  }

  /// Word `index` without its bits outside [begin, end).
  uint64_t WordWithin(size_t index, size_t begin, size_t end) const {
    const size_t base = index * kWordBits;
    uint64_t word = Word(index).load(std::memory_order_relaxed);
    if (base < begin) word &= ~uint64_t{0} << (begin - base);
    if (end - base < kWordBits) word &= (uint64_t{1} << (end - base)) - 1;
    return word;
  }

  std::atomic_ref<uint64_t> Word(size_t index) const {
    return std::atomic_ref<uint64_t>(const_cast<uint64_t&>(words_[index]));
  }

  size_t bits_ = 0;
  VertexArray<uint64_t> words_;
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_BITMAP_H_

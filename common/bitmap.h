#ifndef FARGRAPH_COMMON_BITMAP_H_
#define FARGRAPH_COMMON_BITMAP_H_

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fargraph {

/// A fixed number of bits, all clear at first. Set and Test may be called by any number of threads
/// at once (relaxed atomics: a parallel region's end orders them); everything else belongs to one
/// thread at a time.
class Bitmap {
 public:
  Bitmap() = default;
  explicit Bitmap(size_t bits) : bits_(bits), words_((bits + kWordBits - 1) / kWordBits) {}

  size_t size() const { return bits_; }

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

  void Clear() { std::fill(words_.begin(), words_.end(), 0); }

  /// Number of set bits.
  size_t Count() const {
    size_t count = 0;
    for (const uint64_t word : words_) count += std::popcount(word);
    return count;
  }

  /// Calls visit(bit) for every set bit in [begin, end), in ascending order.
  template <typename Visit>
  void ForEachSet(size_t begin, size_t end, Visit&& visit) const {
    for (size_t index = begin / kWordBits; index * kWordBits < end; ++index) {
      const size_t base = index * kWordBits;
      uint64_t word = words_[index];
      if (base < begin) word &= ~uint64_t{0} << (begin - base);
      if (end - base < kWordBits) word &= (uint64_t{1} << (end - base)) - 1;
      for (; word != 0; word &= word - 1) visit(base + std::countr_zero(word));
    }
  }

  void Swap(Bitmap& other) {
    std::swap(bits_, other.bits_);
    words_.swap(other.words_);
  }

 private:
  static constexpr size_t kWordBits = 64;

  std::atomic_ref<uint64_t> Word(size_t index) const {
    return std::atomic_ref<uint64_t>(const_cast<uint64_t&>(words_[index]));
  }

  size_t bits_ = 0;
  std::vector<uint64_t> words_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_BITMAP_H_

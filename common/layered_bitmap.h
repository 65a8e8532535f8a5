#ifndef FARGRAPH_COMMON_LAYERED_BITMAP_H_
#define FARGRAPH_COMMON_LAYERED_BITMAP_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "common/memory/mapped_memory.h"

namespace fargraph {

/// A fixed number of bits, all clear at first, in which few set bits are found as fast as if there
/// were no others: above the bits lie layers, each a 64th of the one below, in which a bit says
/// whether the word below it has any set. Whatever the number of bits, a step from one set bit to
/// the next looks at no more than two words a layer, and at one where they are neighbours. Memory
/// that no bit was set in is never touched. Movable; one thread at a time.
class LayeredBitmap {
 public:
  /// InvalidArgument for no bits; ResourceExhausted when the host cannot map that many.
  static absl::StatusOr<LayeredBitmap> Create(uint64_t bits);

  uint64_t size() const { return bits_; }

  /// Sets or clears the bits in [begin, end), which lies within the bitmap.
  void SetRange(uint64_t begin, uint64_t end);
  void ResetRange(uint64_t begin, uint64_t end);

  /// The first set bit at or behind `from`; size() if there is none.
  uint64_t NextSet(uint64_t from) const;

  /// The first clear bit in [from, limit); `limit`, at most size(), if there is none. It looks at
  /// every word before it.
  uint64_t NextClear(uint64_t from, uint64_t limit) const;

 private:
  struct Layer {
    uint64_t* words = nullptr;
    uint64_t count = 0;
  };

  LayeredBitmap(uint64_t bits, std::vector<Layer> layers, MappedMemory memory)
      : bits_(bits), layers_(std::move(layers)), memory_(std::move(memory)) {}

  /// A word of the bits has its first bit now, or has lost its last: the layers above have to know.
  void MarkAbove(uint64_t index);
  void UnmarkAbove(uint64_t index);

  uint64_t bits_ = 0;
  std::vector<Layer> layers_;  ///< the bits first, at the end a single word
  MappedMemory memory_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_LAYERED_BITMAP_H_

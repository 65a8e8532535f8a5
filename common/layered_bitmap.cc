#include "common/layered_bitmap.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "common/status_macros.h"

namespace fargraph {
namespace {

constexpr uint64_t kWordBits = 64;

/// The bits of word `index` that lie in [begin, end).
uint64_t MaskWithin(uint64_t index, uint64_t begin, uint64_t end) {
  const uint64_t base = index * kWordBits;
  uint64_t mask = ~uint64_t{0};
  if (base < begin) mask &= ~uint64_t{0} << (begin - base);
  if (end - base < kWordBits) mask &= (uint64_t{1} << (end - base)) - 1;
  return mask;
}

}  // namespace

absl::StatusOr<LayeredBitmap> LayeredBitmap::Create(uint64_t bits) {
  if (bits == 0) return absl::InvalidArgumentError("Making a bitmap: it has no bits; ask for one");
  std::vector<Layer> layers;
  uint64_t words = 0;
  for (uint64_t count = bits; layers.empty() || count > 1; words += count) {
    count = count / kWordBits + (count % kWordBits != 0);
    layers.push_back({.count = count});
  }
  FARGRAPH_ASSIGN_OR_RETURN(MappedMemory memory, MappedMemory::Allocate(words * sizeof(uint64_t)));
  auto* next = reinterpret_cast<uint64_t*>(memory.data());
  for (Layer& layer : layers) layer.words = std::exchange(next, next + layer.count);
  return LayeredBitmap(bits, std::move(layers), std::move(memory));
}

void LayeredBitmap::SetRange(uint64_t begin, uint64_t end) {
  for (uint64_t index = begin / kWordBits; index * kWordBits < end; ++index) {
    uint64_t& word = layers_.front().words[index];
    const bool first = word == 0;
    word |= MaskWithin(index, begin, end);
    if (first && word != 0) MarkAbove(index);
  }
}

void LayeredBitmap::ResetRange(uint64_t begin, uint64_t end) {
  for (uint64_t index = begin / kWordBits; index * kWordBits < end; ++index) {
    uint64_t& word = layers_.front().words[index];
    if (word == 0) continue;
    word &= ~MaskWithin(index, begin, end);
    if (word == 0) UnmarkAbove(index);
  }
}

void LayeredBitmap::MarkAbove(uint64_t index) {
  for (size_t layer = 1; layer < layers_.size(); ++layer, index /= kWordBits) {
    uint64_t& word = layers_[layer].words[index / kWordBits];
    const bool first = word == 0;
    word |= uint64_t{1} << (index % kWordBits);
    if (!first) return;
  }
}

void LayeredBitmap::UnmarkAbove(uint64_t index) {
  for (size_t layer = 1; layer < layers_.size(); ++layer, index /= kWordBits) {
    uint64_t& word = layers_[layer].words[index / kWordBits];
    word &= ~(uint64_t{1} << (index % kWordBits));
    if (word != 0) return;
  }
}

uint64_t LayeredBitmap::NextSet(uint64_t from) const {
  uint64_t bit = from;
  for (size_t layer = 0; layer < layers_.size(); ++layer) {
    const uint64_t index = bit / kWordBits;
    if (index == layers_[layer].count) return bits_;
    const uint64_t rest = layers_[layer].words[index] & (~uint64_t{0} << (bit % kWordBits));
    if (rest != 0) {
      bit = index * kWordBits + std::countr_zero(rest);
      while (layer-- > 0) bit = bit * kWordBits + std::countr_zero(layers_[layer].words[bit]);
      return bit;
    }
    bit = index + 1;
  }
  return bits_;
}

uint64_t LayeredBitmap::NextClear(uint64_t from, uint64_t limit) const {
  for (uint64_t index = from / kWordBits; index * kWordBits < limit; ++index) {
    const uint64_t clear = ~layers_.front().words[index] & MaskWithin(index, from, limit);
    if (clear != 0) return index * kWordBits + std::countr_zero(clear);
  }
  return limit;
}

}  // namespace fargraph

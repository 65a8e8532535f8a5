#include "memory_node/extent_allocator.h"

#include <algorithm>
#include <iterator>

namespace fargraph {

ExtentAllocator::ExtentAllocator(uint64_t capacity, uint64_t alignment)
    : alignment_(alignment), free_bytes_(capacity) {
  if (capacity > 0) free_.emplace(0, capacity);
}

std::optional<Extent> ExtentAllocator::Allocate(uint64_t bytes) {
  if (bytes > free_bytes_) return std::nullopt;  // also keeps the rounding from overflowing
  const uint64_t length = (bytes + alignment_ - 1) / alignment_ * alignment_;
  const auto fit = std::find_if(free_.begin(), free_.end(),
                                [length](const auto& piece) { return piece.second >= length; });
  if (fit == free_.end()) return std::nullopt;

  const auto [offset, available] = *fit;
  const auto next = free_.erase(fit);
  if (available > length) free_.emplace_hint(next, offset + length, available - length);
  free_bytes_ -= length;
  return Extent{offset, length};
}

void ExtentAllocator::Free(const Extent& extent) {
  auto piece = free_.emplace(extent.offset, extent.length).first;
  free_bytes_ += extent.length;

  const auto next = std::next(piece);
  if (next != free_.end() && piece->first + piece->second == next->first) {
    piece->second += next->second;
    free_.erase(next);
  }
  if (piece == free_.begin()) return;
  const auto previous = std::prev(piece);
  if (previous->first + previous->second == piece->first) {
    previous->second += piece->second;
    free_.erase(piece);
  }
}

uint64_t ExtentAllocator::LargestFree() const {
  uint64_t largest = 0;
  for (const auto& [offset, length] : free_) largest = std::max(largest, length);
  return largest;
}

}  // namespace fargraph

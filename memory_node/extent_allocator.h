#ifndef FARGRAPH_MEMORY_NODE_EXTENT_ALLOCATOR_H_
#define FARGRAPH_MEMORY_NODE_EXTENT_ALLOCATOR_H_

#include <cstdint>
#include <map>
#include <optional>

namespace fargraph {

/// A piece of the arena, in bytes from its beginning.
struct Extent {
  uint64_t offset = 0;
  uint64_t length = 0;

  friend bool operator==(const Extent&, const Extent&) = default;
};

/// Divides [0, capacity) into extents, first fit: a graph's regions are few and large, and come and
/// go together. One thread at a time.
class ExtentAllocator {
 public:
  /// Extents begin and end at multiples of `alignment`, of which `capacity` is one.
  ExtentAllocator(uint64_t capacity, uint64_t alignment);

  /// The first free piece that holds `bytes` (1 or more), rounded up to the alignment; nothing when
  /// there is none.
  std::optional<Extent> Allocate(uint64_t bytes);

  /// Takes back an extent that Allocate gave, and joins it with its free neighbours.
  void Free(const Extent& extent);

  uint64_t free_bytes() const { return free_bytes_; }
  /// What a single Allocate can have at most.
  uint64_t LargestFree() const;

 private:
  using FreeExtents = std::map<uint64_t, uint64_t>;  ///< offset to length; no two touch

  const uint64_t alignment_;
  uint64_t free_bytes_;
  FreeExtents free_;
};

}  // namespace fargraph

#endif  // FARGRAPH_MEMORY_NODE_EXTENT_ALLOCATOR_H_

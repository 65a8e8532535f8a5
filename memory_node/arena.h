#ifndef FARGRAPH_MEMORY_NODE_ARENA_H_
#define FARGRAPH_MEMORY_NODE_ARENA_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "common/memory/mapped_memory.h"
#include "memory_node/extent_allocator.h"

namespace fargraph {

/// The memory that the node lends: one mapping, divided into extents. Any thread may call.
class Arena {
 public:
  /// Maps the memory on the largest pages that are free. ResourceExhausted when the host has less
  /// than that.
  static absl::StatusOr<std::unique_ptr<Arena>> Map(uint64_t capacity_bytes);

  const MappedMemory& memory() const { return memory_; }
  uint64_t capacity() const { return memory_.size(); }
  /// An extent takes whole ones of so many bytes.
  uint64_t extent_bytes() const { return extent_bytes_; }

  /// From now on pages stay where they are: a device has been told of them. Before the first
  /// Reclaim.
  void PinPages() { pinned_ = true; }

  /// An extent of `bytes` or a little more, all of it zero. ResourceExhausted says what is left.
  absl::StatusOr<Extent> Allocate(uint64_t bytes);

  /// Takes the extent's pages from the host at once, in this process' name. A client on this host
  /// that writes into the mapping would otherwise be the first to touch them, and would be charged
  /// for them by its memory cgroup. ResourceExhausted when the host has no more.
  absl::Status Populate(const Extent& extent);

  /// Takes an extent back, zeroed, so that nothing passes from one user to the next. Nobody else
  /// may reach it any more.
  void Reclaim(const Extent& extent);

  uint64_t FreeBytes() const;

 private:
  explicit Arena(MappedMemory memory);
  void Zero(const Extent& extent);

  MappedMemory memory_;
  const uint64_t extent_bytes_;
  bool pinned_ = false;
  mutable absl::Mutex mutex_;
  ExtentAllocator allocator_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace fargraph

#endif  // FARGRAPH_MEMORY_NODE_ARENA_H_

#include "common/memory/reusable_memory.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

/// What has been freed while somebody wanted it kept.
class KeptMemory {
 public:
  static KeptMemory& Get() {
    static KeptMemory& kept = *new KeptMemory;
    return kept;
  }

  void AddKeeper() {
    const absl::MutexLock lock(&mutex_);
    ++keepers_;
  }

  void RemoveKeeper() {
    const absl::MutexLock lock(&mutex_);
    if (--keepers_ == 0) memories_.clear();
  }

  struct Used {
    MappedMemory memory;
    uint64_t used_bytes = 0;
  };

  /// Memory on as many pages as so many bytes need; where no such is kept, none, and from then on
  /// nothing is.
  Used Take(uint64_t bytes) {
    const absl::MutexLock lock(&mutex_);
    const auto found = std::find_if(memories_.begin(), memories_.end(), [&](const Used& one) {
      return one.memory.size() >= bytes && one.memory.size() - bytes < one.memory.page_bytes();
    });
    if (found == memories_.end()) {
      memories_.clear();
      return {};
    }
    Used memory = std::move(*found);
    memories_.erase(found);
    return memory;
  }

  void Put(Used memory) {
    const absl::MutexLock lock(&mutex_);
    if (keepers_ > 0) memories_.push_back(std::move(memory));
  }

 private:
  absl::Mutex mutex_;
  int keepers_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<Used> memories_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

MemoryReuse::MemoryReuse() { KeptMemory::Get().AddKeeper(); }
MemoryReuse::~MemoryReuse() { KeptMemory::Get().RemoveKeeper(); }

absl::StatusOr<ReusableMemory> ReusableMemory::Allocate(uint64_t bytes, uint64_t for_use) {
  if (auto kept = KeptMemory::Get().Take(bytes); kept.memory.data() != nullptr) {
    const uint64_t used_bytes = std::min(kept.used_bytes, bytes);
    // The rest of the last page is not this owner's to zero, but may be the next one's.
    std::memset(kept.memory.data() + used_bytes, 0, kept.used_bytes - used_bytes);
    return ReusableMemory(std::move(kept.memory), used_bytes, for_use);
  }
  FARGRAPH_ASSIGN_OR_RETURN(
      MappedMemory memory,
      MappedMemory::Allocate(bytes, MappedMemory::Sharing::kPrivate, MappedMemory::Pages::kSmall));
  return ReusableMemory(std::move(memory), /*used_bytes=*/0, for_use);
}

ReusableMemory::ReusableMemory(MappedMemory memory, uint64_t used_bytes, uint64_t for_use)
    : memory_(std::move(memory)), used_bytes_(used_bytes), for_use_(for_use) {
  memory_.KeepHugePagesWithin(for_use);
}

ReusableMemory::ReusableMemory(ReusableMemory&& other) noexcept { *this = std::move(other); }

ReusableMemory& ReusableMemory::operator=(ReusableMemory&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(used_bytes_, other.used_bytes_);
  std::swap(for_use_, other.for_use_);
  return *this;
}

ReusableMemory::~ReusableMemory() {
  if (memory_.data() != nullptr) KeptMemory::Get().Put({std::move(memory_), for_use_});
}

}  // namespace fargraph

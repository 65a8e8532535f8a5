#include "common/reusable_memory.h"

#include <algorithm>
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

  /// Memory on as many pages as so many bytes need; where no such is kept, none, and from then on
  /// nothing is.
  MappedMemory Take(uint64_t bytes) {
    const absl::MutexLock lock(&mutex_);
    const auto found =
        std::find_if(memories_.begin(), memories_.end(), [&](const MappedMemory& one) {
          return one.size() >= bytes && one.size() - bytes < one.page_bytes();
        });
    if (found == memories_.end()) {
      memories_.clear();
      return {};
    }
    MappedMemory memory = std::move(*found);
    memories_.erase(found);
    return memory;
  }

  void Put(MappedMemory memory) {
    const absl::MutexLock lock(&mutex_);
    if (keepers_ > 0) memories_.push_back(std::move(memory));
  }

 private:
  absl::Mutex mutex_;
  int keepers_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<MappedMemory> memories_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

MemoryReuse::MemoryReuse() { KeptMemory::Get().AddKeeper(); }
MemoryReuse::~MemoryReuse() { KeptMemory::Get().RemoveKeeper(); }

absl::StatusOr<ReusableMemory> ReusableMemory::Allocate(uint64_t bytes) {
  if (MappedMemory kept = KeptMemory::Get().Take(bytes); kept.data() != nullptr) {
    return ReusableMemory(std::move(kept), /*zeroed=*/false);
  }
  FARGRAPH_ASSIGN_OR_RETURN(
      MappedMemory memory,
      MappedMemory::Allocate(bytes, MappedMemory::Sharing::kPrivate, MappedMemory::Pages::kSmall));
  return ReusableMemory(std::move(memory), /*zeroed=*/true);
}

ReusableMemory::ReusableMemory(MappedMemory memory, bool zeroed)
    : memory_(std::move(memory)), zeroed_(zeroed) {}

ReusableMemory::ReusableMemory(ReusableMemory&& other) noexcept { *this = std::move(other); }

ReusableMemory& ReusableMemory::operator=(ReusableMemory&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(zeroed_, other.zeroed_);
  return *this;
}

ReusableMemory::~ReusableMemory() {
  if (memory_.data() != nullptr) KeptMemory::Get().Put(std::move(memory_));
}

}  // namespace fargraph

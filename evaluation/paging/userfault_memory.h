#ifndef FARGRAPH_EVALUATION_PAGING_USERFAULT_MEMORY_H_
#define FARGRAPH_EVALUATION_PAGING_USERFAULT_MEMORY_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/unique_fd.h"

namespace fargraph {

inline constexpr uint64_t kPageBytes = 4096;

/// Memory that can only be read, and whose pages this process brings itself: a thread that touches
/// one that is not there sleeps until another thread has filled it (userfaultfd, Linux 5.11). Pages
/// are named by their number. One thread fills, any thread reads. When it goes nobody may read any
/// more.
class UserfaultMemory {
 public:
  /// None of the pages is there; the one behind the last can be read as well. FailedPrecondition
  /// where the host does not let a process do this, with what to do.
  static absl::StatusOr<UserfaultMemory> Map(uint64_t pages);

  UserfaultMemory(UserfaultMemory&& other) noexcept;
  UserfaultMemory& operator=(UserfaultMemory&&) = delete;
  ~UserfaultMemory();

  const std::byte* data() const { return data_; }
  /// Becomes readable when a thread waits for a page.
  int fd() const { return fd_.get(); }

  /// Takes pages that threads wait for, one perhaps twice; returns how many. Does not sleep.
  absl::StatusOr<size_t> TakeFaults(absl::Span<uint64_t> pages);
  /// Copies the bytes to `count` pages that are not there, and wakes those who wait for them.
  absl::Status Fill(uint64_t first, uint64_t count, const std::byte* bytes);
  /// The same with zeros, where pages are not there.
  absl::Status FillWithZeros(uint64_t first, uint64_t count);
  /// Wakes those who wait for a page that is there.
  absl::Status Wake(uint64_t page);
  /// Gives pages back to the host.
  absl::Status Discard(uint64_t first, uint64_t count);

 private:
  UserfaultMemory() = default;
  absl::Status Register(uint64_t pages);

  UniqueFd fd_;
  std::byte* data_ = nullptr;
  uint64_t mapped_bytes_ = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_EVALUATION_PAGING_USERFAULT_MEMORY_H_

#ifndef FARGRAPH_COMMON_MEMORY_MAPPED_MEMORY_H_
#define FARGRAPH_COMMON_MEMORY_MAPPED_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace fargraph {

/// Anonymous or shareable memory on the largest pages that the host has free: 1 GiB, then 2 MiB,
/// then 4 KiB (with transparent huge pages asked for). Owns its mapping; movable; any thread may
/// read the accessors.
class MappedMemory {
 public:
  enum class Sharing {
    kPrivate,    ///< anonymous, of this process alone
    kShareable,  ///< behind a memfd that another process can map (see fd())
  };
  enum class Pages {
    kHugeIfFree,  ///< 1 GiB (only where rounding up to it takes less than 2 MiB more), 2 MiB (only
                  ///< for that much), 4 KiB, whichever is free first
    kSmall,       ///< 4 KiB with transparent huge pages
  };

  /// Maps `bytes` (rounded up to the page size; at least one page), zeroed, touched by nobody yet.
  /// Huge pages are reserved at once, so that a later touch cannot fail; small pages come at the
  /// first touch. ResourceExhausted when the host cannot map that much even on small pages.
  static absl::StatusOr<MappedMemory> Allocate(uint64_t bytes, Sharing sharing = Sharing::kPrivate,
                                               Pages pages = Pages::kHugeIfFree);

  /// Whether so many bytes are put on huge pages of such a size where enough of these are free.
  static bool UsesPages(uint64_t page_bytes, uint64_t bytes);

  /// Maps all of the shareable memory behind `fd`, which stays the caller's.
  static absl::StatusOr<MappedMemory> MapShared(int fd, bool writable);

  MappedMemory() = default;
  MappedMemory(MappedMemory&& other) noexcept;
  MappedMemory& operator=(MappedMemory&& other) noexcept;
  ~MappedMemory();

  std::byte* data() const { return data_; }
  uint64_t size() const { return size_; }
  absl::Span<std::byte> bytes() const { return {data_, size_}; }
  /// Bytes of one page of the mapping: 1 GiB, 2 MiB or 4 KiB.
  uint64_t page_bytes() const { return page_bytes_; }
  /// The memfd of shareable memory, -1 of private memory. Owned by this object.
  int fd() const { return fd_; }

  /// Takes all pages from the host now, so that nobody has to wait for them later; where the host
  /// cannot do that (Linux before 5.14), they come at the first touch.
  void Populate();

  /// Of memory on small pages: transparent huge pages are for the whole ones within the first
  /// `bytes` from now on. One that reached farther would take memory that nobody uses.
  void KeepHugePagesWithin(uint64_t bytes);

  /// Gives the whole pages within [offset, offset + length) back to the host; they read as zero
  /// afterwards.
  absl::Status Discard(uint64_t offset, uint64_t length);

  /// Which pages carry the mapping and, where they are not the largest, why: "2 MiB huge pages", "4
  /// KiB pages; reserved 2 MiB huge pages: 2 wanted, fewer free". For logs and statistics.
  const std::string& description() const { return description_; }

 private:
  std::byte* data_ = nullptr;
  uint64_t size_ = 0;
  uint64_t page_bytes_ = 0;
  int fd_ = -1;
  std::string description_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_MEMORY_MAPPED_MEMORY_H_

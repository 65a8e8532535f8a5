#include "common/memory/mapped_memory.h"

#include <fcntl.h>
#include <linux/memfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/host/huge_pages.h"
#include "common/units.h"

namespace fargraph {
namespace {

struct PageSize {
  uint64_t bytes;
  int map_flags;
  unsigned memfd_flags;
  const char* name;
};

constexpr uint64_t kSmallPageBytes = 4 * kKiB;
/// Huge pages are taken at once, whether they are used or not, and count in a memory budget.
constexpr uint64_t kMostWastedBytes = kHugePageBytes;
constexpr std::array<PageSize, 3> kPageSizes = {{
    {kGiB, MAP_HUGETLB | (30 << MAP_HUGE_SHIFT), MFD_HUGETLB | MFD_HUGE_1GB, "1 GiB huge pages"},
    {kHugePageBytes, MAP_HUGETLB | (21 << MAP_HUGE_SHIFT), MFD_HUGETLB | MFD_HUGE_2MB,
     "2 MiB huge pages"},
    {kSmallPageBytes, 0, 0, "4 KiB pages"},
}};

uint64_t RoundUp(uint64_t bytes, uint64_t page_bytes) {
  return std::max<uint64_t>(1, (bytes + page_bytes - 1) / page_bytes) * page_bytes;
}

/// Small private pages that begin on a huge page's border, so that the kernel can make transparent
/// huge pages of them; nullptr with errno set where there is no room.
std::byte* MapSmallPages(uint64_t size) {
  const uint64_t slack = size < kHugePageBytes ? 0 : kHugePageBytes;
  void* address =
      mmap(nullptr, size + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) return nullptr;
  std::byte* const begin = static_cast<std::byte*>(address);
  const uint64_t before = slack == 0 ? 0 : -reinterpret_cast<uintptr_t>(begin) % kHugePageBytes;
  if (before > 0) munmap(begin, before);
  if (slack > before) munmap(begin + before + size, slack - before);
  return begin + before;
}

/// A mapping of `size` bytes on the given pages, and the memfd behind it; nullptr with errno set
/// where there is no room.
std::byte* Map(uint64_t size, MappedMemory::Sharing sharing, const PageSize& pages, int* fd) {
  *fd = -1;
  if (sharing == MappedMemory::Sharing::kPrivate && pages.map_flags == 0)
    return MapSmallPages(size);
  if (sharing == MappedMemory::Sharing::kPrivate) {
    void* address = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | pages.map_flags, -1, 0);
    return address == MAP_FAILED ? nullptr : static_cast<std::byte*>(address);
  }
  const int memory_fd = memfd_create("fargraph", MFD_CLOEXEC | pages.memfd_flags);
  if (memory_fd < 0) return nullptr;
  void* address = MAP_FAILED;
  if (ftruncate(memory_fd, static_cast<off_t>(size)) == 0) {
    address = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory_fd, 0);
  }
  if (address == MAP_FAILED) {
    const int error = errno;
    close(memory_fd);
    errno = error;
    return nullptr;
  }
  *fd = memory_fd;
  return static_cast<std::byte*>(address);
}

/// Of private memory that is large enough the kernel makes transparent huge pages, if it does that
/// at all.
absl::string_view NameOfPages(const PageSize& pages, MappedMemory::Sharing sharing,
                              uint64_t bytes) {
  static const bool makes_them = ReadHugePages().transparent == HugePages::Transparent::kOn;
  const bool may_be_transparent = pages.bytes == kSmallPageBytes && bytes >= kHugePageBytes &&
                                  sharing == MappedMemory::Sharing::kPrivate;
  return makes_them && may_be_transparent ? "transparent huge pages where the kernel finds some"
                                          : pages.name;
}

}  // namespace

absl::StatusOr<MappedMemory> MappedMemory::Allocate(uint64_t bytes, Sharing sharing, Pages pages) {
  std::string shortage;
  for (const PageSize& page : kPageSizes) {
    const bool huge = page.bytes > kSmallPageBytes;
    if (huge && (pages == Pages::kSmall || !UsesPages(page.bytes, bytes))) continue;

    MappedMemory memory;
    memory.size_ = RoundUp(bytes, page.bytes);
    memory.data_ = Map(memory.size_, sharing, page, &memory.fd_);
    if (memory.data_ == nullptr) {
      if (huge) {
        shortage = absl::StrCat("; reserved ", page.name, ": ", memory.size_ / page.bytes,
                                " wanted, fewer free");
      }
      continue;
    }
    memory.page_bytes_ = page.bytes;
    memory.description_ = absl::StrCat(NameOfPages(page, sharing, memory.size_), shortage);
    if (!huge) madvise(memory.data_, memory.size_, MADV_HUGEPAGE);
    return memory;
  }
  return absl::ResourceExhaustedError(
      absl::StrCat("cannot map ", FormatBytes(bytes), " of memory: ", std::strerror(errno)));
}

bool MappedMemory::UsesPages(uint64_t page_bytes, uint64_t bytes) {
  return bytes >= page_bytes && RoundUp(bytes, page_bytes) - bytes < kMostWastedBytes;
}

absl::StatusOr<MappedMemory> MappedMemory::MapShared(int fd, bool writable) {
  struct stat status = {};
  MappedMemory memory;
  memory.fd_ = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (memory.fd_ < 0 || fstat(fd, &status) != 0) {
    return absl::InternalError(absl::StrCat("cannot use shared memory: ", std::strerror(errno)));
  }
  void* address = mmap(nullptr, status.st_size, writable ? PROT_READ | PROT_WRITE : PROT_READ,
                       MAP_SHARED, fd, 0);
  if (address == MAP_FAILED) {
    return absl::ResourceExhaustedError(absl::StrCat("cannot map ", FormatBytes(status.st_size),
                                                     " of shared memory: ", std::strerror(errno)));
  }
  memory.data_ = static_cast<std::byte*>(address);
  memory.size_ = status.st_size;
  memory.page_bytes_ = status.st_blksize;
  memory.description_ = "shared memory";
  return memory;
}

MappedMemory::MappedMemory(MappedMemory&& other) noexcept { *this = std::move(other); }

MappedMemory& MappedMemory::operator=(MappedMemory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(page_bytes_, other.page_bytes_);
  std::swap(fd_, other.fd_);
  description_.swap(other.description_);
  return *this;
}

MappedMemory::~MappedMemory() {
  if (data_ != nullptr) munmap(data_, size_);
  if (fd_ >= 0) close(fd_);
}

void MappedMemory::Populate() { madvise(data_, size_, MADV_POPULATE_WRITE); }

void MappedMemory::KeepHugePagesWithin(uint64_t bytes) {
  const uint64_t end = std::min(bytes / kHugePageBytes * kHugePageBytes, size_);
  madvise(data_, end, MADV_HUGEPAGE);
  madvise(data_ + end, size_ - end, MADV_NOHUGEPAGE);
}

absl::Status MappedMemory::Discard(uint64_t offset, uint64_t length) {
  const uint64_t begin = (offset + page_bytes_ - 1) / page_bytes_ * page_bytes_;
  const uint64_t end = (offset + length) / page_bytes_ * page_bytes_;
  if (begin >= end) return absl::OkStatus();
  const int result = fd_ >= 0
                         ? fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                     static_cast<off_t>(begin), static_cast<off_t>(end - begin))
                         : madvise(data_ + begin, end - begin, MADV_DONTNEED);
  if (result != 0) {
    return absl::InternalError(
        absl::StrCat("cannot give memory back to the host: ", std::strerror(errno)));
  }
  return absl::OkStatus();
}

}  // namespace fargraph

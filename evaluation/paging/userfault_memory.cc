#include "evaluation/paging/userfault_memory.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

absl::Status Failed(absl::string_view what) {
  return absl::InternalError(absl::StrCat("cannot ", what, ": ", std::strerror(errno)));
}

absl::Status NotOnThisHost() {
  const absl::string_view advice = errno == EPERM
                                       ? "; inside a container, allow the system call userfaultfd"
                                   : errno == ENOSYS ? "; take a kernel with CONFIG_USERFAULTFD"
                                                     : "; take Linux 5.11 or later";
  return absl::FailedPreconditionError(absl::StrCat(
      "this host does not let a process bring its own pages (userfaultfd: ", std::strerror(errno),
      ")", advice));
}

/// Only faults of user code, which takes no privilege whatever vm.unprivileged_userfaultfd says.
absl::StatusOr<UniqueFd> OpenUserfaultFd() {
  UniqueFd fd(
      static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY)));
  uffdio_api api = {.api = UFFD_API};
  if (!fd.valid() || ioctl(fd.get(), UFFDIO_API, &api) != 0) return NotOnThisHost();
  return fd;
}

}  // namespace

absl::StatusOr<UserfaultMemory> UserfaultMemory::Map(uint64_t pages) {
  UserfaultMemory memory;
  FARGRAPH_ASSIGN_OR_RETURN(memory.fd_, OpenUserfaultFd());
  // Read-only memory may be larger than the host's.
  memory.mapped_bytes_ = (pages + 1) * kPageBytes;
  void* const address =
      mmap(nullptr, memory.mapped_bytes_, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) return Failed(absl::StrCat("map ", pages, " pages"));
  memory.data_ = static_cast<std::byte*>(address);
  FARGRAPH_RETURN_IF_ERROR(memory.Register(pages));
  return memory;
}

absl::Status UserfaultMemory::Register(uint64_t pages) {
  madvise(data_, mapped_bytes_, MADV_NOHUGEPAGE);
  uffdio_register registration = {
      .range = {.start = reinterpret_cast<uintptr_t>(data_), .len = pages * kPageBytes},
      .mode = UFFDIO_REGISTER_MODE_MISSING};
  if (ioctl(fd_.get(), UFFDIO_REGISTER, &registration) != 0)
    return Failed("watch memory for missing pages");
  return absl::OkStatus();
}

UserfaultMemory::UserfaultMemory(UserfaultMemory&& other) noexcept
    : fd_(std::move(other.fd_)),
      data_(std::exchange(other.data_, nullptr)),
      mapped_bytes_(other.mapped_bytes_) {}

UserfaultMemory::~UserfaultMemory() {
  if (data_ != nullptr) munmap(data_, mapped_bytes_);
}

absl::StatusOr<size_t> UserfaultMemory::TakeFaults(absl::Span<uint64_t> pages) {
  if (pages.empty()) return 0;
  std::array<uffd_msg, 64> messages;
  const size_t most = std::min(pages.size(), messages.size());
  const ssize_t bytes = read(fd_.get(), messages.data(), most * sizeof(uffd_msg));
  if (bytes < 0 && errno == EAGAIN) return 0;
  if (bytes < 0) return Failed("learn which pages are missing");
  const size_t count = static_cast<size_t>(bytes) / sizeof(uffd_msg);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t offset = messages[i].arg.pagefault.address - reinterpret_cast<uintptr_t>(data_);
    pages[i] = offset / kPageBytes;
  }
  return count;
}

absl::Status UserfaultMemory::Fill(uint64_t first, uint64_t count, const std::byte* bytes) {
  uffdio_copy copy = {.dst = reinterpret_cast<uintptr_t>(data_ + first * kPageBytes),
                      .src = reinterpret_cast<uintptr_t>(bytes),
                      .len = count * kPageBytes};
  return ioctl(fd_.get(), UFFDIO_COPY, &copy) == 0 ? absl::OkStatus() : Failed("fill pages");
}

absl::Status UserfaultMemory::FillWithZeros(uint64_t first, uint64_t count) {
  for (uint64_t page = first; page < first + count; ++page) {
    uffdio_zeropage zero = {
        .range = {.start = reinterpret_cast<uintptr_t>(data_ + page * kPageBytes),
                  .len = kPageBytes}};
    if (ioctl(fd_.get(), UFFDIO_ZEROPAGE, &zero) == 0) continue;
    if (errno != EEXIST) return Failed("fill pages");
    FARGRAPH_RETURN_IF_ERROR(Wake(page));
  }
  return absl::OkStatus();
}

absl::Status UserfaultMemory::Wake(uint64_t page) {
  uffdio_range range = {.start = reinterpret_cast<uintptr_t>(data_ + page * kPageBytes),
                        .len = kPageBytes};
  return ioctl(fd_.get(), UFFDIO_WAKE, &range) == 0 ? absl::OkStatus() : Failed("wake threads");
}

absl::Status UserfaultMemory::Discard(uint64_t first, uint64_t count) {
  const int result = madvise(data_ + first * kPageBytes, count * kPageBytes, MADV_DONTNEED);
  return result == 0 ? absl::OkStatus() : Failed("give pages back to the host");
}

}  // namespace fargraph

#include "memory_node/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/host/available_memory.h"
#include "common/host/processors.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "glog/logging.h"

namespace fargraph {
namespace {

/// A region on 1 GiB pages need not fill its last one.
constexpr uint64_t kLargestAlignment = 2 * kMiB;
constexpr uint64_t kSmallPageBytes = 4 * kKiB;

/// Small pages come at the first touch, when it is too late to refuse.
absl::Status CheckHostHas(uint64_t bytes) {
  const AvailableMemory available = ReadAvailableMemory(Swap::kDoesNot);
  if (bytes <= available.bytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(
      "cannot lend ", FormatBytes(bytes), ": this host has ", FormatBytes(available.bytes),
      " of memory left (", available.limited_by, "); give a smaller --capacity"));
}

/// Calls work(begin, length) for the pieces of an extent, on as many cores as there are pieces: a
/// caller waits for this. Where the host gives no more threads, those there are do it.
template <typename Work>
void ForEachPiece(std::byte* begin, uint64_t length, const Work& work) {
  constexpr uint64_t kPieceBytes = 64 * kMiB;
  const uint64_t pieces = (length + kPieceBytes - 1) / kPieceBytes;
  const uint64_t workers = std::min<uint64_t>(pieces, UsableProcessors());
  std::atomic<uint64_t> next_piece = 0;
  const auto work_on = [&] {
    for (uint64_t piece = next_piece++; piece < pieces; piece = next_piece++) {
      const uint64_t offset = piece * kPieceBytes;
      work(begin + offset, std::min(kPieceBytes, length - offset));
    }
  };
  std::vector<std::thread> helpers;
  helpers.reserve(workers);
  try {
    while (helpers.size() + 1 < workers) helpers.emplace_back(work_on);
  } catch (const std::system_error& error) {
    LOG(WARNING) << "this takes longer, for no more threads can be started: " << error.what();
  }
  work_on();
  for (std::thread& helper : helpers) helper.join();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Arena>> Arena::Map(uint64_t capacity_bytes) {
  if (capacity_bytes == 0) {
    return absl::InvalidArgumentError(
        "a memory node needs a capacity; give one, such as --capacity=8GiB");
  }
  auto memory = MappedMemory::Allocate(capacity_bytes, MappedMemory::Sharing::kShareable);
  if (!memory.ok()) {
    FARGRAPH_RETURN_IF_ERROR(CheckHostHas(capacity_bytes));
    return std::move(memory).status();
  }
  if (memory->page_bytes() <= kSmallPageBytes) {
    FARGRAPH_RETURN_IF_ERROR(CheckHostHas(capacity_bytes));
  }
  return std::unique_ptr<Arena>(new Arena(*std::move(memory)));
}

Arena::Arena(MappedMemory memory)
    : memory_(std::move(memory)),
      extent_bytes_(std::min(memory_.page_bytes(), kLargestAlignment)),
      allocator_(memory_.size(), extent_bytes_) {}

absl::StatusOr<Extent> Arena::Allocate(uint64_t bytes) {
  const absl::MutexLock lock(&mutex_);
  const std::optional<Extent> extent = allocator_.Allocate(bytes);
  if (extent) return *extent;
  return absl::ResourceExhaustedError(
      absl::StrCat(FormatBytes(bytes), " do not fit: of its ", FormatBytes(capacity()), ", ",
                   FormatBytes(allocator_.free_bytes()), " are free, the largest piece of them ",
                   FormatBytes(allocator_.LargestFree()),
                   "; free kept regions with `fargraph regions`, add a memory node, or start this "
                   "one with a larger --capacity"));
}

absl::Status Arena::Populate(const Extent& extent) {
  std::atomic<bool> shortage = false;
  ForEachPiece(memory_.data() + extent.offset, extent.length,
               [&](std::byte* begin, uint64_t length) {
                 // A kernel before Linux 5.14 does not know this and leaves it to the first touch.
                 if (madvise(begin, length, MADV_POPULATE_WRITE) != 0 && errno != EINVAL)
                   shortage = true;
               });
  if (!shortage) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("the host has no ", FormatBytes(extent.length),
                   " left; free memory there, or start the node with a smaller --capacity"));
}

void Arena::Reclaim(const Extent& extent) {
  Zero(extent);
  const absl::MutexLock lock(&mutex_);
  allocator_.Free(extent);
}

/// Small pages go back to the host, which zeroes them when they are next touched. Huge pages would
/// lose their reservation with that, and pages that a device knows must not change under it.
void Arena::Zero(const Extent& extent) {
  const bool discard = memory_.page_bytes() <= kSmallPageBytes && !pinned_;
  if (discard && memory_.Discard(extent.offset, extent.length).ok()) return;
  ForEachPiece(memory_.data() + extent.offset, extent.length,
               [](std::byte* begin, uint64_t length) { std::memset(begin, 0, length); });
}

uint64_t Arena::FreeBytes() const {
  const absl::MutexLock lock(&mutex_);
  return allocator_.free_bytes();
}

}  // namespace fargraph

#include "compute_node/directives/page_watch.h"

#include <sched.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

constexpr uint64_t kLeastPages = 64;
constexpr size_t kOpenPages = 16;  ///< more than one instruction touches, so that each gets on
constexpr size_t kMostTouches = 128;

/// The whole pages of an array and what is known of them. The handler and the watcher change it
/// under `slots_lock`; nothing of it is allocated while pages are closed.
struct WatchedArray {
  struct OpenPage {
    uint32_t page = 0;
    bool writable = false;
  };

  std::byte* begin = nullptr;
  uint64_t pages = 0;
  int protection = PROT_NONE;  ///< the program's own
  enum class State : uint8_t { kOpen, kOpenToReads, kClosed } state = State::kOpen;
  bool written = false;  ///< was seen to be
  std::array<OpenPage, kOpenPages> open_pages;
  size_t open_count = 0;
  size_t oldest = 0;  ///< of the open pages, once all places are taken
  std::array<PageTouch, kMostTouches> touches;
  size_t touch_count = 0;

  uint64_t bytes() const { return pages * kWatchedPageBytes; }
  bool Contains(const std::byte* address) const {
    return address >= begin && address < begin + bytes();
  }
  bool Protect(uint64_t page, int page_protection) const {
    return mprotect(begin + page * kWatchedPageBytes, kWatchedPageBytes, page_protection) == 0;
  }
  void Close();
  bool Rest();
  bool Touch(const PageTouch& touch, bool write);
  bool OpenPageFor(const PageTouch& touch, bool write);
};

/// What the signal handler works on.
std::atomic_flag slots_lock = ATOMIC_FLAG_INIT;
std::vector<WatchedArray> watched;
struct sigaction action_before;
std::atomic<bool> installed = false;

class Locked {
 public:
  Locked() {
    while (slots_lock.test_and_set(std::memory_order_acquire)) sched_yield();
  }
  ~Locked() { slots_lock.clear(std::memory_order_release); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
};

void WatchedArray::Close() {
  touch_count = open_count = oldest = 0;
  if (pages < kLeastPages) return;
  state = State::kClosed;
  if (mprotect(begin, bytes(), PROT_NONE) != 0) Rest();
}

/// Opens all pages as far as there is nothing more to see; false if the host does not let it.
bool WatchedArray::Rest() {
  const bool may_be_written = (protection & PROT_WRITE) != 0;
  state = may_be_written && !written ? State::kOpenToReads : State::kOpen;
  return mprotect(begin, bytes(), written ? protection : PROT_READ) == 0;
}

/// Makes the page fit for the touch; false if the host does not let it.
bool WatchedArray::OpenPageFor(const PageTouch& touch, bool write) {
  OpenPage* const end = open_pages.data() + open_count;
  OpenPage* found = std::find_if(open_pages.data(), end, [&](const OpenPage& candidate) {
    return candidate.page == touch.page;
  });
  if (found != end && (found->writable || !write)) return true;  // by another thread
  if (found == end && open_count == kOpenPages) {
    found = &open_pages[oldest];
    oldest = (oldest + 1) % kOpenPages;
    if (!Protect(found->page, PROT_NONE)) return false;
  } else if (found == end) {
    ++open_count;
  }
  *found = {.page = touch.page, .writable = write};
  return Protect(touch.page, write ? PROT_READ | PROT_WRITE : PROT_READ);
}

/// Notes the touch of a page that was closed to it; false if the program itself has no right to it.
bool WatchedArray::Touch(const PageTouch& touch, bool write) {
  if (write && (protection & PROT_WRITE) == 0) return false;
  written |= write;
  if (state == State::kOpen) return true;  // meanwhile
  if (state == State::kOpenToReads) return !write || Rest();
  touches[touch_count++] = touch;
  return (touch_count < kMostTouches && OpenPageFor(touch, write)) || Rest();
}

bool IsWrite([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
  constexpr greg_t kWriteBit = 2;  // of the page fault's error code
  const auto* const machine = &static_cast<const ucontext_t*>(context)->uc_mcontext;
  return (machine->gregs[REG_ERR] & kWriteBit) != 0;
#else
  return false;
#endif
}

/// True if the fault was the watch's doing and the access will go through when it is tried again.
bool HandleTouch(const siginfo_t& info, const void* context) {
  if (info.si_code != SEGV_ACCERR) return false;
  const auto* const address = static_cast<const std::byte*>(info.si_addr);
  const Locked locked;
  for (WatchedArray& array : watched) {
    if (!array.Contains(address)) continue;
    const auto page = static_cast<uint32_t>((address - array.begin) / kWatchedPageBytes);
    return array.Touch({.page = page, .thread = gettid()}, IsWrite(context));
  }
  return false;
}

void PassOn(int signal, siginfo_t* info, void* context) {
  if ((action_before.sa_flags & SA_SIGINFO) != 0) {
    action_before.sa_sigaction(signal, info, context);
  } else if (action_before.sa_handler == SIG_DFL || action_before.sa_handler == SIG_IGN) {
    sigaction(SIGSEGV, &action_before, nullptr);  // which the access meets when it is tried again
  } else {
    action_before.sa_handler(signal);
  }
}

void OnFault(int signal, siginfo_t* info, void* context) {
  // A fault of the watch may get here after the watch has ended. What faults twice is not the
  // watch's.
  static thread_local const void* last_unknown = nullptr;
  const int errno_before = errno;
  if (!HandleTouch(*info, context)) {
    const bool again = info->si_code != SEGV_ACCERR || last_unknown == info->si_addr;
    last_unknown = again ? nullptr : info->si_addr;
    if (again) PassOn(signal, info, context);
  }
  errno = errno_before;
}

/// The protection of all pages in [begin, end), which must be one that lets read.
absl::StatusOr<int> ProtectionOf(const std::byte* begin, const std::byte* end) {
  const absl::Status mixed = absl::InvalidArgumentError(
      "watching an array: its pages are not all mapped readable and alike; declare what the "
      "program does with it instead");
  std::ifstream maps("/proc/self/maps");
  int protection = PROT_NONE;
  auto next = reinterpret_cast<uintptr_t>(begin);
  const auto last = reinterpret_cast<uintptr_t>(end);
  for (std::string line; next < last && std::getline(maps, line);) {
    uintptr_t from = 0, to = 0;
    char rights[5] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &from, &to, rights) != 3) return mixed;
    if (to <= next) continue;
    const int own = (rights[0] == 'r' ? PROT_READ : 0) | (rights[1] == 'w' ? PROT_WRITE : 0);
    if (from > next || rights[0] != 'r' || rights[2] == 'x') return mixed;
    if (protection != PROT_NONE && own != protection) return mixed;
    protection = own;
    next = to;
  }
  return next < last ? absl::StatusOr<int>(mixed) : protection;
}

/// The whole pages of an array, open.
absl::StatusOr<WatchedArray> WholePagesOf(absl::Span<const std::byte> array) {
  const auto first = reinterpret_cast<uintptr_t>(array.data());
  const uintptr_t begin = (first + kWatchedPageBytes - 1) & ~(kWatchedPageBytes - 1);
  const uintptr_t end = (first + array.size()) & ~(kWatchedPageBytes - 1);
  WatchedArray whole;
  whole.begin = const_cast<std::byte*>(array.data()) + (begin - first);
  if (begin >= end) return whole;
  whole.pages = (end - begin) / kWatchedPageBytes;
  FARGRAPH_ASSIGN_OR_RETURN(whole.protection,
                            ProtectionOf(whole.begin, whole.begin + whole.bytes()));
  return whole;
}

absl::Status CheckDisjoint(std::vector<absl::Span<const std::byte>> arrays) {
  std::sort(arrays.begin(), arrays.end(),
            [](const auto& a, const auto& b) { return a.data() < b.data(); });
  for (size_t i = 1; i < arrays.size(); ++i) {
    if (arrays[i - 1].data() + arrays[i - 1].size() <= arrays[i].data()) continue;
    return absl::InvalidArgumentError("watching arrays: two of them overlap; name each byte once");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<WatchedArray>> WholePagesOfAll(
    const std::vector<absl::Span<const std::byte>>& arrays) {
  FARGRAPH_RETURN_IF_ERROR(CheckDisjoint(arrays));
  std::vector<WatchedArray> whole(arrays.size());
  for (size_t i = 0; i < arrays.size(); ++i) {
    FARGRAPH_ASSIGN_OR_RETURN(whole[i], WholePagesOf(arrays[i]));
  }
  return whole;
}

/// True if a SIGSEGV is on its way to a thread of this process.
bool FaultIsPending() {
  std::error_code error;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream status(thread.path() / "status");
    for (std::string line; std::getline(status, line);) {
      uint64_t signals = 0;
      if (std::sscanf(line.c_str(), "SigPnd: %lx", &signals) == 1 &&
          (signals >> (SIGSEGV - 1) & 1) != 0)
        return true;
    }
  }
  return false;
}

}  // namespace

absl::StatusOr<std::unique_ptr<PageWatch>> PageWatch::Install(
    const std::vector<absl::Span<const std::byte>>& arrays) {
#if !defined(__x86_64__)
  return absl::UnimplementedError(
      "watching arrays: this processor does not tell reads from writes; declare what the program "
      "does with each");
#endif
  if (installed.exchange(true)) {
    return absl::FailedPreconditionError(
        "watching arrays: this process watches others already; end that first");
  }
  absl::StatusOr<std::vector<WatchedArray>> whole = WholePagesOfAll(arrays);
  if (!whole.ok()) {
    installed = false;
    return std::move(whole).status();
  }
  std::unique_ptr<PageWatch> watch(new PageWatch());
  for (const WatchedArray& array : *whole) watch->pages_.push_back(array.pages);
  {
    const Locked locked;
    watched = *std::move(whole);
  }
  struct sigaction action = {};
  action.sa_sigaction = OnFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigfillset(&action.sa_mask);  // another handler might touch a watched page under the lock
  sigaction(SIGSEGV, &action, &action_before);
  return watch;
}

PageWatch::~PageWatch() {
  for (WatchedArray& array : watched) {
    const Locked locked;
    array.written = true;
    array.Rest();
  }
  // A thread that was refused a page just before it was opened is still to come to the handler.
  while (FaultIsPending()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  struct sigaction current = {};
  sigaction(SIGSEGV, nullptr, &current);
  if (current.sa_sigaction == OnFault) sigaction(SIGSEGV, &action_before, nullptr);
  {
    const Locked locked;
    watched.clear();
  }
  installed = false;
}

void PageWatch::Close(size_t array) {
  const Locked locked;
  watched[array].Close();
}

bool PageWatch::closed(size_t array) const {
  const Locked locked;
  return watched[array].state == WatchedArray::State::kClosed;
}

bool PageWatch::written(size_t array) const {
  const Locked locked;
  return watched[array].written;
}

std::vector<PageTouch> PageWatch::Rest(size_t array) {
  WatchedArray& watched_array = watched[array];
  {
    const Locked locked;
    if (watched_array.state == WatchedArray::State::kClosed) watched_array.Rest();
  }
  // From now on the handler leaves the touches alone; memory for a copy may come from a heap whose
  // the lock is held by a thread that waits for the handler.
  return {watched_array.touches.begin(), watched_array.touches.begin() + watched_array.touch_count};
}

}  // namespace fargraph

#ifndef FARGRAPH_EVALUATION_PAGING_FAR_PAGER_H_
#define FARGRAPH_EVALUATION_PAGING_FAR_PAGER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "common/unique_fd.h"
#include "compute_node/tiers/tier.h"
#include "evaluation/paging/userfault_memory.h"

namespace fargraph {

/// A run of far bytes that shall look as if it were local.
struct FarRange {
  uint64_t address = 0;  ///< in the tier's address space
  uint64_t bytes = 0;    ///< at least 1
};

/// Since the pager was started.
struct PagerStats {
  uint64_t faults = 0;  ///< pages that threads waited for
  uint64_t pages_fetched = 0;
  uint64_t pages_evicted = 0;
  TierTraffic traffic;

  PagerStats operator-(const PagerStats& before) const {
    return {.faults = faults - before.faults,
            .pages_fetched = pages_fetched - before.pages_fetched,
            .pages_evicted = pages_evicted - before.pages_evicted,
            .traffic = {.bytes = traffic.bytes - before.traffic.bytes,
                        .requests = traffic.requests - before.traffic.requests}};
  }
};

/// Far memory at the granularity of pages, as swap to far memory has it, for programs that know
/// nothing of it: read-only ranges of which so many pages are in local memory, and the others are
/// fetched when a thread touches them. A fault brings one page, and the seven behind it where the
/// page before it is here, which is what the kernel's swap reads ahead, but fewer where the budget
/// is small; the pages that came first make room. One thread fetches, so its rate bounds that of
/// all.
///
/// Where the tier fails, pages that are missing become zeros and failed() true: threads that read
/// go on, for they cannot be told, and what they compute is void.
class FarPager {
 public:
  static constexpr uint64_t kRunPages = 8;  ///< fetched at once, at most
  static constexpr uint64_t kRunBytes = kRunPages * kPageBytes;

  /// What so many threads that read need to get on with, in bytes: what each reads may lie on the
  /// border of two pages.
  static uint64_t SmallestBudget(uint64_t threads) { return threads * 2 * kPageBytes; }

  /// `staging`: in the buffer that the queue was made for, kRunBytes for each of its tags, which
  /// are as many as threads will read; it must outlive the pager. `budget_bytes`: of pages in local
  /// memory. ResourceExhausted when it is less than SmallestBudget; FailedPrecondition as of
  /// UserfaultMemory::Map.
  static absl::StatusOr<std::unique_ptr<FarPager>> Start(std::vector<FarRange> ranges,
                                                         std::unique_ptr<TierQueue> queue,
                                                         absl::Span<std::byte> staging,
                                                         uint64_t budget_bytes);
  ~FarPager();

  /// Where a range begins, on a page. Any thread may read it.
  const std::byte* data(size_t range) const {
    return memory_.data() + first_pages_[range] * kPageBytes;
  }

  /// Any thread may call these. `failed` can serve a job as its sign to end.
  const std::atomic<bool>& failed() const { return failed_; }
  absl::Status status() const;
  PagerStats stats() const;

 private:
  enum class PageState : uint8_t { kFar, kOnTheWay, kLocal };
  struct PageRun {
    uint64_t first = 0;
    uint64_t count = 0;  ///< 0: nothing is on the way
  };

  FarPager(std::vector<FarRange> ranges, std::vector<uint64_t> first_pages, UserfaultMemory memory,
           UniqueFd stop, std::unique_ptr<TierQueue> queue, absl::Span<std::byte> staging,
           uint64_t budget_bytes);

  void Serve();
  void SleepUntilFault();
  absl::Status StartFetches();
  absl::Status Fetch(uint64_t page);
  PageRun RunAt(uint64_t page) const;
  Extent ExtentOf(const PageRun& run, std::byte* destination) const;
  size_t RangeOf(uint64_t page) const;
  absl::Status FinishFetches();
  absl::Status Place(uint32_t tag);
  absl::Status MakeRoom(uint64_t pages);
  void PublishStats();
  void Fail(const absl::Status& status);
  absl::Status AnswerWithZeros();

  std::byte* Staging(uint32_t tag) const { return staging_.data() + tag * kRunBytes; }
  void SetState(const PageRun& run, PageState state);

  const std::vector<FarRange> ranges_;
  const std::vector<uint64_t> first_pages_;  ///< of each range, and one behind the last
  UserfaultMemory memory_;
  const UniqueFd stop_;  ///< an eventfd
  const std::unique_ptr<TierQueue> queue_;
  const absl::Span<std::byte> staging_;
  const uint64_t budget_pages_;
  const uint64_t run_pages_;  ///< that a fault brings at most

  // Of the thread that serves.
  std::vector<PageState> states_;    ///< by page
  std::vector<PageRun> on_the_way_;  ///< by tag
  std::vector<uint32_t> free_tags_;
  std::vector<uint32_t> arrived_;  ///< room for the tags of a poll
  std::deque<PageRun> local_;      ///< the first to come goes first
  uint64_t local_pages_ = 0;
  PagerStats counts_;

  std::atomic<bool> stopping_ = false;
  std::atomic<bool> failed_ = false;
  mutable absl::Mutex mutex_;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  PagerStats published_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_;  ///< the last, so that all else is there when it begins
};

}  // namespace fargraph

#endif  // FARGRAPH_EVALUATION_PAGING_FAR_PAGER_H_

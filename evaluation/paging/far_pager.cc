#include "evaluation/paging/far_pager.h"

#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "common/units.h"

namespace fargraph {
namespace {

/// While reads are in flight: how long a new fault may wait for the pager to look.
constexpr absl::Duration kGlance = absl::Microseconds(20);

/// Every range begins on a page.
std::vector<uint64_t> FirstPages(const std::vector<FarRange>& ranges) {
  std::vector<uint64_t> first_pages = {0};
  for (const FarRange& range : ranges) {
    first_pages.push_back(first_pages.back() + (range.bytes + kPageBytes - 1) / kPageBytes);
  }
  return first_pages;
}

}  // namespace

absl::StatusOr<std::unique_ptr<FarPager>> FarPager::Start(std::vector<FarRange> ranges,
                                                          std::unique_ptr<TierQueue> queue,
                                                          absl::Span<std::byte> staging,
                                                          uint64_t budget_bytes) {
  const uint64_t least_bytes = SmallestBudget(staging.size() / kRunBytes);
  if (budget_bytes < least_bytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("cannot page within ", FormatBytes(budget_bytes), " of local pages, for ",
                     staging.size() / kRunBytes, " threads need ", FormatBytes(least_bytes),
                     "; leave more of the edges local, or take fewer threads"));
  }
  std::vector<uint64_t> first_pages = FirstPages(ranges);
  FARGRAPH_ASSIGN_OR_RETURN(UserfaultMemory memory, UserfaultMemory::Map(first_pages.back()));
  UniqueFd stop(eventfd(0, EFD_CLOEXEC));
  if (!stop.valid()) {
    return absl::InternalError(absl::StrCat("cannot make an eventfd: ", std::strerror(errno)));
  }
  std::unique_ptr<FarPager> pager(new FarPager(std::move(ranges), std::move(first_pages),
                                               std::move(memory), std::move(stop), std::move(queue),
                                               staging, budget_bytes));
  pager->thread_ = std::thread([&pager = *pager] { pager.Serve(); });
  return pager;
}

FarPager::FarPager(std::vector<FarRange> ranges, std::vector<uint64_t> first_pages,
                   UserfaultMemory memory, UniqueFd stop, std::unique_ptr<TierQueue> queue,
                   absl::Span<std::byte> staging, uint64_t budget_bytes)
    : ranges_(std::move(ranges)),
      first_pages_(std::move(first_pages)),
      memory_(std::move(memory)),
      stop_(std::move(stop)),
      queue_(std::move(queue)),
      staging_(staging),
      budget_pages_(budget_bytes / kPageBytes),
      run_pages_(std::min(kRunPages, budget_bytes / SmallestBudget(staging.size() / kRunBytes))),
      states_(first_pages_.back()),
      on_the_way_(staging.size() / kRunBytes),
      free_tags_(on_the_way_.size()),
      arrived_(on_the_way_.size()) {
  std::iota(free_tags_.begin(), free_tags_.end(), 0);
}

FarPager::~FarPager() {
  stopping_ = true;
  eventfd_write(stop_.get(), 1);
  thread_.join();
}

absl::Status FarPager::status() const {
  const absl::MutexLock lock(&mutex_);
  return status_;
}

PagerStats FarPager::stats() const {
  const absl::MutexLock lock(&mutex_);
  return published_;
}

void FarPager::Serve() {
  absl::Status status;
  while (status.ok() && !stopping_) {
    if (queue_->in_flight() == 0) SleepUntilFault();
    status = StartFetches();
    if (status.ok()) status = FinishFetches();
    PublishStats();
  }
  if (status.ok()) return;
  Fail(status);
  while (AnswerWithZeros().ok() && !stopping_) SleepUntilFault();
}

void FarPager::SleepUntilFault() {
  std::array<pollfd, 2> fds = {
      {{.fd = memory_.fd(), .events = POLLIN}, {.fd = stop_.get(), .events = POLLIN}}};
  poll(fds.data(), fds.size(), /*timeout=*/-1);
}

absl::Status FarPager::StartFetches() {
  std::array<uint64_t, 64> pages;
  FARGRAPH_ASSIGN_OR_RETURN(
      const size_t count,
      memory_.TakeFaults(absl::MakeSpan(pages).first(std::min(pages.size(), free_tags_.size()))));
  absl::Status status;
  for (const uint64_t page : absl::MakeConstSpan(pages).first(count)) {  // nobody else answers them
    ++counts_.faults;
    switch (states_[page]) {
      case PageState::kFar:
        status.Update(Fetch(page));
        break;
      case PageState::kOnTheWay:  // its arrival will wake all
        break;
      case PageState::kLocal:
        status.Update(memory_.Wake(page));
    }
  }
  return status;
}

absl::Status FarPager::Fetch(uint64_t page) {
  const PageRun run = RunAt(page);
  const uint32_t tag = free_tags_.back();
  free_tags_.pop_back();
  on_the_way_[tag] = run;
  SetState(run, PageState::kOnTheWay);
  const Extent extent = ExtentOf(run, Staging(tag));
  return queue_->Submit(absl::MakeConstSpan(&extent, 1), tag);
}

/// What a fault brings: more than the page where it goes on from what is here.
FarPager::PageRun FarPager::RunAt(uint64_t page) const {
  const size_t range = RangeOf(page);
  PageRun run = {.first = page, .count = 1};
  if (page == first_pages_[range] || states_[page - 1] == PageState::kFar) return run;
  const uint64_t end = std::min(page + run_pages_, first_pages_[range + 1]);
  while (page + run.count < end && states_[page + run.count] == PageState::kFar) ++run.count;
  return run;
}

Extent FarPager::ExtentOf(const PageRun& run, std::byte* destination) const {
  const size_t range = RangeOf(run.first);
  const uint64_t begin = (run.first - first_pages_[range]) * kPageBytes;
  return {.address = ranges_[range].address + begin,
          .length = std::min(run.count * kPageBytes, ranges_[range].bytes - begin),
          .destination = destination};
}

size_t FarPager::RangeOf(uint64_t page) const {
  return std::upper_bound(first_pages_.begin(), first_pages_.end(), page) - first_pages_.begin() -
         1;
}

absl::Status FarPager::FinishFetches() {
  if (queue_->in_flight() == 0) return absl::OkStatus();
  FARGRAPH_ASSIGN_OR_RETURN(const size_t count, queue_->Poll(absl::MakeSpan(arrived_)));
  for (const uint32_t tag : absl::MakeConstSpan(arrived_).first(count)) {
    FARGRAPH_RETURN_IF_ERROR(Place(tag));
  }
  if (count == 0) queue_->Wait(kGlance);
  return absl::OkStatus();
}

absl::Status FarPager::Place(uint32_t tag) {
  const PageRun run = on_the_way_[tag];
  FARGRAPH_RETURN_IF_ERROR(MakeRoom(run.count));
  counts_.pages_fetched += run.count;
  PublishStats();  // before those wake who may ask for them
  FARGRAPH_RETURN_IF_ERROR(memory_.Fill(run.first, run.count, Staging(tag)));
  SetState(run, PageState::kLocal);
  on_the_way_[tag] = {};
  local_.push_back(run);
  local_pages_ += run.count;
  free_tags_.push_back(tag);
  return absl::OkStatus();
}

absl::Status FarPager::MakeRoom(uint64_t pages) {
  while (local_pages_ + pages > budget_pages_) {
    const PageRun oldest = local_.front();
    local_.pop_front();
    FARGRAPH_RETURN_IF_ERROR(memory_.Discard(oldest.first, oldest.count));
    SetState(oldest, PageState::kFar);
    local_pages_ -= oldest.count;
    counts_.pages_evicted += oldest.count;
  }
  return absl::OkStatus();
}

void FarPager::SetState(const PageRun& run, PageState state) {
  std::fill_n(states_.begin() + static_cast<ptrdiff_t>(run.first), run.count, state);
}

void FarPager::PublishStats() {
  counts_.traffic = queue_->traffic();
  const absl::MutexLock lock(&mutex_);
  published_ = counts_;
}

void FarPager::Fail(const absl::Status& status) {
  {
    const absl::MutexLock lock(&mutex_);
    status_ = status;
  }
  failed_ = true;
}

/// Also to those who wait for what will not arrive.
absl::Status FarPager::AnswerWithZeros() {
  for (PageRun& run : on_the_way_) {
    FARGRAPH_RETURN_IF_ERROR(memory_.FillWithZeros(run.first, std::exchange(run.count, 0)));
  }
  std::array<uint64_t, 64> pages;
  FARGRAPH_ASSIGN_OR_RETURN(const size_t count, memory_.TakeFaults(absl::MakeSpan(pages)));
  for (const uint64_t page : absl::MakeConstSpan(pages).first(count)) {
    FARGRAPH_RETURN_IF_ERROR(memory_.FillWithZeros(page, 1));
  }
  return absl::OkStatus();
}

}  // namespace fargraph

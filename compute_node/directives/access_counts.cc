#include "compute_node/directives/access_counts.h"

#include <algorithm>
#include <cstdlib>
#include <list>
#include <unordered_set>

namespace fargraph {
namespace {

constexpr uint64_t kLeastSteps = 64;
constexpr double kInOrderShare = 0.9;
constexpr double kListBytes = 40;
constexpr double kLeastListSteps = 8;  ///< fewer to the next page may be chance

/// Bytes that are read in one place before the next one, on average; 0 where too few steps tell.
double BytesPerPlace(const AccessCounts& counts, uint64_t page_bytes) {
  const double goes_on =
      static_cast<double>(counts.next_steps) - static_cast<double>(counts.previous_steps);
  if (goes_on < kLeastListSteps) return 0;
  const double places = std::max(1.0, static_cast<double>(counts.steps) - goes_on);
  return goes_on / places * static_cast<double>(page_bytes);
}

uint64_t ThreadsIn(absl::Span<const PageTouch> touches) {
  std::unordered_set<int> threads;
  for (const PageTouch& touch : touches) threads.insert(touch.thread);
  return threads.size();
}

/// Where the threads were last, the latest first.
class Places {
 public:
  Places(uint64_t pages, uint64_t threads)
      : most_(std::min(2 * threads, std::max<uint64_t>(2, pages / 16))),
        few_pages_(std::clamp<int64_t>(pages / (4 * most_), 1, 32)) {}

  /// How far the page is from the place that leads to it, which is now there; nullopt if none does.
  std::optional<int64_t> MoveTo(int64_t page) {
    auto found = places_.end();
    for (auto place = places_.begin(); place != places_.end(); ++place) {
      if (Distance(page, *place) <= few_pages_ &&
          (found == places_.end() || Distance(page, *place) < Distance(page, *found)))
        found = place;
    }
    std::optional<int64_t> distance;
    if (found != places_.end()) {
      distance = page - *found;
      places_.erase(found);
    }
    places_.push_front(page);
    if (places_.size() > most_) places_.pop_back();
    return distance;
  }

 private:
  static int64_t Distance(int64_t page, int64_t place) { return std::abs(page - place); }

  const uint64_t most_;
  const int64_t few_pages_;
  std::list<int64_t> places_;
};

}  // namespace

AccessCounts& AccessCounts::operator+=(const AccessCounts& other) {
  touches += other.touches;
  steps += other.steps;
  near_steps += other.near_steps;
  next_steps += other.next_steps;
  previous_steps += other.previous_steps;
  return *this;
}

AccessCounts CountAccesses(absl::Span<const PageTouch> touches, uint64_t pages) {
  AccessCounts counts = {.touches = touches.size()};
  if (touches.empty()) return counts;
  Places places(pages, ThreadsIn(touches));
  places.MoveTo(touches[0].page);
  for (const PageTouch& touch : touches.subspan(1)) {
    const std::optional<int64_t> distance = places.MoveTo(touch.page);
    if (distance == 0) continue;
    ++counts.steps;
    counts.near_steps += distance.has_value() ? 1 : 0;
    counts.next_steps += distance == 1 ? 1 : 0;
    counts.previous_steps += distance == -1 ? 1 : 0;
  }
  return counts;
}

std::optional<Behaviour> Classify(const AccessCounts& counts, bool written, uint64_t page_bytes) {
  if (counts.steps < kLeastSteps) return std::nullopt;
  const bool in_order =
      static_cast<double>(counts.near_steps) >= kInOrderShare * static_cast<double>(counts.steps);
  if (in_order) return written ? kSequentialReadWrite : kStreamedReadOnly;
  if (written) return kRandomReadWrite;
  return BytesPerPlace(counts, page_bytes) >= kListBytes ? kStreamedReadOnly : kIndexedReadOnly;
}

}  // namespace fargraph

#ifndef FARGRAPH_COMPUTE_NODE_TIERS_TRAFFIC_TOTAL_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_TRAFFIC_TOTAL_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace fargraph {

/// The bytes that many queues have moved. Each has a counter of its own, written by its own thread
/// alone, so that counting costs a plain store. Any thread may call.
class TrafficTotal {
 public:
  /// The counter of a new queue. It counts on after the queue has gone.
  std::shared_ptr<std::atomic<uint64_t>> AddCounter() {
    auto counter = std::make_shared<std::atomic<uint64_t>>(0);
    const absl::MutexLock lock(&mutex_);
    counters_.push_back(counter);
    return counter;
  }

  uint64_t Total() const {
    const absl::MutexLock lock(&mutex_);
    uint64_t total = 0;
    for (const auto& counter : counters_) total += counter->load(std::memory_order_relaxed);
    return total;
  }

 private:
  mutable absl::Mutex mutex_;
  std::vector<std::shared_ptr<std::atomic<uint64_t>>> counters_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_TRAFFIC_TOTAL_H_

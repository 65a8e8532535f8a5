#ifndef FARGRAPH_ALGORITHMS_BUCKETS_H_
#define FARGRAPH_ALGORITHMS_BUCKETS_H_

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph/ids.h"

namespace fargraph {

/// Vertices that wait in numbered buckets for their turn, which comes in ascending order. Each
/// thread fills buckets of its own, without synchronisation; a vertex may wait in several. A range
/// of buckets is open; what belongs into a later one waits unsorted, so that no number of buckets
/// takes much memory.
class Buckets {
 public:
  /// The buckets of one thread.
  class alignas(64) Own {
   public:
    /// `bucket`: the current one or a later one.
    void Push(uint64_t bucket, VertexId v) {
      if (bucket - first_ < kOpen) {
        open_[bucket - first_].push_back(v);
      } else {
        later_.emplace_back(bucket, v);
      }
    }

   private:
    friend class Buckets;
    uint64_t first_ = 0;  ///< of the open ones
    std::vector<std::vector<VertexId>> open_{kOpen};
    std::vector<std::pair<uint64_t, VertexId>> later_;
  };

  /// For the threads of a parallel region that begins later.
  Buckets() : threads_(omp_get_max_threads()) {}

  Own& OfThread(int thread) { return threads_[thread]; }

  /// The bucket whose turn it is; at first the first.
  uint64_t current() const { return current_; }
  /// What waits in it of one thread. Valid until the next Push of that thread or Next.
  std::vector<VertexId>& Current(Own& own) const { return own.open_[current_ - own.first_]; }

  /// Takes what waits in it of all threads.
  std::vector<VertexId> TakeCurrent() {
    std::vector<VertexId> taken;
    for (Own& own : threads_) {
      std::vector<VertexId>& mine = Current(own);
      if (taken.empty()) {
        taken.swap(mine);
      } else {
        taken.insert(taken.end(), mine.begin(), mine.end());
        mine.clear();
      }
    }
    return taken;
  }

  /// Moves on to the first bucket, from the current one on, that is not empty; false if all are,
  /// and then none is current.
  bool Next() {
    do {
      for (const uint64_t end = threads_[0].first_ + kOpen; current_ < end; ++current_) {
        for (Own& own : threads_) {
          if (!Current(own).empty()) return true;
        }
      }
    } while (OpenLater());
    return false;
  }

 private:
  static constexpr uint64_t kOpen = 4096;

  /// Opens the range that begins with the first of the later buckets; false if nothing waits there.
  bool OpenLater() {
    uint64_t first = ~uint64_t{0};
    for (const Own& own : threads_) {
      for (const auto& [bucket, v] : own.later_) first = std::min(first, bucket);
    }
    if (first == ~uint64_t{0}) return false;
    current_ = first;
    for (Own& own : threads_) {
      own.first_ = first;
      for (const auto& [bucket, v] : std::exchange(own.later_, {})) own.Push(bucket, v);
    }
    return true;
  }

  uint64_t current_ = 0;
  std::vector<Own> threads_;
};

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUCKETS_H_

#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_BUCKETS_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_BUCKETS_H_

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/ids.h"

namespace fargraph {

/// Vertices that wait in numbered buckets for their turn, which comes in ascending order. Each
/// thread fills buckets of its own, without synchronisation; a vertex may wait in several. There
/// are only so many buckets at a time, from the current one on and below a horizon: who belongs
/// into a later one is left out, and the horizon stays below the first such bucket.
class Buckets {
 public:
  /// The buckets that there are at a time.
  static constexpr uint64_t kOpen = 4096;
  /// No bucket.
  static constexpr uint64_t kNone = ~uint64_t{0};

  /// The buckets of one thread.
  class alignas(64) Own {
   public:
    /// `bucket`: the current one or a later one.
    void Push(uint64_t bucket, VertexId v) {
      if (bucket >= horizon_) {
        left_out_ = std::min(left_out_, bucket);
        return;
      }
      waiting_ += bucket != current_;
      Append(v, open_[bucket % kOpen]);
    }

    /// How often vertices wait in later buckets than the current one.
    size_t waiting() const { return waiting_; }

   private:
    friend class Buckets;

    /// A bucket grows by a quarter, not by as much again: most of a search's memory is in buckets.
    static void Append(VertexId v, std::vector<VertexId>& bucket) {
      constexpr size_t kLeast = 16;
      if (bucket.size() == bucket.capacity()) {
        bucket.reserve(bucket.size() + std::max(kLeast, bucket.size() / 4));
      }
      bucket.push_back(v);
    }

    uint64_t current_ = kNone;  ///< until a first one has its turn, none
    uint64_t horizon_ = kOpen;
    uint64_t left_out_ = kNone;  ///< the first bucket of which somebody has been
    size_t waiting_ = 0;
    std::vector<std::vector<VertexId>> open_{kOpen};
  };

  /// From bucket 0 on, for the threads of a parallel region that begins later.
  Buckets() : threads_(omp_get_max_threads()) {}

  /// Empties all buckets, and gives back their memory. They begin at `first`, and somebody who
  /// belongs into bucket `left_out` is left out.
  void Open(uint64_t first, uint64_t left_out) {
    current_ = first;
    for (Own& own : threads_) {
      own = Own();
      own.left_out_ = left_out;
    }
    SetHorizon();
  }

  Own& OfThread(int thread) { return threads_[thread]; }

  /// The bucket whose turn it is; at first the first.
  uint64_t current() const { return current_; }
  /// What waits in it of one thread. Valid until the next Push of that thread or Next.
  std::vector<VertexId>& Current(Own& own) const { return own.open_[current_ % kOpen]; }

  /// How often vertices wait in later buckets.
  size_t waiting() const {
    size_t waiting = 0;
    for (const Own& own : threads_) waiting += own.waiting();
    return waiting;
  }

  /// The first bucket of which somebody has been left out; kNone if nobody has.
  uint64_t left_out() const {
    uint64_t first = kNone;
    for (const Own& own : threads_) first = std::min(first, own.left_out_);
    return first;
  }

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
  /// and then none is current until the next Open.
  bool Next() {
    while (CurrentIsEmpty()) {
      if (waiting() == 0) return false;
      Leave();
    }
    BeginTurn();
    return true;
  }

 private:
  bool CurrentIsEmpty() {
    return std::all_of(threads_.begin(), threads_.end(),
                       [this](Own& own) { return Current(own).empty(); });
  }

  void BeginTurn() {
    for (Own& own : threads_) {
      if (own.current_ == current_) continue;  // its turn goes on
      own.current_ = current_;
      own.waiting_ -= Current(own).size();
    }
    SetHorizon();
  }

  void SetHorizon() {
    const uint64_t horizon = std::min(current_ + kOpen, left_out());
    for (Own& own : threads_) own.horizon_ = horizon;
  }

  /// The turn of an empty bucket is over, and its memory is given back.
  void Leave() {
    for (Own& own : threads_) std::vector<VertexId>().swap(Current(own));
    ++current_;
  }

  uint64_t current_ = 0;
  std::vector<Own> threads_;
};

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_BUCKETS_H_

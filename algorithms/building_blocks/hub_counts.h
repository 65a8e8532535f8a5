#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_HUB_COUNTS_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_HUB_COUNTS_H_

#include <omp.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "compute_node/placement/edge_lists.h"
#include "compute_node/placement/segment.h"
#include "graph/ids.h"

namespace fargraph {

/// A count for each hub: one of the first vertices, which in degree order have most edges. Every
/// thread counts for itself, without atomics: so many edges lead to hubs that threads which count
/// together pass the cache lines of these few counts to and fro all the time.
class HubCounts {
 public:
  /// All are 0. No vertex is a hub where the first ones have few of the edges.
  explicit HubCounts(const EdgeLists& lists);

  /// What is held at most, for Kernel::Segments.
  static DataSegment Segment(uint64_t vertices);

  /// The vertices [0, end()) are hubs.
  VertexId end() const { return end_; }

  /// What the calling OpenMP thread counts, of end() hubs.
  int32_t* mine() { return of_threads_[omp_get_thread_num()].data(); }

  /// Calls take(v, count) for every hub that has been counted, with what all threads have counted,
  /// which is 0 again then. On all cores.
  template <typename Take>
  void TakeAll(Take&& take) {
#pragma omp parallel for schedule(static)
    for (VertexId begin = 0; begin < end_; begin += kBlock) {
      const std::array<int32_t, kBlock> sums = TakeBlock(begin);
      for (size_t i = 0; i < kBlock; ++i) {
        if (sums[i] != 0) take(static_cast<VertexId>(begin + i), sums[i]);
      }
    }
  }

 private:
  static constexpr VertexId kBlock = 64;
  static constexpr VertexId kMost = 16384;  ///< their counts fit into the cache of a core

  static VertexId WholeBlocks(uint64_t hubs) {
    return static_cast<VertexId>((hubs + kBlock - 1) / kBlock * kBlock);
  }

  std::array<int32_t, kBlock> TakeBlock(VertexId begin) {
    std::array<int32_t, kBlock> sums{};
    for (std::vector<int32_t>& counts : of_threads_) {
      for (size_t i = 0; i < kBlock; ++i) sums[i] += counts[begin + i];
      std::fill_n(counts.begin() + begin, kBlock, 0);
    }
    return sums;
  }

  VertexId end_;
  std::vector<std::vector<int32_t>> of_threads_;  ///< each of whole blocks
};

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_HUB_COUNTS_H_

#ifndef FARGRAPH_COMPUTE_NODE_LOADING_RING_SIZES_H_
#define FARGRAPH_COMPUTE_NODE_LOADING_RING_SIZES_H_

#include <cstdint>
#include <vector>

#include "compute_node/loading/list_loads.h"
#include "compute_node/tiers/link_sweep.h"

/// How large the rings of slots are that far chunks are read into. `block_bytes`: of the tier.
namespace fargraph {

/// A slot takes the edges of a chunk and, where the kernel reads them, their weights.
uint64_t SlotBytes(const std::vector<ListLoad>& loads, uint64_t chunk_bytes, uint64_t block_bytes);

/// Of one thread.
uint64_t RingBytes(const std::vector<ListLoad>& loads, const LinkTuning& tuning,
                   uint64_t block_bytes);

/// Of all threads, with what a decoder may read behind them. A device is told of every page that it
/// is to write to, so its rings are on whole huge pages. Measured: PageRank reads from an SSD 1.7
/// times as fast by chunks of 128 KiB as into pages of 4 KiB.
uint64_t RingsBytes(const std::vector<ListLoad>& loads, const LinkTuning& tuning,
                    uint64_t block_bytes);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_LOADING_RING_SIZES_H_

#include "compute_node/loading/ring_sizes.h"

#include <omp.h>

#include <algorithm>

#include "common/host/huge_pages.h"
#include "compute_node/pipeline/slot_packer.h"
#include "graph/codec/block_codec.h"

namespace fargraph {

uint64_t SlotBytes(const std::vector<ListLoad>& loads, uint64_t chunk_bytes, uint64_t block_bytes) {
  uint64_t weight_bytes = 0;
  for (const ListLoad& load : loads) weight_bytes = std::max(weight_bytes, load.weight_bytes);
  return SlotPacker::SlotBytes(chunk_bytes, chunk_bytes / sizeof(VertexId) * weight_bytes,
                               block_bytes);
}

uint64_t RingBytes(const std::vector<ListLoad>& loads, const LinkTuning& tuning,
                   uint64_t block_bytes) {
  return tuning.slots * SlotBytes(loads, tuning.chunk_bytes, block_bytes);
}

uint64_t RingsBytes(const std::vector<ListLoad>& loads, const LinkTuning& tuning,
                    uint64_t block_bytes) {
  const uint64_t bytes =
      omp_get_max_threads() * RingBytes(loads, tuning, block_bytes) + kCodeSlackBytes;
  const bool is_device = block_bytes > 1;
  return is_device ? (bytes + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes : bytes;
}

}  // namespace fargraph

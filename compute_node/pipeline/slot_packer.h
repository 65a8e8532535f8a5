#ifndef FARGRAPH_COMPUTE_NODE_PIPELINE_SLOT_PACKER_H_
#define FARGRAPH_COMPUTE_NODE_PIPELINE_SLOT_PACKER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "compute_node/pipeline/fetch_run.h"
#include "compute_node/placement/edge_lists.h"
#include "compute_node/tiers/tier.h"

namespace fargraph {

/// Packs runs of lists into a slot, one slot after the other: their edges (or codes) into its front
/// part, one behind the other, and their weights into the part behind it. It says where in the slot
/// they will be and what to read for that; nothing is read here.
///
/// From a tier with blocks whole blocks are read; a piece lies in them where its bytes do. None is
/// read twice for one slot: runs that share one are merged, or share it in the slot. A slot may
/// hold pieces from several tiers; each extent begins in it on a block of the largest kind. Of one
/// thread.
class SlotPacker {
 public:
  /// Of a slot for the edges of a chunk and, unless they are 0, their weights: room for the blocks
  /// in which they begin and end, too.
  static uint64_t SlotBytes(uint64_t edge_bytes, uint64_t weight_bytes, uint64_t block_bytes);

  /// Slots have `slot_bytes`, whole blocks of the queue that reads into them; it outlives the
  /// packer.
  SlotPacker(const TierQueue& queue, uint64_t slot_bytes);

  /// What slots from the next one on hold is of `lists`, which outlive them: as many elements of
  /// each array fit into its part.
  void DivideSlots(const EdgeLists& lists);
  /// Elements of the lists that fit into a slot, however they lie in the tier's blocks.
  uint64_t slot_elements() const { return slot_elements_; }

  /// Begins to fill an empty slot.
  void BeginSlot(std::byte* slot);
  /// True if a run of so many elements fits into what is left of the slot, wherever it lies.
  bool HasRoomFor(uint64_t elements) const;
  /// Takes the first `elements` of a run of a far chunk into the slot, which has room for them.
  /// Tells where they will be once what is read for the slot is here.
  EdgePiece Add(size_t chunk, const FetchRun& run, uint64_t elements);
  /// What is to be read for the slot.
  absl::Span<const Extent> extents() const { return extents_; }

 private:
  /// The part of the slot that takes an array: edges (or codes), or weights.
  struct Area {
    uint64_t begin = 0;     ///< in the slot
    uint64_t capacity = 0;  ///< bytes
    uint64_t filled = 0;    ///< whole blocks of the largest kind
    Extent* last = nullptr;
  };

  uint64_t RoundUp(uint64_t bytes) const { return WholeBlocks(0, bytes, block_bytes_).length; }
  std::byte* AddExtent(Area& area, uint64_t address, uint64_t length);

  const TierQueue& queue_;
  const uint64_t slot_bytes_;
  const uint64_t block_bytes_;
  const EdgeLists* lists_ = nullptr;
  uint64_t slot_elements_ = 0;
  std::byte* slot_ = nullptr;
  size_t pieces_ = 0;  ///< in the slot
  Area edges_;
  Area weights_;
  std::vector<Extent> extents_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PIPELINE_SLOT_PACKER_H_

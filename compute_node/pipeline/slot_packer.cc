#include "compute_node/pipeline/slot_packer.h"

#include <algorithm>

namespace fargraph {
namespace {

constexpr size_t kMostPieces = 128;  // of a slot: more at once save nothing

/// What whole blocks may have beside a piece: it begins with the last byte of a block, and ends
/// with the first of another.
constexpr uint64_t MostRounding(uint64_t block_bytes) { return 2 * (block_bytes - 1); }

}  // namespace

uint64_t SlotPacker::SlotBytes(uint64_t edge_bytes, uint64_t weight_bytes, uint64_t block_bytes) {
  const auto area_bytes = [block_bytes](uint64_t bytes) {
    return bytes == 0 ? 0 : WholeBlocks(0, bytes + MostRounding(block_bytes), block_bytes).length;
  };
  return area_bytes(edge_bytes) + area_bytes(weight_bytes);
}

SlotPacker::SlotPacker(const TierQueue& queue, uint64_t slot_bytes)
    : queue_(queue), slot_bytes_(slot_bytes), block_bytes_(queue.block_bytes()) {
  extents_.reserve(2 * kMostPieces);  // of edges and of weights
}

void SlotPacker::DivideSlots(const EdgeLists& lists) {
  lists_ = &lists;
  const uint64_t edge_bytes = lists.chunks().edge_bytes();
  const uint64_t rounding = (lists.has_weights() ? 2 : 1) * MostRounding(block_bytes_);
  slot_elements_ = (slot_bytes_ - rounding) / lists.bytes_per_element();
  edges_ = {.capacity = slot_elements_ * edge_bytes + MostRounding(block_bytes_)};
  weights_ = {.begin = edges_.capacity - edges_.capacity % block_bytes_,
              .capacity = slot_elements_ * lists.weight_bytes() + MostRounding(block_bytes_)};
}

void SlotPacker::BeginSlot(std::byte* slot) {
  slot_ = slot;
  pieces_ = 0;
  extents_.clear();
  for (Area* area : {&edges_, &weights_}) {
    area->filled = 0;
    area->last = nullptr;
  }
}

bool SlotPacker::HasRoomFor(uint64_t elements) const {
  const auto has_room = [&](const Area& area, uint64_t element_bytes) {
    return area.filled + elements * element_bytes + MostRounding(block_bytes_) <= area.capacity;
  };
  return pieces_ < kMostPieces && has_room(edges_, lists_->chunks().edge_bytes()) &&
         (!lists_->has_weights() || has_room(weights_, lists_->weight_bytes()));
}

EdgePiece SlotPacker::Add(size_t chunk, const FetchRun& run, uint64_t elements) {
  const uint64_t edge_bytes = lists_->chunks().edge_bytes();
  const uint64_t weight_bytes = lists_->weight_bytes();
  const uint64_t within = run.range.begin - lists_->chunks().FirstEdge(chunk);
  const std::byte* image = AddExtent(edges_, lists_->Place(chunk).far_address + within * edge_bytes,
                                     elements * edge_bytes);
  const std::byte* weight_image =
      lists_->has_weights()
          ? AddExtent(weights_, lists_->WeightPlace(chunk).far_address + within * weight_bytes,
                      elements * weight_bytes)
          : nullptr;
  ++pieces_;
  return {.chunk = chunk,
          .first_vertex = run.first_vertex,
          .end_vertex = run.end_vertex,
          .begin = run.range.begin,
          .end = run.range.begin + elements,
          .elements = image,
          .weights = weight_image};
}

/// Takes bytes of the tier into the slot; returns where they will be.
std::byte* SlotPacker::AddExtent(Area& area, uint64_t address, uint64_t length) {
  Extent blocks = WholeBlocks(address, length, queue_.BlockBytesAt(address));
  Extent* const last = area.last;
  const bool joins = last != nullptr && last->address <= blocks.address &&
                     blocks.address <= last->address + last->length;
  if (joins) {
    const uint64_t end = std::max(last->address + last->length, blocks.address + blocks.length);
    area.filled -= RoundUp(last->length);
    last->length = end - last->address;
    area.filled += RoundUp(last->length);
  } else {
    blocks.destination = slot_ + area.begin + area.filled;
    area.filled += RoundUp(blocks.length);
    extents_.push_back(blocks);  // never beyond what was reserved
    area.last = &extents_.back();
  }
  return area.last->destination + (address - area.last->address);
}

}  // namespace fargraph

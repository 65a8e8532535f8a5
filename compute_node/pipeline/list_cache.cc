#include "compute_node/pipeline/list_cache.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <utility>

#include "absl/time/clock.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

uint64_t Blocks(uint64_t edges) { return edges / ListCache::kEdgesPerBlock + 1; }

uint64_t SlotBytes(uint64_t weight_bytes) {
  return ListCache::kSlotEdges * (sizeof(VertexId) + weight_bytes);
}

}  // namespace

uint64_t ListCache::SlotsBytes(uint64_t slots, uint64_t weight_bytes) {
  return slots * SlotBytes(weight_bytes) + kListSlackBytes;
}

uint64_t ListCache::Bytes(uint64_t slots, uint64_t edges, uint64_t weight_bytes) {
  return SlotsBytes(slots, weight_bytes) + slots * kBookkeepingBytes +
         Blocks(edges) * sizeof(uint32_t);
}

uint64_t ListCache::SlotsWithin(uint64_t bytes, uint64_t edges, uint64_t weight_bytes) {
  const uint64_t of_none = Bytes(0, edges, weight_bytes);
  return bytes < of_none ? 0 : (bytes - of_none) / (SlotBytes(weight_bytes) + kBookkeepingBytes);
}

ListCache::ListCache(const EdgeLists& lists, std::unique_ptr<TierQueue> queue,
                     absl::Span<std::byte> memory)
    : lists_(lists),
      queue_(std::move(queue)),
      edges_(reinterpret_cast<VertexId*>(memory.data())),
      slot_of_(Blocks(lists.edges()), kUnknown),
      slots_((memory.size() - kListSlackBytes) / SlotBytes(lists.weight_bytes())),
      used_in_(slots_.size()) {
  assert(queue_->block_bytes() == 1 && !lists.compressed());
  if (lists.has_weights()) weights_ = memory.data() + slots_.size() * kSlotEdges * sizeof(VertexId);
  FindLocalBlocks();
}

void ListCache::FindLocalBlocks() {
  const ChunkTable& chunks = lists_.chunks();
  for (size_t chunk = 0; chunk < chunks.size(); ++chunk) {
    const EdgeOffset begin = chunks.FirstEdge(chunk);
    while (chunk < chunks.size() && lists_.Place(chunk).local != nullptr) ++chunk;
    const EdgeOffset end = chunks.FirstEdge(chunk);
    const uint64_t first = (begin + kEdgesPerBlock - 1) / kEdgesPerBlock;
    const uint64_t last = end == lists_.edges() ? slot_of_.size() : end / kEdgesPerBlock;
    if (begin < end && first < last)
      std::fill(slot_of_.begin() + first, slot_of_.begin() + last, kLocal);
    if (chunk == chunks.size()) break;
  }
}

absl::StatusOr<bool> ListCache::BeginWalk(size_t lists) {
  FARGRAPH_RETURN_IF_ERROR(Await());  // the error of an earlier walk; nothing else is under way
  asks_for_few_ = lists <= kFew;
  if (walks_to_rest_ == 0) WeighUse();
  if (walks_to_rest_ > 0) {
    --walks_to_rest_;
    if (!asks_for_few_) return false;
  }
  ++walk_;
  extents_.clear();
  return true;
}

/// Whether enough of what was asked for of late was here.
void ListCache::WeighUse() {
  constexpr uint64_t kOfLate = 4096;
  constexpr uint32_t kRest = 256;
  if (asked_ < kOfLate) return;
  if (2 * found_ < asked_) walks_to_rest_ = kRest;
  asked_ /= 2;
  found_ /= 2;
}

ListCache::Answer ListCache::Ask(VertexId v) {
  const Answer answer = AskForBlock(v);
  ++asked_;
  if (answer == Answer::kHere) ++found_;
  return answer;
}

ListCache::Answer ListCache::AskForBlock(VertexId v) {
  const EdgeOffset begin = lists_.Begin(v);
  const uint64_t block = begin / kEdgesPerBlock;
  uint32_t& state = slot_of_[block];
  if (state == kLocal) return Answer::kHere;
  if (begin % kEdgesPerBlock + lists_.Degree(v) > kSlotEdges) return Answer::kNo;
  if (state < kFirstState) {
    used_in_[state] = walk_;
    return slots_[state].read_in == walk_ ? Answer::kArriving : Answer::kHere;
  }
  if (std::exchange(state, kAskedFor) == kUnknown && !BringsAtOnce()) return Answer::kNo;
  if (!Bring(block, lists_.chunks().Find(v))) return Answer::kNo;
  stats_.bytes_useful += lists_.Degree(v) * lists_.bytes_per_element();
  return Answer::kArriving;
}

void ListCache::AskAhead(absl::Span<const VertexId> vertices) {
  if (extents_.empty() || !BringsAtOnce()) return;
  constexpr size_t kMost = 16;
  size_t brought = 0;
  for (const VertexId v : vertices) {
    const uint64_t block = lists_.Begin(v) / kEdgesPerBlock;
    const uint32_t state = slot_of_[block];
    if (state < kFirstState) {
      used_in_[state] = walk_;
    } else if (state != kLocal && lists_.Degree(v) > 0) {
      if (brought++ == kMost || !Bring(block, lists_.chunks().Find(v))) return;
    }
  }
}

/// Has a block that shares edges with a chunk on its way; false if there is no room.
bool ListCache::Bring(uint64_t block, size_t chunk) {
  const std::optional<uint32_t> slot = FreeSlot();
  if (!slot) return false;
  slots_[*slot] = {.block = block, .read_in = walk_};
  used_in_[*slot] = walk_;
  slot_of_[block] = *slot;
  Read(block, chunk, uint64_t{*slot} * kSlotEdges);
  return true;
}

/// One that no recent walk has used, if it is soon found.
std::optional<uint32_t> ListCache::FreeSlot() {
  constexpr size_t kMostLooks = 8;
  for (size_t looks = std::min(kMostLooks, slots_.size()); looks > 0; --looks) {
    const uint32_t slot = next_slot_;
    if (++next_slot_ == slots_.size()) next_slot_ = 0;
    if (walk_ - used_in_[slot] < kRecentWalks) continue;
    if (slots_[slot].block != kNoBlock) slot_of_[slots_[slot].block] = kAskedFor;
    return slot;
  }
  return std::nullopt;
}

/// Brings a block, and the edges behind it, to edge `to` of the slots. `chunk`: one that it shares
/// edges with.
void ListCache::Read(uint64_t block, size_t chunk, uint64_t to) {
  const ChunkTable& chunks = lists_.chunks();
  EdgeOffset begin = block * kEdgesPerBlock;
  const EdgeOffset end = std::min(begin + kSlotEdges, lists_.edges());
  while (chunks.FirstEdge(chunk) > begin) --chunk;
  for (; begin < end; ++chunk) {
    const EdgeOffset part_end = std::min(end, chunks.FirstEdge(chunk + 1));
    if (begin < part_end) ReadPart(chunk, begin, part_end, to);
    to += part_end - begin;
    begin = part_end;
  }
  ReadPattern read;
  read.AddLists(/*between=*/{}, kSlotEdges * chunks.edge_bytes());
  stats_.pattern.AddChunk(read, /*chunk_bytes=*/~uint64_t{0} / 2);
}

void ListCache::ReadPart(size_t chunk, EdgeOffset begin, EdgeOffset end, uint64_t to) {
  const auto read = [&](const ChunkPlace& place, uint64_t element_bytes, std::byte* slots) {
    const uint64_t within = (begin - lists_.chunks().FirstEdge(chunk)) * element_bytes;
    const uint64_t bytes = (end - begin) * element_bytes;
    std::byte* const destination = slots + to * element_bytes;
    if (place.local != nullptr) {
      std::memcpy(destination, place.local + within, bytes);
    } else {
      extents_.push_back(
          {.address = place.far_address + within, .length = bytes, .destination = destination});
    }
  };
  read(lists_.Place(chunk), sizeof(VertexId), reinterpret_cast<std::byte*>(edges_));
  if (weights_ != nullptr) read(lists_.WeightPlace(chunk), lists_.weight_bytes(), weights_);
}

absl::Status ListCache::Send() {
  if (extents_.empty()) return absl::OkStatus();
  const absl::MutexLock lock(&mutex_);
  std::array<uint32_t, 1> arrived;
  status_.Update(queue_->Submit(extents_, /*tag=*/0));
  if (status_.ok()) status_ = queue_->Poll(absl::MakeSpan(arrived)).status();
  return status_;  // for Await too: nothing need come any more
}

absl::Status ListCache::Await() {
  absl::MutexLock lock(&mutex_);
  std::array<uint32_t, 1> arrived;
  while (status_.ok() && queue_->in_flight() > 0) {
    status_ = queue_->Poll(absl::MakeSpan(arrived)).status();
    if (!status_.ok() || queue_->in_flight() == 0) break;
    const absl::Time begin = absl::Now();
    queue_->Wait(kLongestWait);
    stats_.stall_seconds += absl::ToDoubleSeconds(absl::Now() - begin);
  }
  return status_;
}

StreamStats ListCache::stats() const {
  StreamStats stats = stats_;
  const TierTraffic traffic = queue_->traffic();
  stats.bytes_fetched = traffic.bytes;
  stats.requests = traffic.requests;
  return stats;
}

}  // namespace fargraph

#include "compute_node/pipeline/chunk_cache.h"

#include <algorithm>
#include <utility>

namespace fargraph {

uint64_t ChunkCache::FramesWithin(uint64_t bytes, uint64_t frame_bytes, size_t chunks) {
  const uint64_t of_chunks = chunks * (sizeof(uint32_t) + sizeof(uint64_t) + sizeof(size_t));
  if (bytes < of_chunks) return 0;
  return std::min<uint64_t>((bytes - of_chunks) / (frame_bytes + sizeof(Frame)), chunks);
}

ChunkCache::ChunkCache(const EdgeLists& lists, absl::Span<std::byte> memory, uint64_t frame_bytes)
    : lists_(lists),
      memory_(memory.data()),
      frame_bytes_(frame_bytes),
      frames_(memory.size() / frame_bytes),
      frame_of_(lists.chunks().size(), kNoFrame),
      paid_(lists.chunks().size()) {}

void ChunkCache::ListChunks() {
  absl::MutexLock lock(&mutex_);
  if (!std::exchange(has_changed_, false)) return;
  at_hand_ = lists_.local_chunks();
  elsewhere_.clear();
  for (const size_t chunk : lists_.far_chunks()) {
    (frame_of_[chunk] == kNoFrame ? elsewhere_ : at_hand_).push_back(chunk);
  }
}

bool ChunkCache::Use(size_t chunk) {
  const uint32_t frame = frame_of_[chunk];
  if (frame == kNoFrame) return false;
  frames_[frame].used_in = walk_;
  return true;
}

// Not inline: within what gathers values, where hardly anybody asks, it costs PageRank on a road
// network 8%.
bool ChunkCache::Has(size_t chunk) const { return frame_of_[chunk] != kNoFrame; }

EdgePiece ChunkCache::Piece(size_t chunk) const {
  const Frame& frame = frames_[frame_of_[chunk]];
  return WholeChunk(lists_, chunk, frame.elements, frame.weights);
}

std::optional<uint32_t> ChunkCache::Claim(size_t chunk, uint64_t elements) {
  const ChunkTable& chunks = lists_.chunks();
  absl::MutexLock lock(&mutex_);
  paid_[chunk] += elements;
  if (paid_[chunk] < chunks.FirstEdge(chunk + 1) - chunks.FirstEdge(chunk)) return std::nullopt;
  const std::optional<uint32_t> frame = FreeFrame();
  if (frame) frames_[*frame] = {.chunk = chunk, .used_in = walk_};
  return frame;
}

/// One that has no chunk, or one that no recent walk has used, which then has to pay again.
std::optional<uint32_t> ChunkCache::FreeFrame() {
  if (none_free_in_ == walk_) return std::nullopt;
  for (size_t looks = frames_.size(); looks > 0; --looks) {
    const uint32_t number = next_frame_;
    if (++next_frame_ == frames_.size()) next_frame_ = 0;
    const Frame& frame = frames_[number];
    if (frame.chunk == kNoChunk) {
      ++claimed_;
      return number;
    }
    if (frame.elements == nullptr || walk_ - frame.used_in < kRecentWalks) continue;
    frame_of_[frame.chunk] = kNoFrame;
    paid_[frame.chunk] = 0;
    has_changed_ = true;
    return number;
  }
  none_free_in_ = walk_;
  return std::nullopt;
}

void ChunkCache::Keep(uint32_t frame, const std::byte* elements, const std::byte* weights) {
  absl::MutexLock lock(&mutex_);
  frames_[frame].elements = elements;
  frames_[frame].weights = weights;
  frame_of_[frames_[frame].chunk] = frame;
  has_changed_ = true;
}

bool ChunkCache::full() const {
  absl::MutexLock lock(&mutex_);
  return claimed_ == frames_.size();
}

}  // namespace fargraph

#ifndef FARGRAPH_COMPUTE_NODE_PIPELINE_CHUNK_CACHE_H_
#define FARGRAPH_COMPUTE_NODE_PIPELINE_CHUNK_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "compute_node/placement/edge_lists.h"

namespace fargraph {

/// Whole far chunks, kept in frames of local memory for walks that come back to them.
///
/// Walks over some of the vertices read of a chunk the lists that they ask for, the next walk
/// others of it: together many times its bytes. So a chunk is read as a whole, and kept, once what
/// was read of it, each request counted as a break-even gap, has cost as much as that (ski rental):
/// what nobody comes back to costs at most twice as much. It takes the frame of one that no recent
/// walk has used. Where walks use more chunks than there are frames a part of them stays, and the
/// rest is read in the other way.
///
/// BeginWalk, Use and ListChunks are for whoever begins a walk, while nothing of another one is
/// under way; the rest for any thread of the walk.
class ChunkCache {
 public:
  /// So many frames of `frame_bytes` take at most `bytes`, with what is known of `chunks` chunks.
  static uint64_t FramesWithin(uint64_t bytes, uint64_t frame_bytes, size_t chunks);

  /// `memory`: frames that are laid out as the slots of the lists' streams are, and memory of their
  /// queues. Both outlive the cache.
  ChunkCache(const EdgeLists& lists, absl::Span<std::byte> memory, uint64_t frame_bytes);

  /// Chunks that the last walk has used, and no other one of late, may go from now on.
  void BeginWalk() { ++walk_; }
  /// True if the far chunk is here, where it then stays while this walk is under way.
  bool Use(size_t chunk);
  /// All chunks that hold edges, as they are now: local ones and those that are here, and the rest,
  /// in the order of EdgeLists::far_chunks.
  void ListChunks();
  /// What that has found.
  const std::vector<size_t>& at_hand() const { return at_hand_; }
  const std::vector<size_t>& elsewhere() const { return elsewhere_; }

  /// The same, whoever asks, of a walk that keeps no chunks.
  bool Has(size_t chunk) const;
  /// A chunk that is here.
  EdgePiece Piece(size_t chunk) const;

  /// A walk would read of a chunk that is not here as many bytes and requests as `elements` of it
  /// cost. The frame into which it is to read all of the chunk, if it had better do that.
  std::optional<uint32_t> Claim(size_t chunk, uint64_t elements);
  std::byte* memory(uint32_t frame) const { return memory_ + frame * frame_bytes_; }
  /// The chunk of a claimed frame is here: where in it its elements begin, and their weights.
  void Keep(uint32_t frame, const std::byte* elements, const std::byte* weights);
  /// True if every frame is claimed.
  bool full() const;

 private:
  struct Frame {
    size_t chunk = kNoChunk;
    uint64_t used_in = 0;                 ///< the last walk that has
    const std::byte* elements = nullptr;  ///< nullptr until they are here
    const std::byte* weights = nullptr;
  };
  static constexpr size_t kNoChunk = ~size_t{0};
  static constexpr uint32_t kNoFrame = ~uint32_t{0};
  /// So many walks a chunk stays that is not used.
  static constexpr uint64_t kRecentWalks = 4;

  std::optional<uint32_t> FreeFrame() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const EdgeLists& lists_;
  std::byte* const memory_;
  const uint64_t frame_bytes_;
  std::vector<Frame> frames_;
  std::vector<uint32_t> frame_of_;  ///< by chunk; kNoFrame: it is not here
  std::vector<size_t> at_hand_;
  std::vector<size_t> elsewhere_;
  uint64_t walk_ = kRecentWalks;
  mutable absl::Mutex mutex_;
  std::vector<uint64_t> paid_ ABSL_GUARDED_BY(mutex_);  ///< by chunk: what reading has cost
  size_t claimed_ ABSL_GUARDED_BY(mutex_) = 0;          ///< frames
  uint32_t next_frame_ ABSL_GUARDED_BY(mutex_) = 0;     ///< to be looked at for a free one
  uint64_t none_free_in_ ABSL_GUARDED_BY(mutex_) = 0;   ///< the last walk that has found none
  bool has_changed_ ABSL_GUARDED_BY(mutex_) = true;     ///< since chunks were listed
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PIPELINE_CHUNK_CACHE_H_

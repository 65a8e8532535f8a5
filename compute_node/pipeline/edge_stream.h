#ifndef FARGRAPH_COMPUTE_NODE_PIPELINE_EDGE_STREAM_H_
#define FARGRAPH_COMPUTE_NODE_PIPELINE_EDGE_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compute_node/pipeline/planner.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "compute_node/placement/edge_lists.h"
#include "compute_node/tiers/tier.h"

namespace fargraph {

/// What a stream has done since it was made.
struct StreamStats {
  uint64_t bytes_fetched = 0;
  uint64_t bytes_useful = 0;  ///< of those, bytes of lists that somebody asked for
  uint64_t requests = 0;
  double stall_seconds = 0;  ///< time in which the thread had nothing to compute on

  StreamStats& operator+=(const StreamStats& other);
  StreamStats operator-(const StreamStats& earlier) const;
};

/// One thread's way from far chunks to pieces in local memory: plans what to fetch, keeps a ring of
/// registered slots in flight, and hands the pieces out in the order in which they were started.
/// While one piece is computed on, the others are under way, towards the end of a full scan those
/// of the next one. Each slot is the image of one piece: an extent lands at its own place in it, so
/// lists need no translation; weights lie behind the edges. With a single slot nothing is under way
/// while anything is computed on: Front waits for the piece.
class EdgeStream {
 public:
  /// `ring`: registered memory of `queue`, cut into slots of `slot_bytes`; both outlive the stream.
  EdgeStream(std::unique_ptr<TierQueue> queue, absl::Span<std::byte> ring, uint64_t slot_bytes,
             const RequestShape& shape);

  /// Sets what Start refers to: chunks of `lists`, and of these the lists of the vertices in
  /// `active` (all if nullptr), without the first `skip` neighbours of each (0 for all vertices).
  /// Both outlive the scan. Only while idle.
  ///
  /// What was started ahead becomes part of this scan if it `continues` the last one, which was
  /// full too and of the same lists: returns how many chunks. Else waits for it and drops it.
  absl::StatusOr<size_t> BeginScan(const EdgeLists& lists, const VertexSubset* active,
                                   EdgeOffset skip, bool continues);

  /// True if another chunk may be started.
  bool HasRoom() const { return rest_begin_ == rest_end_ && started_ - finished_ < slots_.size(); }
  /// Starts fetching a far chunk. Its pieces follow those of the chunks before.
  absl::Status Start(size_t chunk);

  /// True if a chunk of the next scan may be started; never with a single slot.
  bool HasRoomAhead() const { return slots_.size() > 1 && HasRoom(); }
  /// Starts fetching a far chunk for the next scan, which will probably be full, as this one is.
  /// Nothing more can be started for this one.
  absl::Status StartAhead(size_t chunk);

  /// Nothing started for this scan that was not popped.
  bool idle() const {
    return finished_ == scan_end_ && (ahead_chunks_ > 0 || rest_begin_ == rest_end_);
  }

  /// The oldest piece if it has arrived, else nullptr. Valid until Pop.
  absl::StatusOr<const EdgePiece*> Front();
  /// Done with the front piece. `want_rest`: false gives up the rest of its chunk, of which no more
  /// is delivered.
  absl::Status Pop(bool want_rest);

  /// Sleeps until the front piece may have arrived. Counts as stall.
  void Wait();

  StreamStats stats() const;

 private:
  struct Slot {
    EdgePiece piece;
    bool arrived = false;
    bool unwanted = false;
  };

  Slot& SlotAt(uint64_t position) { return slots_[position % slots_.size()]; }
  absl::Status StartChunk(size_t chunk);
  absl::Status StartPieces();
  absl::Status StartPiece(EdgeOffset begin, EdgeOffset end);
  absl::Span<const ByteRange> PlanPiece(const EdgePiece& piece);
  void AddExtents(absl::Span<const ByteRange> edge_ranges, uint64_t element_bytes, uint64_t address,
                  std::byte* image);
  absl::Status Reap();
  absl::Status AwaitAll();
  absl::Status DropAhead();

  std::unique_ptr<TierQueue> queue_;
  std::byte* const ring_;
  const uint64_t slot_bytes_;
  Planner planner_;
  std::vector<Slot> slots_;
  std::vector<Extent> extents_;
  std::vector<uint32_t> arrived_tags_;

  const EdgeLists* lists_ = nullptr;
  const VertexSubset* active_ = nullptr;
  EdgeOffset skip_ = 0;
  // Slots [finished_, started_), modulo their number, are in use, those from scan_end_ by what was
  // started ahead. Of the newest chunk the edges [rest_begin_, rest_end_) wait for a slot.
  uint64_t started_ = 0;
  uint64_t finished_ = 0;
  uint64_t scan_end_ = 0;
  size_t ahead_chunks_ = 0;  ///< started for the next scan
  uint64_t ahead_bytes_ = 0;
  size_t rest_chunk_ = 0;
  EdgeOffset rest_begin_ = 0;
  EdgeOffset rest_end_ = 0;

  const TierTraffic traffic_before_;  ///< the queue's, when the stream was made
  uint64_t bytes_useful_ = 0;
  double stall_seconds_ = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PIPELINE_EDGE_STREAM_H_

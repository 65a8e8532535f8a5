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
/// While one piece is computed on, the others are under way. Each slot is the image of one piece:
/// an extent lands at its own place in it, so lists need no translation; weights lie behind the
/// edges.
class EdgeStream {
 public:
  /// `ring`: registered memory of `queue`, cut into slots of `slot_bytes`; both outlive the stream.
  EdgeStream(std::unique_ptr<TierQueue> queue, absl::Span<std::byte> ring, uint64_t slot_bytes,
             const RequestShape& shape);

  /// Sets what Start refers to: chunks of `lists`, and of these the lists of the vertices in
  /// `active` (all if nullptr), without the first `skip` neighbours of each (0 for all vertices).
  /// Only while idle. Both outlive the scan.
  void BeginScan(const EdgeLists& lists, const VertexSubset* active, EdgeOffset skip);

  /// True if another chunk may be started.
  bool HasRoom() const { return rest_begin_ == rest_end_ && started_ - finished_ < slots_.size(); }
  /// Starts fetching a far chunk. Its pieces follow those of the chunks before.
  absl::Status Start(size_t chunk);

  /// Nothing started that was not popped.
  bool idle() const { return started_ == finished_ && rest_begin_ == rest_end_; }

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
  absl::Status StartPieces();
  absl::Status StartPiece(EdgeOffset begin, EdgeOffset end);
  absl::Span<const ByteRange> PlanPiece(const EdgePiece& piece);
  void AddExtents(absl::Span<const ByteRange> edge_ranges, uint64_t element_bytes, uint64_t address,
                  std::byte* image);
  absl::Status Reap();

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
  // Slots [finished_, started_), modulo their number, are in use. Of the newest chunk the edges
  // [rest_begin_, rest_end_) wait for a slot.
  uint64_t started_ = 0;
  uint64_t finished_ = 0;
  size_t rest_chunk_ = 0;
  EdgeOffset rest_begin_ = 0;
  EdgeOffset rest_end_ = 0;

  const TierTraffic traffic_before_;  ///< the queue's, when the stream was made
  uint64_t bytes_useful_ = 0;
  double stall_seconds_ = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PIPELINE_EDGE_STREAM_H_

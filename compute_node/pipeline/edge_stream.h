#ifndef FARGRAPH_COMPUTE_NODE_PIPELINE_EDGE_STREAM_H_
#define FARGRAPH_COMPUTE_NODE_PIPELINE_EDGE_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compute_node/pipeline/chunk_cache.h"
#include "compute_node/pipeline/chunk_planner.h"
#include "compute_node/pipeline/fetch_run.h"
#include "compute_node/pipeline/slot_packer.h"
#include "compute_node/pipeline/stream_stats.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "compute_node/placement/edge_lists.h"
#include "compute_node/tiers/far_space.h"
#include "compute_node/tiers/tier.h"

namespace fargraph {

/// One thread's way from far chunks to pieces in local memory: plans what to fetch, keeps a ring of
/// registered slots in flight, and hands their pieces out in the order in which they were started.
/// While one slot is computed on, the others are under way, towards the end of a full scan those
/// of the next one. A slot of a full scan holds a chunk; else it holds what is needed of as many
/// chunks as it has room for, packed (SlotPacker), so that few round trips bring it: a piece for
/// each run of the plan. A device may end all reads at once, so of its slots half are in flight at
/// most, for as many others to be asked for then. With a single slot nothing is under way while
/// anything is computed on: Front waits for it.
class EdgeStream {
 public:
  /// `ring`: registered memory of `queue`, cut into slots of `slot_bytes`; outlives the stream.
  /// Both sizes are whole blocks of the queue.
  EdgeStream(std::unique_ptr<TierQueue> queue, absl::Span<std::byte> ring, uint64_t slot_bytes,
             const FarGaps& gaps);

  /// Sets what Start refers to: chunks of `lists`, and of these the lists of the vertices in
  /// `active` (all if nullptr), without the first `skip` neighbours of each (0 for all vertices).
  /// Both outlive the scan. Only while idle. Once the tier has failed, its error.
  ///
  /// What was started ahead becomes part of this scan if it `continues` the last one, which was
  /// full too and of the same lists. Else waits for it and drops it.
  ///
  /// `cache`: unless it is nullptr chunks that it has frames for are read into these as a whole,
  /// each alone in its slot, of which it takes the place.
  absl::Status BeginScan(const EdgeLists& lists, const VertexSubset* active, EdgeOffset skip,
                         bool continues, ChunkCache* cache);

  /// True of a list that is longer than a slot: it is alone in its chunk, comes in pieces, and is
  /// kept in no cache.
  bool IsLongList(size_t chunk) const;

  /// True if another chunk may be started.
  bool HasRoom() const { return next_run_ == runs_.size() && (is_filling_ || HasFreeSlot()); }
  /// Starts fetching a far chunk. Its pieces follow those of the chunks before.
  absl::Status Start(size_t chunk);
  /// What was started is on its way, also if there would be room for more in the slot.
  absl::Status Send();

  /// True if a chunk of the next scan may be started; never with a single slot.
  bool HasRoomAhead() const { return slots_.size() > 1 && HasRoom(); }
  /// Starts fetching a far chunk for the next scan, which will probably be full, as this one is.
  /// Nothing more can be started for this one.
  absl::Status StartAhead(size_t chunk);

  /// Nothing started for this scan that was not popped.
  bool idle() const {
    return finished_ == scan_end_ && (ahead_chunks_ > 0 || next_run_ == runs_.size());
  }

  /// The pieces of the oldest slot if it has arrived, else none. Valid until Pop.
  absl::StatusOr<absl::Span<const EdgePiece>> Front();
  /// Done with them. `want_rest`: false gives up the rest of the last one's list, of which no more
  /// is delivered.
  absl::Status Pop(bool want_rest);

  /// Sleeps until the front slot may have arrived. Counts as stall. An error means that the tier
  /// has failed.
  absl::Status Wait();

  StreamStats stats() const;

 private:
  struct Slot {
    std::vector<EdgePiece> pieces;
    bool arrived = false;
    std::optional<uint32_t> frame;  ///< of the cache, in which they are
  };

  static constexpr size_t kNoChunk = ~size_t{0};

  size_t TagOf(uint64_t position) const { return position % slots_.size(); }
  Slot& SlotAt(uint64_t position) { return slots_[TagOf(position)]; }
  Slot& filling() { return SlotAt(started_ - 1); }
  bool HasFreeSlot() const {
    return started_ - finished_ < slots_.size() && queue_->in_flight() < most_in_flight_;
  }
  absl::Status StartChunk(size_t chunk);
  void ClaimFrame(size_t chunk);
  absl::Status StartRuns();
  void BeginSlot();
  void AddPiece(FetchRun& run, uint64_t elements);
  absl::Status Reap();
  absl::Status Remember(absl::Status status);
  absl::Status AwaitAll();
  absl::Status DropAhead();

  std::unique_ptr<TierQueue> queue_;
  std::byte* const ring_;
  const uint64_t slot_bytes_;
  ChunkPlanner planner_;
  SlotPacker packer_;  ///< of the newest slot
  std::vector<Slot> slots_;
  const size_t most_in_flight_;  ///< slots
  std::vector<uint32_t> arrived_tags_;

  const EdgeLists* lists_ = nullptr;
  ChunkCache* cache_ = nullptr;  ///< of them; perhaps none
  // Slots [finished_, started_), modulo their number, are in use, those from scan_end_ by what was
  // started ahead. The last one may have room left.
  uint64_t started_ = 0;
  uint64_t finished_ = 0;
  uint64_t scan_end_ = 0;
  size_t ahead_chunks_ = 0;  ///< started for the next scan
  uint64_t ahead_bytes_ = 0;
  bool is_filling_ = false;
  // What is fetched of the newest chunk; that from next_run_ waits for a slot.
  size_t chunk_ = kNoChunk;
  std::vector<FetchRun> runs_;
  size_t next_run_ = 0;
  std::optional<uint32_t> frame_;     ///< of the cache, for all of the chunk
  size_t unwanted_chunk_ = kNoChunk;  ///< of whose list somebody has seen enough

  absl::Status failure_;              ///< of the tier, from which nothing more comes
  const TierTraffic traffic_before_;  ///< the queue's, when the stream was made
  uint64_t bytes_useful_ = 0;
  double stall_seconds_ = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PIPELINE_EDGE_STREAM_H_

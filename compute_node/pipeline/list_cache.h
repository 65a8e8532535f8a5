#ifndef FARGRAPH_COMPUTE_NODE_PIPELINE_LIST_CACHE_H_
#define FARGRAPH_COMPUTE_NODE_PIPELINE_LIST_CACHE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "compute_node/pipeline/stream_stats.h"
#include "compute_node/placement/edge_lists.h"
#include "compute_node/tiers/tier.h"
#include "graph/ids.h"

namespace fargraph {

/// What walks over few vertices have read of far lists, kept for those that follow. A search on a
/// road network takes hundreds of small steps, and neighbours in the network have mostly numbers
/// close to each other: what a step reads lies beside what the last ones have read.
///
/// The array of lists is seen in blocks of kEdgesPerBlock. A list that begins in a block which is
/// here is here as a whole, unless it is long. A block is brought here when a list of it is asked
/// for a second time, so that what never comes back costs at most twice as much (ski rental); while
/// most of what is asked for is here, or only few lists are, the first time: these cost a round
/// trip, whether they come with all that lies around them or not. One that a recent walk has used
/// stays: where walks use more than there is room for, the rest is read in the other way.
///
/// Where a thread may change what is here, no other one may call anything: BeginWalk, Ask and Send
/// are for whoever begins a walk.
class ListCache {
 public:
  static constexpr EdgeOffset kEdgesPerBlock = 1024;
  /// A slot holds a block and so many edges behind it.
  static constexpr EdgeOffset kEdgesBehind = 32;
  static constexpr EdgeOffset kSlotEdges = kEdgesPerBlock + kEdgesBehind;

  /// Of `slots` slots: registered memory, and all of it, with what is known of the blocks of an
  /// array of so many edges.
  static uint64_t SlotsBytes(uint64_t slots, uint64_t weight_bytes);
  static uint64_t Bytes(uint64_t slots, uint64_t edges, uint64_t weight_bytes);
  /// So many slots take at most `bytes`; 0 where none does.
  static uint64_t SlotsWithin(uint64_t bytes, uint64_t edges, uint64_t weight_bytes);

  /// `lists`: edge by edge, not as codes; `memory`: SlotsBytes of registered memory of `queue`,
  /// which has a tag and reads single bytes. All outlive the cache.
  ListCache(const EdgeLists& lists, std::unique_ptr<TierQueue> queue, absl::Span<std::byte> memory);

  /// The list of a vertex that has edges, if it is local or here, where it then stays for a while.
  /// Any thread may call while a walk is under way.
  [[gnu::always_inline]] LocalList Find(VertexId v) const {
    const EdgeOffset begin = lists_.Begin(v);
    const uint32_t slot = slot_of_[begin / kEdgesPerBlock];
    if (slot == kLocal) [[unlikely]]
      return FindLocal(v);
    const EdgeOffset within = begin % kEdgesPerBlock;
    if (slot >= kFirstState || within + lists_.Degree(v) > kSlotEdges) return {};
    std::atomic_ref(used_in_[slot]).store(walk_, std::memory_order_relaxed);
    const uint64_t edge = uint64_t{slot} * kSlotEdges + within;
    return {.edges = edges_ + edge, .weights = lists_.WeightBehind(weights_, edge)};
  }

  enum class Answer : uint8_t {
    kHere,      ///< Find has it
    kArriving,  ///< Find will have it, after Await
    kNo,        ///< is to be read in the other way
  };

  /// False of a walk over so many lists while it rests, because it had too little of what was asked
  /// for: it does not rest from walks over few.
  bool pays(size_t lists) const { return walks_to_rest_ == 0 || lists <= kFew; }
  /// So many lists were found without being asked for: whether the cache pays depends on that, too.
  void CountFound(uint64_t lists) {
    asked_ += lists;
    found_ += lists;
  }
  /// Begins the next walk, which asks for up to so many lists, when the last one is over, whose
  /// blocks may go from now on. False while the cache rests: nothing can be asked for. An error
  /// means that the tier has failed, here and below.
  absl::StatusOr<bool> BeginWalk(size_t lists);
  /// Asks for the list of a vertex that has edges, in this walk.
  Answer Ask(VertexId v);
  /// Asks for some of the lists of vertices that a later walk will ask for; for none where this one
  /// does not wait for any.
  void AskAhead(absl::Span<const VertexId> vertices);
  /// What was asked for is under way.
  absl::Status Send();
  /// Sleeps until all of it is here. Any thread may call; the others wait as well.
  absl::Status Await();

  /// What was read from the tier, and the time that threads have slept for it.
  StreamStats stats() const;

 private:
  struct Slot {
    uint64_t block = kNoBlock;
    uint32_t read_in = 0;  ///< the walk that has brought the block here
  };
  static constexpr uint64_t kBookkeepingBytes = sizeof(Slot) + sizeof(uint32_t);  ///< of a slot
  static constexpr uint64_t kNoBlock = ~uint64_t{0};
  /// So many walks a block stays that is not used.
  static constexpr uint32_t kRecentWalks = 4;
  static constexpr size_t kFew = 16;                 ///< lists of a walk
  static constexpr uint32_t kLocal = ~uint32_t{0};   ///< all of the block lies in local chunks
  static constexpr uint32_t kAskedFor = kLocal - 1;  ///< not here, but has been asked for
  static constexpr uint32_t kUnknown = kLocal - 2;   ///< neither
  static constexpr uint32_t kFirstState = kUnknown;

  [[gnu::noinline]] LocalList FindLocal(VertexId v) const { return lists_.FindLocal(v); }
  void FindLocalBlocks();
  Answer AskForBlock(VertexId v);
  bool Bring(uint64_t block, size_t chunk);
  void WeighUse();
  /// Blocks that no one has asked for before.
  bool BringsAtOnce() const { return asks_for_few_ || 4 * found_ > 3 * asked_; }
  std::optional<uint32_t> FreeSlot();
  void Read(uint64_t block, size_t chunk, uint64_t to);
  void ReadPart(size_t chunk, EdgeOffset begin, EdgeOffset end, uint64_t to);

  const EdgeLists& lists_;
  const std::unique_ptr<TierQueue> queue_;
  VertexId* const edges_;          ///< of all slots
  std::byte* weights_ = nullptr;   ///< of all slots; nullptr without weights
  std::vector<uint32_t> slot_of_;  ///< by block, or one of the values above
  std::vector<Slot> slots_;
  mutable std::vector<uint32_t> used_in_;  ///< by slot: the last walk that has found it
  bool asks_for_few_ = false;              ///< this walk
  uint32_t walk_ = kRecentWalks;
  uint32_t next_slot_ = 0;  ///< to be looked at for a free one
  uint64_t asked_ = 0;      ///< for lists, of late
  uint64_t found_ = 0;      ///< of those, here
  uint32_t walks_to_rest_ = 0;
  std::vector<Extent> extents_;  ///< to be read
  StreamStats stats_;
  absl::Mutex mutex_;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);  ///< of the tier
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PIPELINE_LIST_CACHE_H_

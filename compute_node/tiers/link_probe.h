#ifndef FARGRAPH_COMPUTE_NODE_TIERS_LINK_PROBE_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_LINK_PROBE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/memory/mapped_memory.h"
#include "compute_node/tiers/far_tier.h"
#include "compute_node/tiers/link_sweep.h"

namespace fargraph {

/// What threads get done side by side, all together.
struct ProbePace {
  double reads_per_second = 0;
  double computed_per_second = 0;  ///< of a fixed piece of work
};

/// What a link does for longer than a moment.
struct SustainedPace {
  double reads_per_second = 0;
  double processor_share = 0;  ///< as LinkProfile's, of reads at that pace
};

/// Reads from the far tier to see how fast bytes come, on as many threads as a job has.
///
/// What it reads is a segment of its own, at most 32 MiB on all nodes together, which it writes
/// first and frees again: before the first upload there is no other, and a chunk size is needed to
/// make that. On nodes without room for it, it reads a sealed segment; on an SSD that holds files
/// of that size, one of these. What it reads into is at most 32 MiB too. Used by one thread.
class LinkProbe {
 public:
  /// Measures for `time` at most, this call included, but at least twice. ResourceExhausted when
  /// the memory nodes have neither room for the segment nor a sealed one; errors of
  /// SsdArray::Allocate.
  static absl::StatusOr<std::unique_ptr<LinkProbe>> Open(FarTier& tier, uint32_t threads,
                                                         absl::Duration time);

  LinkProbe(const LinkProbe&) = delete;
  LinkProbe& operator=(const LinkProbe&) = delete;
  ~LinkProbe();

  SweepLimits limits() const;

  /// Reads per second of all threads, one OpenMP thread each, that keep the load in flight; nullopt
  /// when the time is over. Takes a few milliseconds. Unavailable when a node was lost.
  absl::StatusOr<std::optional<double>> ReadsPerSecond(const ReadLoad& load);

  /// The same over a seventh of a second, whether the time is over or not: what is left of a burst.
  /// And as long with threads that compute whenever nothing has arrived, for the processors' share.
  absl::StatusOr<SustainedPace> SustainedReads(const ReadLoad& load);

 private:
  /// One thread's part of the segment, and what it reads that into.
  struct Lane {
    std::unique_ptr<TierQueue> queue;
    uint64_t address = 0;
    uint64_t bytes = 0;
    uint64_t moves = 0;  ///< so far
    std::byte* buffer = nullptr;
  };
  /// What a thread does: until the first of the two, and until something has arrived.
  struct Stay {
    absl::Duration time;
    uint64_t reads = ~uint64_t{0};
    bool computing = false;
  };

  LinkProbe(FarTier& tier, uint32_t threads, absl::Time end)
      : tier_(tier), lanes_(threads), end_(end) {}
  uint64_t LeastChunkBytes() const;
  bool is_device() const { return tier_.block_bytes() > 1; }
  absl::Status FindSegment();
  absl::StatusOr<FarSegment> AllocateSegment();
  absl::Status AllocateBuffers();
  absl::Status OpenQueues(uint32_t queue_pairs);
  absl::Status TouchSegment();
  template <typename Work>
  absl::StatusOr<ProbePace> OnAllLanes(Work&& work);
  absl::StatusOr<ProbePace> Move(const ReadLoad& load, const Stay& stay, bool is_write);
  absl::StatusOr<ProbePace> MoveOn(Lane& lane, const ReadLoad& load, const Stay& stay,
                                   bool is_write) const;

  FarTier& tier_;
  FarSegment segment_;
  bool owns_segment_ = false;
  MappedMemory buffers_;
  std::unique_ptr<transport::MemoryRegion> buffers_region_;
  std::vector<Lane> lanes_;
  uint32_t queue_pairs_ = 0;
  int measurements_ = 0;
  const absl::Time end_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_LINK_PROBE_H_

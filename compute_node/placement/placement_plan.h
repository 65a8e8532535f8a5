#ifndef FARGRAPH_COMPUTE_NODE_PLACEMENT_PLACEMENT_PLAN_H_
#define FARGRAPH_COMPUTE_NODE_PLACEMENT_PLACEMENT_PLAN_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compute_node/placement/segment.h"

namespace fargraph {

/// Shares of an array's bytes.
struct FarRatios {
  double far = 0;              ///< that are not local
  double on_memory_nodes = 0;  ///< of all bytes; the other far ones are on SSDs
};

/// A segment and how much of it goes far.
struct PlannedSegment {
  DataSegment segment;
  double far_ratio = 0;  ///< of its bytes
  double ssd_ratio = 0;  ///< of its bytes, among those
  bool held = true;      ///< false of what is not there: buffers when nothing is far, and copies
                         ///< without room

  uint64_t far_bytes() const {
    return static_cast<uint64_t>(far_ratio * static_cast<double>(segment.bytes));
  }
  /// Of those bytes.
  uint64_t ssd_bytes() const { return far_bytes() - BytesOnMemoryNodes(); }
  uint64_t BytesOnMemoryNodes() const {
    return static_cast<uint64_t>((far_ratio - ssd_ratio) * static_cast<double>(segment.bytes));
  }
  uint64_t local_bytes() const {
    if (!held) return 0;
    return segment.bytes - far_bytes() + (far_ratio > 0 ? segment.buffer_bytes : 0);
  }
  /// Of those, what few runs touch.
  uint64_t spare_bytes() const { return held && far_ratio == 0 ? segment.spare_bytes : 0; }
};

/// Where all segments of a job go.
struct PlacementPlan {
  std::vector<PlannedSegment> segments;  ///< in the order in which they go far
  uint64_t local_bytes = 0;              ///< all that is held locally at the peak, at most
  uint64_t far_bytes = 0;                ///< lists and state

  /// Bytes of the segments that can be far.
  uint64_t TransferableBytes() const;
  /// Bytes of state (Residence::kFarIfShort) that go far, which the far ratio leaves out.
  uint64_t FarStateBytes() const;
  /// Of the far bytes, those on SSDs.
  uint64_t SsdBytes() const;
  /// The share of the transferable bytes that is not local. Copies and caches count as local, for
  /// they are read in place of far bytes.
  double FarRatio() const;
  /// Of the local bytes, those that few runs touch.
  uint64_t SpareBytes() const;
  /// Bytes of the copies (Residence::kLocalIfRoom) that are held.
  uint64_t CopyBytes() const;
  /// Bytes for caches (Residence::kCacheIfRoom).
  uint64_t CacheBytes() const;
  /// The far ratio of a segment; 0 where the job has none of that name.
  double FarRatio(absl::string_view name) const { return RatiosOf(name).far; }
  /// Of a segment; zeros where the job has none of that name.
  FarRatios RatiosOf(absl::string_view name) const;
  /// Bytes of a segment that are local; 0 where the job has none of that name.
  uint64_t LocalBytes(absl::string_view name) const;
  /// True if the job has a segment of that name and holds it.
  bool Holds(absl::string_view name) const;
};

/// Sends away `far_ratio` (0 to 1) of the bytes that can be far: group by group, and in the group
/// in which that is reached the same share of every segment. Of the local share, copies that are
/// kept if there is room (Residence::kLocalIfRoom) take their part first, in their order, then
/// caches, and as much more of the rest goes far.
PlacementPlan PlanAtFarRatio(const std::vector<DataSegment>& segments, double far_ratio);

/// Keeps everything local, and of the copies as many, in their order, as fit into `budget` beside
/// the rest, which may exceed it.
PlacementPlan PlanAllLocal(const std::vector<DataSegment>& segments, uint64_t budget);

/// Sends away all bytes that can be far, and then state, segment by segment, until the rest fits
/// into `budget` or nothing more can go.
PlacementPlan PlanStateFar(const std::vector<DataSegment>& segments, uint64_t budget);

/// The smallest budget that PlanWithinBudget accepts, in bytes.
uint64_t SmallestBudget(const std::vector<DataSegment>& segments, bool have_far_memory);

/// The plan with the smallest far ratio, in thousandths (so that like budgets share an upload),
/// that holds at most `budget` bytes locally; copies go before anything goes far, and state goes
/// when everything else is.
/// ResourceExhausted, with the smallest budget that would do, when there is none;
/// `have_far_memory`: whether anything can go far at all.
absl::StatusOr<PlacementPlan> PlanWithinBudget(const std::vector<DataSegment>& segments,
                                               uint64_t budget, bool have_far_memory);

/// What memory nodes can take of a job's lists.
struct RoomOnMemoryNodes {
  uint64_t free_bytes = 0;
  uint64_t slack_bytes = 0;            ///< that an array may take beyond its share
  std::map<std::string, double> kept;  ///< by the array: the far ratio of an upload that is there
};

/// Divides what the plan sends far between memory nodes and SSDs. State goes to memory nodes, which
/// have room for it; then as much of the lists, in the order of the plan, as they still have room
/// for, in thousandths of an array, or hold already; the rest goes to SSDs.
void DivideFarBytes(const RoomOnMemoryNodes& room, PlacementPlan& plan);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PLACEMENT_PLACEMENT_PLAN_H_

#include "compute_node/placement/placement_plan.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/units.h"

namespace fargraph {
namespace {

constexpr int kRatioSteps = 1000;

bool CanBeFar(const PlannedSegment& planned) {
  return planned.segment.residence == Residence::kLocalOrFar;
}

bool IsFarState(const PlannedSegment& planned) {
  return planned.segment.residence == Residence::kFarIfShort && planned.far_ratio > 0;
}

Sensitivity GroupOf(const PlannedSegment& planned) {
  return SensitivityOf(planned.segment.behaviour);
}

const PlannedSegment* FindSegment(const std::vector<PlannedSegment>& segments,
                                  absl::string_view name) {
  for (const PlannedSegment& planned : segments) {
    if (planned.segment.name == name) return &planned;
  }
  return nullptr;
}

/// Bytes of those in [begin, end) that can be far.
template <typename Iterator>
uint64_t TransferableBytesOf(Iterator begin, Iterator end) {
  uint64_t bytes = 0;
  for (; begin != end; ++begin) {
    if (CanBeFar(*begin)) bytes += begin->segment.bytes;
  }
  return bytes;
}

/// Decides which copies there is room for; returns the bytes of those.
uint64_t KeepCopies(uint64_t room_bytes, PlacementPlan& plan) {
  uint64_t kept = 0;
  bool room = true;
  for (PlannedSegment& planned : plan.segments) {
    if (planned.segment.residence != Residence::kLocalIfRoom) continue;
    room = room && kept + planned.segment.bytes <= room_bytes;
    planned.held = room;
    if (room) kept += planned.segment.bytes;
  }
  return kept;
}

/// The same for caches: each gets the same part of what it would take.
uint64_t KeepCaches(uint64_t room_bytes, PlacementPlan& plan) {
  const auto is_cache = [](const PlannedSegment& planned) {
    return planned.segment.residence == Residence::kCacheIfRoom;
  };
  uint64_t wanted = 0;
  for (const PlannedSegment& planned : plan.segments) {
    if (is_cache(planned)) wanted += planned.segment.bytes;
  }
  uint64_t kept = 0;
  for (PlannedSegment& planned : plan.segments) {
    if (!is_cache(planned) || wanted == 0) continue;
    uint64_t& bytes = planned.segment.bytes;
    if (room_bytes < wanted) bytes = bytes * static_cast<double>(room_bytes) / wanted;
    planned.held = bytes > 0;
    kept += bytes;
  }
  return kept;
}

uint64_t LocalBytesOf(Residence residence, const PlacementPlan& plan) {
  uint64_t bytes = 0;
  for (const PlannedSegment& planned : plan.segments) {
    if (planned.segment.residence == residence) bytes += planned.local_bytes();
  }
  return bytes;
}

/// Sets the far ratios, group by group, and with them all that follows.
void SendFar(double far_ratio, PlacementPlan& plan) {
  const auto end = plan.segments.end();
  const double transferable = static_cast<double>(plan.TransferableBytes());
  double bytes_to_move = far_ratio * transferable;
  const bool some_far = bytes_to_move > 0;
  if (some_far) {
    const auto local_share = static_cast<uint64_t>(std::max(0.0, transferable - bytes_to_move));
    const uint64_t copies = KeepCopies(local_share, plan);
    const uint64_t caches = KeepCaches(local_share - copies, plan);
    bytes_to_move += static_cast<double>(copies + caches);
  } else {
    KeepCaches(0, plan);
  }
  for (auto begin = plan.segments.begin(); begin != end;) {
    const Sensitivity group = GroupOf(*begin);
    const auto group_end = std::find_if(
        begin, end, [group](const auto& planned) { return GroupOf(planned) != group; });
    const double group_bytes = static_cast<double>(TransferableBytesOf(begin, group_end));
    const double group_ratio = some_far ? std::min(1.0, bytes_to_move / group_bytes) : 0;
    for (; begin != group_end; ++begin) {
      if (CanBeFar(*begin)) begin->far_ratio = group_ratio;
      if (begin->segment.residence == Residence::kLocalWithFar) begin->held = some_far;
      plan.far_bytes += begin->far_bytes();
      plan.local_bytes += begin->local_bytes();
    }
    bytes_to_move -= std::min(bytes_to_move, group_bytes);
  }
}

uint64_t LocalBytes(const std::vector<DataSegment>& segments, int ratio_step) {
  return PlanAtFarRatio(segments, static_cast<double>(ratio_step) / kRatioSteps).local_bytes;
}

}  // namespace

uint64_t PlacementPlan::TransferableBytes() const {
  return TransferableBytesOf(segments.begin(), segments.end());
}

uint64_t PlacementPlan::SpareBytes() const {
  uint64_t bytes = 0;
  for (const PlannedSegment& planned : segments) bytes += planned.spare_bytes();
  return bytes;
}

uint64_t PlacementPlan::CopyBytes() const { return LocalBytesOf(Residence::kLocalIfRoom, *this); }

uint64_t PlacementPlan::CacheBytes() const { return LocalBytesOf(Residence::kCacheIfRoom, *this); }

uint64_t PlacementPlan::FarStateBytes() const {
  uint64_t bytes = 0;
  for (const PlannedSegment& planned : segments) {
    if (IsFarState(planned)) bytes += planned.far_bytes();
  }
  return bytes;
}

double PlacementPlan::FarRatio() const {
  const uint64_t far_list_bytes = far_bytes - FarStateBytes();
  if (far_list_bytes == 0) return 0;
  const double missing_bytes =
      static_cast<double>(far_list_bytes) - static_cast<double>(CopyBytes() + CacheBytes());
  return missing_bytes / static_cast<double>(TransferableBytes());
}

uint64_t PlacementPlan::SsdBytes() const {
  uint64_t bytes = 0;
  for (const PlannedSegment& planned : segments) bytes += planned.ssd_bytes();
  return bytes;
}

FarRatios PlacementPlan::RatiosOf(absl::string_view name) const {
  const PlannedSegment* found = FindSegment(segments, name);
  if (found == nullptr) return {};
  return {.far = found->far_ratio, .on_memory_nodes = found->far_ratio - found->ssd_ratio};
}

uint64_t PlacementPlan::LocalBytes(absl::string_view name) const {
  const PlannedSegment* found = FindSegment(segments, name);
  return found == nullptr ? 0 : found->local_bytes();
}

bool PlacementPlan::Holds(absl::string_view name) const {
  const PlannedSegment* found = FindSegment(segments, name);
  return found != nullptr && found->held;
}

PlacementPlan PlanAtFarRatio(const std::vector<DataSegment>& segments, double far_ratio) {
  PlacementPlan plan;
  for (const DataSegment& segment : segments) plan.segments.push_back({.segment = segment});
  std::stable_sort(plan.segments.begin(), plan.segments.end(),
                   [](const auto& a, const auto& b) { return GroupOf(a) < GroupOf(b); });
  SendFar(far_ratio, plan);
  return plan;
}

void DivideFarBytes(const RoomOnMemoryNodes& room, PlacementPlan& plan) {
  uint64_t state_bytes = 0;
  for (const PlannedSegment& planned : plan.segments) {
    if (IsFarState(planned)) state_bytes += planned.far_bytes() + room.slack_bytes;
  }
  uint64_t free_bytes = room.free_bytes - std::min(room.free_bytes, state_bytes);
  for (PlannedSegment& planned : plan.segments) {
    if (!CanBeFar(planned) || planned.far_ratio == 0) continue;
    const double bytes = static_cast<double>(planned.segment.bytes);
    const auto usable = static_cast<double>(free_bytes - std::min(free_bytes, room.slack_bytes));
    const double fits =
        usable >= bytes ? 1 : std::floor(kRatioSteps * usable / bytes) / kRatioSteps;
    const auto kept = room.kept.find(planned.segment.name);
    const double there = kept == room.kept.end() ? 0 : kept->second;
    const double on_memory_nodes = std::min(planned.far_ratio, std::max(fits, there));
    planned.ssd_ratio = planned.far_ratio - on_memory_nodes;
    if (there >= on_memory_nodes) continue;  // takes no more room
    const auto taken = static_cast<uint64_t>(on_memory_nodes * bytes) + room.slack_bytes;
    free_bytes -= std::min(free_bytes, taken);
  }
}

PlacementPlan PlanAllLocal(const std::vector<DataSegment>& segments, uint64_t budget) {
  PlacementPlan plan = PlanAtFarRatio(segments, 0);
  const uint64_t copies = KeepCopies(plan.local_bytes, plan);
  const uint64_t rest = plan.local_bytes - copies;
  plan.local_bytes = rest + KeepCopies(budget - std::min(budget, rest), plan);
  return plan;
}

PlacementPlan PlanStateFar(const std::vector<DataSegment>& segments, uint64_t budget) {
  PlacementPlan plan = PlanAtFarRatio(segments, 1);
  for (PlannedSegment& planned : plan.segments) {
    const DataSegment& segment = planned.segment;
    const bool helps = segment.buffer_bytes < segment.bytes;
    if (segment.residence != Residence::kFarIfShort || !helps || plan.local_bytes <= budget)
      continue;
    planned.far_ratio = 1;
    plan.far_bytes += segment.bytes;
    plan.local_bytes -= segment.bytes - segment.buffer_bytes;
  }
  return plan;
}

uint64_t SmallestBudget(const std::vector<DataSegment>& segments, bool have_far_memory) {
  const uint64_t all_local = PlanAllLocal(segments, /*budget=*/0).local_bytes;
  return have_far_memory ? std::min(all_local, PlanStateFar(segments, /*budget=*/0).local_bytes)
                         : all_local;
}

absl::StatusOr<PlacementPlan> PlanWithinBudget(const std::vector<DataSegment>& segments,
                                               uint64_t budget, bool have_far_memory) {
  const uint64_t smallest = SmallestBudget(segments, have_far_memory);
  if (budget < smallest && !have_far_memory) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "the job needs ", FormatBytes(smallest), " of local memory and --local_memory is ",
        FormatBytes(budget), "; set --local_memory=", smallest,
        "B or more, or name memory nodes with --memory_nodes or SSDs with --ssd_dirs"));
  }
  if (budget < smallest) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "vertex state, index and buffers exceed --local_memory=", FormatBytes(budget),
        " even with all far that can be; the smallest budget that does is --local_memory=",
        smallest, "B"));
  }
  PlacementPlan all_local = PlanAllLocal(segments, budget);
  if (all_local.local_bytes <= budget) return all_local;
  if (LocalBytes(segments, kRatioSteps) > budget) return PlanStateFar(segments, budget);
  int step = 1;
  for (int last = kRatioSteps; step < last;) {
    const int middle = (step + last) / 2;
    if (LocalBytes(segments, middle) <= budget) {
      last = middle;
    } else {
      step = middle + 1;
    }
  }
  return PlanAtFarRatio(segments, static_cast<double>(step) / kRatioSteps);
}

}  // namespace fargraph

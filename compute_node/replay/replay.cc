#include "compute_node/replay/replay.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "absl/time/clock.h"
#include "common/status_macros.h"
#include "compute_node/replay/request_list.h"

namespace fargraph {
namespace {

using Asked = absl::Span<const ByteRange>;

/// As many requests as Linux holds back before it sorts and submits them.
constexpr size_t kPlugListRequests = 16;
/// Windows are planned and read in groups of at least so many requests, so that looking at the
/// clock takes no time.
constexpr size_t kGroupRequests = 4096;

struct Way {
  std::string name;
  size_t window;
  std::function<void(Asked, std::vector<BlockRequest>&)> plan;
};

BlockPlannerOptions PlannerOptions(const BlockTrace& trace, const ReplayOptions& options) {
  return {.device_bytes = ReplayDeviceBytes(trace, options),
          .block_bytes = options.block_bytes,
          .merge_gap = options.merge_gap,
          .most_blocks = options.most_blocks};
}

std::vector<Way> Ways(RequestList& list, BlockPlanner& planner, size_t window) {
  const auto by_bitmap = [&planner](Asked asked, std::vector<BlockRequest>& requests) {
    for (const ByteRange& range : asked) planner.MarkBytes(range.offset, range.length);
    while (const auto request = planner.Next()) requests.push_back(*request);
  };
  const auto by_sorting = [&list](Asked asked, std::vector<BlockRequest>& requests) {
    list.Plan(asked, requests);
  };
  return {{"direct", 1, by_sorting},
          {"batch", kPlugListRequests, by_sorting},
          {"list", window, by_sorting},
          {"bitmap", window, by_bitmap}};
}

double SecondsSince(absl::Time start) { return absl::ToDoubleSeconds(absl::Now() - start); }

/// Calls visit(window) for `window` requests at a time.
template <typename Visit>
void ForEachWindow(Asked asked, size_t window, Visit&& visit) {
  for (; !asked.empty(); asked.remove_prefix(std::min(window, asked.size()))) {
    visit(asked.subspan(0, window));
  }
}

absl::StatusOr<ReplayOutcome> ReplayOneWay(Asked asked, const Way& way, uint64_t block_bytes,
                                           BlockReader* reader) {
  ReplayOutcome outcome = {.way = way.name, .useful_bytes = UsefulBytes(asked, way.window)};
  const size_t group = way.window * std::max<size_t>(1, kGroupRequests / way.window);
  std::vector<BlockRequest> requests;
  const absl::Time start = absl::Now();
  for (; !asked.empty(); asked.remove_prefix(std::min(group, asked.size()))) {
    const absl::Time plan_start = absl::Now();
    requests.clear();
    ForEachWindow(asked.subspan(0, group), way.window,
                  [&](Asked window) { way.plan(window, requests); });
    outcome.plan_seconds += SecondsSince(plan_start);
    outcome.requests += requests.size();
    for (const BlockRequest& request : requests) outcome.bytes += request.blocks * block_bytes;
    if (reader != nullptr) FARGRAPH_RETURN_IF_ERROR(reader->Read(requests));
  }
  if (reader != nullptr) {
    FARGRAPH_RETURN_IF_ERROR(reader->Finish());
    outcome.seconds = SecondsSince(start);
  }
  return outcome;
}

}  // namespace

absl::StatusOr<std::vector<ReplayOutcome>> Replay(const BlockTrace& trace,
                                                  const ReplayOptions& options,
                                                  BlockReader* reader) {
  const BlockPlannerOptions planner_options = PlannerOptions(trace, options);
  FARGRAPH_ASSIGN_OR_RETURN(BlockPlanner planner, BlockPlanner::Create(planner_options));
  RequestList list(planner_options);
  const size_t window = options.window > 0 ? options.window : trace.requests.size();
  std::vector<ReplayOutcome> outcomes;
  for (const Way& way : Ways(list, planner, window)) {
    FARGRAPH_ASSIGN_OR_RETURN(ReplayOutcome outcome,
                              ReplayOneWay(trace.requests, way, options.block_bytes, reader));
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

uint64_t ReplayDeviceBytes(const BlockTrace& trace, const ReplayOptions& options) {
  const uint64_t block = options.block_bytes;
  return (trace.device_bytes + block - 1) / block * block;
}

uint64_t UsefulBytes(absl::Span<const ByteRange> asked, size_t window) {
  uint64_t useful = 0;
  std::vector<ByteRange> sorted;
  ForEachWindow(asked, window, [&](Asked planned) {
    sorted.assign(planned.begin(), planned.end());
    std::sort(sorted.begin(), sorted.end(),
              [](const ByteRange& a, const ByteRange& b) { return a.offset < b.offset; });
    uint64_t counted = 0;  // up to this byte
    for (const ByteRange& range : sorted) {
      const uint64_t end = range.offset + range.length;
      useful += end - std::clamp(counted, range.offset, end);
      counted = std::max(counted, end);
    }
  });
  return useful;
}

}  // namespace fargraph

#include "compute_node/replay/replay.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "absl/time/clock.h"
#include "common/elapsed.h"
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

/// Which requests are planned together: from the number of the first one, that behind the last.
using WindowEnd = std::function<size_t(size_t begin)>;

struct Way {
  std::string name;
  WindowEnd window_end;
  std::function<void(Asked, std::vector<BlockRequest>&)> plan;
};

WindowEnd Every(size_t requests) {
  return [requests](size_t begin) { return begin + requests; };
}

WindowEnd WindowOf(const BlockTrace& trace, const ReplayOptions& options) {
  if (!options.same_time) {
    return Every(options.window > 0 ? options.window : trace.requests.size());
  }
  const std::vector<size_t>& ends = trace.moment_ends;
  return [&ends](size_t begin) { return *std::upper_bound(ends.begin(), ends.end(), begin); };
}

BlockPlannerOptions PlannerOptions(const BlockTrace& trace, const ReplayOptions& options) {
  return {.device_bytes = ReplayDeviceBytes(trace, options),
          .block_bytes = options.block_bytes,
          .merge_gap = options.merge_gap,
          .most_blocks = options.most_blocks};
}

std::vector<Way> Ways(RequestList& list, BlockPlanner& planner, const WindowEnd& window_end) {
  const auto by_bitmap = [&planner](Asked asked, std::vector<BlockRequest>& requests) {
    for (const ByteRange& range : asked) planner.MarkBytes(range.offset, range.length);
    while (const auto request = planner.Next()) requests.push_back(*request);
  };
  const auto by_sorting = [&list](Asked asked, std::vector<BlockRequest>& requests) {
    list.Plan(asked, requests);
  };
  return {{"direct", Every(1), by_sorting},
          {"batch", Every(kPlugListRequests), by_sorting},
          {"list", window_end, by_sorting},
          {"bitmap", window_end, by_bitmap}};
}

/// Calls visit(window) for one window after the other, from request `begin` on, until there were at
/// least `least` requests; returns how far it came.
template <typename Visit>
size_t ForEachWindow(Asked asked, size_t begin, size_t least, const WindowEnd& window_end,
                     Visit&& visit) {
  const size_t enough = std::min(begin + least, asked.size());
  while (begin < enough) {
    const size_t end = std::min(window_end(begin), asked.size());
    visit(asked.subspan(begin, end - begin));
    begin = end;
  }
  return begin;
}

/// Bytes that the ranges hold together, each counted once among those that are planned together.
uint64_t UsefulBytes(Asked asked, const WindowEnd& window_end) {
  uint64_t useful = 0;
  std::vector<ByteRange> sorted;
  ForEachWindow(asked, 0, asked.size(), window_end, [&](Asked planned) {
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

absl::StatusOr<ReplayOutcome> ReplayOneWay(Asked asked, const Way& way, uint64_t block_bytes,
                                           BlockReader* reader) {
  ReplayOutcome outcome = {.way = way.name, .useful_bytes = UsefulBytes(asked, way.window_end)};
  std::vector<BlockRequest> requests;
  const absl::Time start = absl::Now();
  for (size_t next = 0; next < asked.size();) {
    const absl::Time plan_start = absl::Now();
    requests.clear();
    next = ForEachWindow(asked, next, kGroupRequests, way.window_end,
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
  std::vector<ReplayOutcome> outcomes;
  for (const Way& way : Ways(list, planner, WindowOf(trace, options))) {
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

uint64_t AskedBytes(const BlockTrace& trace) {
  uint64_t bytes = 0;
  for (const ByteRange& range : trace.requests) bytes += range.length;
  return bytes;
}

}  // namespace fargraph

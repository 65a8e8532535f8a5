#ifndef FARGRAPH_COMPUTE_NODE_REPLAY_REPLAY_H_
#define FARGRAPH_COMPUTE_NODE_REPLAY_REPLAY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compute_node/replay/block_reader.h"
#include "compute_node/replay/spc_trace.h"

namespace fargraph {

/// How the requests of a trace are planned.
struct ReplayOptions {
  uint64_t block_bytes = 512;
  uint64_t merge_gap = 16;     ///< blocks, as in BlockPlannerOptions
  uint64_t most_blocks = 512;  ///< of a read, at least 1
  uint64_t window = 0;         ///< requests of the trace that are planned together; 0: all
  bool same_time = false;      ///< whatever the window: those that have the same time
};

/// What one way of planning made of a trace.
struct ReplayOutcome {
  std::string way;
  uint64_t requests = 0;
  uint64_t bytes = 0;
  /// Those of the bytes that were asked for: the rest are gaps and the ends of blocks. Less than
  /// the trace asks for where something was asked for twice and read once.
  uint64_t useful_bytes = 0;
  double plan_seconds = 0;
  std::optional<double> seconds;  ///< to plan and to read; nothing if nothing was read
};

/// Replays the trace as fast as it goes, as Graphene does (FAST '17, figure 17): the times in it
/// are not waited for. The ways, in this order, all with the same gap and bound:
///
///   direct    every request alone, as it comes
///   batch     sorted, deduplicated and merged 16 at a time, as Linux does with a plug list
///   list      sorted, deduplicated and merged a window at a time
///   bitmap    the same by BlockPlanner
///
/// The paper does not say what its window is; a trace that is replayed as fast as it goes is known
/// from the beginning, so it is the whole trace here unless the options say otherwise; that of a
/// job (tiers/read_trace.h) is known iteration by iteration, which is what `same_time` is for.
/// Writes are read. `reader`: made with the same blocks and bound, on a device of at least
/// ReplayDeviceBytes; null to plan only. Errors are the reader's, or BlockPlanner's.
absl::StatusOr<std::vector<ReplayOutcome>> Replay(const BlockTrace& trace,
                                                  const ReplayOptions& options,
                                                  BlockReader* reader);

/// The least device that the trace can be replayed on, in whole blocks.
uint64_t ReplayDeviceBytes(const BlockTrace& trace, const ReplayOptions& options);

/// Bytes that the requests of the trace ask for, each counted as often as it is asked for.
uint64_t AskedBytes(const BlockTrace& trace);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_REPLAY_REPLAY_H_

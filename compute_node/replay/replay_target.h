#ifndef FARGRAPH_COMPUTE_NODE_REPLAY_REPLAY_TARGET_H_
#define FARGRAPH_COMPUTE_NODE_REPLAY_REPLAY_TARGET_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "compute_node/replay/block_reader.h"
#include "compute_node/replay/replay.h"
#include "compute_node/tiers/ssd_array.h"

namespace fargraph {

/// A file or a block device that a trace is replayed on, opened for reading alone and past the page
/// cache. Movable.
class ReplayTarget {
 public:
  /// InvalidArgument when it is shorter than `bytes`, has a hole among them, which would be read
  /// without the device, or is neither file nor device; else the errors of DirectFile.
  static absl::StatusOr<ReplayTarget> Open(const std::string& path, uint64_t bytes);

  /// A reader for Replay. The target outlives it. InvalidArgument where the device has larger
  /// blocks than the options.
  absl::StatusOr<BlockReader> MakeReader(const ReplayOptions& options, uint32_t depth,
                                         const std::atomic<bool>* cancelled) const;

 private:
  ReplayTarget(std::unique_ptr<SsdArray> array, FarSegment segment)
      : array_(std::move(array)), segment_(std::move(segment)) {}

  std::unique_ptr<SsdArray> array_;
  FarSegment segment_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_REPLAY_REPLAY_TARGET_H_

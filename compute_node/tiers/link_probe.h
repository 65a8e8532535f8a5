#ifndef FARGRAPH_COMPUTE_NODE_TIERS_LINK_PROBE_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_LINK_PROBE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compute_node/pipeline/planner.h"
#include "compute_node/tiers/far_memory.h"

namespace fargraph {

/// What the link to far memory can do, as all threads together see it.
struct LinkProfile {
  double bytes_per_second = 0;     ///< with requests of the given chunk size
  double requests_per_second = 0;  ///< with requests of a block, many in flight
  double read_seconds = 0;         ///< one block, nothing else in flight

  /// What the planner should merge: a gap pays while reading it takes no longer than a request of
  /// its own.
  RequestShape Shape(uint64_t block_bytes, uint64_t largest_request_bytes) const;
};

/// One thread's queue and the registered memory it reads into.
struct ProbeLane {
  FarQueue* queue = nullptr;
  absl::Span<std::byte> buffer;
};

/// Measures by reading `segment` over all lanes at once, one OpenMP thread each; about a tenth of a
/// second.
absl::StatusOr<LinkProfile> ProbeLink(absl::Span<const ProbeLane> lanes, const FarSegment& segment,
                                      uint64_t block_bytes, uint64_t chunk_bytes);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_LINK_PROBE_H_

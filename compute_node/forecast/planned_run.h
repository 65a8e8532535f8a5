#ifndef FARGRAPH_COMPUTE_NODE_FORECAST_PLANNED_RUN_H_
#define FARGRAPH_COMPUTE_NODE_FORECAST_PLANNED_RUN_H_

#include <cstdint>

#include "compute_node/engine/effort.h"
#include "compute_node/forecast/run_history.h"
#include "compute_node/tiers/link_profile.h"

namespace fargraph {

/// A run whose time is asked for.
struct PlannedRun {
  ListPlacement placement;
  bool uses_heads = false;  ///< local first neighbours spare the kernel most reads
  LinkProfile link;         ///< unless all is local
  uint64_t far_bytes = 0;
  uint64_t chunk_bytes = 0;
  double list_bytes = 0;            ///< of a vertex, on the mean
  double list_bytes_otherwise = 0;  ///< as edges if it reads codes, or the other way round
  bool keeps_blocks = false;   ///< a cache holds what its steps have read, and the next ones use it
  double reads_exponent = 1;   ///< what is read goes with the far ratio to this power
  Effort effort;               ///< if nothing better is known
  double compute_seconds = 0;  ///< like this
  /// The same of the run with local first neighbours if this one has none, or the other way round.
  double compute_seconds_otherwise = 0;
  double decode_seconds = 0;  ///< more, of a run that reads codes
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_FORECAST_PLANNED_RUN_H_

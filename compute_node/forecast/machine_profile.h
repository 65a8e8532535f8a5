#ifndef FARGRAPH_COMPUTE_NODE_FORECAST_MACHINE_PROFILE_H_
#define FARGRAPH_COMPUTE_NODE_FORECAST_MACHINE_PROFILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"

namespace fargraph {

/// How fast the threads of a job are together, as far as graph kernels care.
struct MachineProfile {
  struct RandomReads {
    double array_bytes = 0;
    double per_second = 0;  ///< reads of 4 bytes anywhere in such an array
  };
  double visit_seconds = 0;  ///< in which a thread looks up a neighbour's value in its caches
  std::vector<RandomReads> random_reads;  ///< ascending by size; of the largest in no cache
  double start_seconds = 0;               ///< until all threads have begun to work, and ended

  /// In between the sizes the logarithms are in proportion.
  double RandomReadsPerSecond(double array_bytes) const;
};

/// Measures, in about an eighth of a second. Takes 32 MiB of memory and gives them back, so that a
/// job may call it before it takes its own, whatever its budget.
MachineProfile MeasureMachine();

/// What the file `path` holds of this host and as many OpenMP threads that wait for each other in
/// the same way, or else a new measurement, which the file then holds. An empty path is a file that
/// keeps nothing.
MachineProfile ProfileMachine(const std::string& path);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_FORECAST_MACHINE_PROFILE_H_

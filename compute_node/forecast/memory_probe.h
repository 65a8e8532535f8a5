#ifndef FARGRAPH_COMPUTE_NODE_FORECAST_MEMORY_PROBE_H_
#define FARGRAPH_COMPUTE_NODE_FORECAST_MEMORY_PROBE_H_

#include <cstdint>

namespace fargraph {

/// Reads of 4 bytes per second that all threads together do at random in an array of so many bytes:
/// about the edges per second of a kernel with that much vertex state. Takes some hundredths of a
/// second, and no more memory than the array would, at most 64 MiB.
double RandomReadsPerSecond(uint64_t array_bytes);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_FORECAST_MEMORY_PROBE_H_

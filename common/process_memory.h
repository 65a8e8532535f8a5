#ifndef FARGRAPH_COMMON_PROCESS_MEMORY_H_
#define FARGRAPH_COMMON_PROCESS_MEMORY_H_

#include <cstdint>

namespace fargraph {

/// The most memory that this process has held so far, in bytes: resident pages at their peak and
/// private huge pages now, without what is shared with other processes (a memory node's memory,
/// mapped by shm). 0 where the kernel does not tell.
uint64_t PeakMemoryBytes();

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_PROCESS_MEMORY_H_

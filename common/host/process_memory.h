#ifndef FARGRAPH_COMMON_HOST_PROCESS_MEMORY_H_
#define FARGRAPH_COMMON_HOST_PROCESS_MEMORY_H_

#include <cstdint>

namespace fargraph {

/// The most memory that this process has held since ForgetPeakMemory, or else since it began, in
/// bytes: resident pages at their peak and private huge pages now, without what is shared with
/// other processes (a memory node's memory, mapped by shm). 0 where the kernel does not tell.
uint64_t PeakMemoryBytes();

/// The same at this moment.
uint64_t MemoryBytes();

/// Gives memory back to the host that the process has freed and kept for later.
void ReleaseFreeMemory();

/// From now on large arrays go back to the host when they are freed, so that a process keeps within
/// a budget: by itself glibc raises these thresholds with every one, and in the end keeps up to
/// 64 MiB. Below them memory is reused without asking the host, which the small arrays of every
/// iteration want. For the beginning of main.
void ReturnLargeArrays();

/// Threads that begin from now on have stacks of at most 1.5 MiB, unless who starts them says
/// otherwise. Of glibc's 8 MiB a kernel that makes huge pages of all memory (transparent_hugepage
/// is `always`, as on Debian 12, and Linux older than 6.7) gives 2 MiB to a thread that needs a few
/// pages, wherever its stack happens to lie so. For the beginning of main.
void KeepStacksSmall();

/// From now on the peak is that of what follows. Does nothing where the kernel does not allow it.
void ForgetPeakMemory();

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_HOST_PROCESS_MEMORY_H_

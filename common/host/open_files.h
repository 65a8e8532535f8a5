#ifndef FARGRAPH_COMMON_HOST_OPEN_FILES_H_
#define FARGRAPH_COMMON_HOST_OPEN_FILES_H_

namespace fargraph {

/// From now on this process may have as many files open as its hard limit lets it (RLIMIT_NOFILE),
/// not the usual 1024: a queue pair over shm takes three in a job, of which every thread has some
/// to each memory node. For the beginning of main.
void RaiseOpenFileLimit();

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_HOST_OPEN_FILES_H_

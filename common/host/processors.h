#ifndef FARGRAPH_COMMON_HOST_PROCESSORS_H_
#define FARGRAPH_COMMON_HOST_PROCESSORS_H_

#include <optional>
#include <string>

namespace fargraph {

/// For how many processors the cgroups that hold this process give it time, a part of one counted
/// as one; nullopt where they give it all. `root`: put before /proc and /sys.
std::optional<int> ProcessorsInQuota(const std::string& root);

/// How many threads this process can keep at work: one for each processor that it may run on, but
/// no more than it has time for. Of more, some are stopped whenever the time is used up, much of
/// which the others spend in waiting for them.
int UsableProcessors();

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_HOST_PROCESSORS_H_

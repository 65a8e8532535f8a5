#ifndef FARGRAPH_COMPUTE_NODE_TIERS_NEAR_SSDS_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_NEAR_SSDS_H_

#include <sys/types.h>

#include <string>
#include <vector>

namespace fargraph {

/// On which NUMA node each of a job's threads best runs: in turn near each of these devices, as
/// Graphene pins them (FAST '17, section 4), while its node has a processor for one more, and then
/// where most processors are left. Empty where there is no choice: the process may run on one node
/// only, or the host tells of no device where it is. `devices`: st_dev of files on them. `root`:
/// put before /sys and /proc.
std::vector<int> ChooseNodesNear(const std::vector<dev_t>& devices, int threads,
                                 const std::string& root);

/// Keeps the OpenMP threads of this thread on the nodes near the SSDs with these directories, where
/// there is a choice and the user has not made it (OMP_PROC_BIND). Threads move within their node
/// as the host likes.
void StayNear(const std::vector<std::string>& directories);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_NEAR_SSDS_H_

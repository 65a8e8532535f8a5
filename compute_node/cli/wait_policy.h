#ifndef FARGRAPH_COMPUTE_NODE_CLI_WAIT_POLICY_H_
#define FARGRAPH_COMPUTE_NODE_CLI_WAIT_POLICY_H_

namespace fargraph {

/// Has threads that wait for others sleep at once, instead of for milliseconds at work on nothing,
/// unless the user has chosen (OMP_WAIT_POLICY or GOMP_SPINCOUNT): for jobs that wait for SSDs,
/// whose host may have better things to do. OpenMP asks for that only when a process begins, so it
/// begins anew, with the same arguments; where it cannot, it goes on as it is. Before the process
/// has done anything that can be seen.
void SleepWhileWaiting();

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_WAIT_POLICY_H_

#ifndef FARGRAPH_ALGORITHMS_DAMPING_H_
#define FARGRAPH_ALGORITHMS_DAMPING_H_

namespace fargraph {

/// The probability with which PageRank's surfer follows an edge (Brin and Page, WWW 1998), for
/// kernels and verifiers, which share nothing else.
inline constexpr double kPageRankDamping = 0.85;

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_DAMPING_H_

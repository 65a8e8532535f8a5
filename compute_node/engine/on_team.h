#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_ON_TEAM_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_ON_TEAM_H_

namespace fargraph {

/// Calls body() by every thread of a team, or, unless `parallel`, by the calling one alone.
/// OpenMP's own `if` makes a team of that one, which takes a third of a microsecond: as long as a
/// step over a few vertices.
template <typename Body>
void OnTeam(bool parallel, Body&& body) {
  if (!parallel) return body();
#pragma omp parallel
  body();
}

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_ON_TEAM_H_

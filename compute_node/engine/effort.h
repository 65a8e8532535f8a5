#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_EFFORT_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_EFFORT_H_

#include "graph/graph_files.h"

namespace fargraph {

/// About what a run does, as far as the size of the graph tells: for the plan of a job whose runs
/// nobody has measured.
struct Effort {
  double list_reads = 1;     ///< how often it reads each far list, on the mean
  double parts = 1;          ///< of lists all over the graph, in which it does so
  double edge_visits = 1;    ///< of each edge, with what a cache holds
  double random_visits = 2;  ///< of each edge: reads of its vertex that may miss the caches
  double vertex_visits = 4;  ///< of each vertex that has edges
  double steps = 10;         ///< after which all threads wait for each other
};

/// Of so many such runs, one after the other.
inline Effort operator*(double runs, const Effort& one) {
  return {.list_reads = runs * one.list_reads,
          .parts = runs * one.parts,
          .edge_visits = runs * one.edge_visits,
          .random_visits = runs * one.random_visits,
          .vertex_visits = runs * one.vertex_visits,
          .steps = runs * one.steps};
}

/// Edges a vertex; 0 without vertices.
double MeanDegree(const GraphManifest& graph);

/// The levels of a breadth-first search.
struct SearchDepth {
  double levels = 0;
  double parts = 0;  ///< those in which most of the vertices are, fewer with hubs
};

/// True where vertices have so few neighbours that a search advances as on a plane, in many small
/// steps.
bool SearchesAreDeep(const GraphManifest& graph);

/// About how deep a search goes. Where vertices have few neighbours it advances as on a plane, with
/// about the square root of all vertices as levels, whose lists lie near each other: they are read
/// as if there were a fifth as many parts. Else levels grow by the mean degree. Parts are measured
/// from SSDs, on the graphs of docs/plan.md.
SearchDepth RoughDepth(const GraphManifest& graph);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_EFFORT_H_

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

/// True where vertices have so few neighbours that a search advances as on a plane, in many small
/// steps.
bool SearchesAreDeep(const GraphManifest& graph);

/// The ways in which kernels go through graphs, of which more depends than on size.
enum class GraphKind {
  kDeep,       ///< as SearchesAreDeep says
  kClustered,  ///< lists near each other have many neighbours in common, as of web pages in the
               ///< order of their addresses
  kHubs,       ///< hubs come first, which bring most vertices into few steps
  kScattered,  ///< what a step wants lies all over the graph
};

/// `lists_are_clustered`: of ListSample.
GraphKind KindOf(const GraphManifest& graph, bool lists_are_clustered);

/// A figure for each kind.
struct PerKind {
  double deep = 0;
  double clustered = 0;
  double hubs = 0;
  double scattered = 0;

  double Of(GraphKind kind) const;
};

/// What is known of a graph's lists beside its manifest.
struct ListTraits {
  bool have_heads = false;  ///< the first neighbours of each vertex are local, as far as stored
  double far_ratio = 1;  ///< the share of them that is neither local nor in a cache, which has the
                         ///< most used ones: where hubs come first, theirs
  GraphKind kind = GraphKind::kScattered;

  double Of(const PerKind& figures) const { return figures.Of(kind); }
};

/// About how deep a breadth-first search goes.
struct SearchDepth {
  double levels = 0;
  double parts = 0;  ///< those in which most of the vertices are
};

/// Where vertices have few neighbours a search has about the square root of all vertices as levels,
/// whose lists lie near each other: they are read as if there were a fifth as many parts. Else
/// levels grow by the mean degree; clustered lists lead to what is near already, which takes three
/// times as many (cnr-2000). Parts are measured from SSDs, on the graphs of docs/plan.md.
SearchDepth RoughDepth(const GraphManifest& graph, GraphKind kind);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_EFFORT_H_

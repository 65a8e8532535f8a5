#ifndef FARGRAPH_GRAPH_CONVERT_H_
#define FARGRAPH_GRAPH_CONVERT_H_

#include <string>

#include "absl/status/statusor.h"
#include "graph/builder.h"
#include "graph/generators/generator.h"

/// What `fargraph convert` and `fargraph generate` do, once their flags are read.
namespace fargraph {

struct ConvertOptions {
  std::string input;   ///< a graph file of any format of docs/input-formats.md
  std::string output;  ///< the graph directory to write
  BuildOptions build;
};

/// Converts a file to a graph directory. The errors of OpenEdgeReader and BuildGraph.
absl::StatusOr<BuildReport> ConvertGraph(const ConvertOptions& options);

struct GenerateOptions {
  GeneratorOptions generator;
  std::string output;  ///< the graph directory to write
  BuildOptions build;  ///< with symmetrize, 2^scale * degree undirected edges
};

/// Writes a random graph as a graph directory. The errors of OpenGenerator and BuildGraph.
absl::StatusOr<BuildReport> GenerateGraph(const GenerateOptions& options);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_CONVERT_H_

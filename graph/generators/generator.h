#ifndef FARGRAPH_GRAPH_GENERATORS_GENERATOR_H_
#define FARGRAPH_GRAPH_GENERATORS_GENERATOR_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "graph/edge_reader.h"

namespace fargraph {

enum class GeneratorKind : uint8_t {
  kKron,        ///< recursive matrix with the parameters of Graph500, vertices scrambled
  kRmat,        ///< recursive matrix, parameters as chosen, vertices as they come
  kUniform,     ///< both ends of every edge uniformly random (Erdős-Rényi)
  kSmallWorld,  ///< a ring with random shortcuts (Watts-Strogatz)
};

/// The kind named "kron", "rmat", "uniform" or "smallworld"; InvalidArgument names the four.
absl::StatusOr<GeneratorKind> ParseGeneratorKind(absl::string_view name);

struct GeneratorOptions {
  GeneratorKind kind = GeneratorKind::kKron;
  int scale = 20;        ///< 2^scale vertices, 1 to 40
  uint64_t degree = 16;  ///< edges per vertex, each in one direction
  uint64_t seed = 1;
  bool weights = false;  ///< random int32 weights, 1 to 255

  /// kRmat: the probability that an edge falls into the upper left, upper right and lower left
  /// quarter of the adjacency matrix, at every level of the recursion. kKron always has these.
  double a = 0.57;
  double b = 0.19;
  double c = 0.19;

  double rewire = 0.1;  ///< kSmallWorld: the probability that an edge becomes a shortcut
};

/// A reader of 2^scale * degree random edges. They depend on the options alone, not on the number
/// of threads that Read uses. InvalidArgument says which option is wrong.
absl::StatusOr<std::unique_ptr<EdgeReader>> OpenGenerator(const GeneratorOptions& options);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_GENERATORS_GENERATOR_H_

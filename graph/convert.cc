#include "graph/convert.h"

#include "graph/edge_reader.h"

namespace fargraph {

absl::StatusOr<BuildReport> ConvertGraph(const ConvertOptions& options) {
  return BuildGraph([&] { return OpenEdgeReader(options.input); }, options.output, options.build);
}

absl::StatusOr<BuildReport> GenerateGraph(const GenerateOptions& options) {
  return BuildGraph([&] { return OpenGenerator(options.generator); }, options.output,
                    options.build);
}

}  // namespace fargraph

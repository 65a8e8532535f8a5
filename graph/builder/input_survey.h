#ifndef FARGRAPH_GRAPH_BUILDER_INPUT_SURVEY_H_
#define FARGRAPH_GRAPH_BUILDER_INPUT_SURVEY_H_

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/builder.h"
#include "graph/builder/build_monitor.h"
#include "graph/builder/renumbering.h"
#include "graph/builder/vertex_ids.h"

namespace fargraph {

/// What the first pass over an input finds out.
struct InputSurvey {
  InputProperties properties;
  WeightType weight_type = WeightType::kNone;  ///< that holds all weights in the fewest bytes
  VertexIds ids;
  VertexOrder order = VertexOrder::kInput;
  Renumbering renumbering;  ///< of the ids' ranks, for that order
  uint64_t edges = 0;
  uint64_t self_loops = 0;
  /// Every edge is there in both directions, equally often and with equal weights.
  bool symmetric = false;
};

/// Reads all of the input once, and chooses the order of the vertices. DataLoss when it is not what
/// its properties declare; InvalidArgument when it has more vertices than can be numbered.
absl::StatusOr<InputSurvey> SurveyInput(const EdgeReaderFactory& open, const BuildOptions& options,
                                        BuildMonitor& monitor);

/// Reads all edges, and calls visit(batch) for each batch of at most 256 Ki.
absl::Status ForEachBatch(EdgeReader& reader,
                          absl::FunctionRef<absl::Status(absl::Span<const InputEdge>)> visit);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_BUILDER_INPUT_SURVEY_H_

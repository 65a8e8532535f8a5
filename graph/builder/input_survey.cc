#include "graph/builder/input_survey.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graph/builder/degree_counts.h"
#include "graph/builder/edge_record.h"
#include "graph/edge_hash.h"
#include "graph/thread_count.h"

namespace fargraph {
namespace {

// At first, as an input may be small, and at most.
constexpr size_t kFirstBatchEdges = size_t{1} << 10;
constexpr size_t kBatchEdges = size_t{1} << 18;

// Adds up, over a batch, self-loops and the difference between the hashes of edges and of opposite
// edges. The latter is zero over a whole input that holds every edge in both directions, and over
// others by one chance in 2^64 (EdgeHash).
struct BatchSums {
  uint64_t self_loops = 0;
  uint64_t asymmetry = 0;
  uint32_t most_weight_bits = 0;  // negative ones have more than any other
};

BatchSums SumBatch(absl::Span<const InputEdge> edges) {
  uint64_t self_loops = 0;
  uint64_t asymmetry = 0;
  uint32_t most_weight_bits = 0;
#pragma omp parallel for num_threads(ThreadCountFor(edges.size())) \
    reduction(+ : self_loops, asymmetry) reduction(max : most_weight_bits)
  for (size_t i = 0; i < edges.size(); ++i) {
    const InputEdge& edge = edges[i];
    self_loops += edge.source == edge.target;
    asymmetry += EdgeHash(edge.source, edge.target, edge.weight_bits) -
                 EdgeHash(edge.target, edge.source, edge.weight_bits);
    most_weight_bits = std::max(most_weight_bits, edge.weight_bits);
  }
  return {self_loops, asymmetry, most_weight_bits};
}

WeightType NarrowestType(WeightType type, uint32_t most_weight_bits) {
  return type == WeightType::kInt32 && FitsByte(most_weight_bits) ? WeightType::kUint8 : type;
}

// Nothing where degrees play no part.
std::optional<DegreeCounts> CountersFor(const InputProperties& properties,
                                        const BuildOptions& options) {
  if (options.order == VertexOrder::kInput) return std::nullopt;
  const bool self_loops = !options.remove_self_loops;
  if (!properties.declares_vertices) return DegreeCounts(0, VertexIds::kDenseIds, self_loops);
  return DegreeCounts(properties.first_id, properties.declared_vertices, self_loops);
}

void ChooseOrder(std::vector<VertexId> degrees, const BuildOptions& options, InputSurvey& survey) {
  if (!options.order && !DegreesAreSkewed(degrees)) return;
  survey.order = VertexOrder::kDegree;
  survey.renumbering = Renumbering::HubsFirst(std::move(degrees));
}

absl::Status CheckDeclaredIds(const InputProperties& properties,
                              absl::Span<const InputEdge> edges) {
  for (const InputEdge& edge : edges) {
    for (const uint64_t id : {edge.source, edge.target}) {
      if (id - properties.first_id < properties.declared_vertices) continue;
      return absl::DataLossError(absl::StrCat(
          "Reading the ", properties.format, " input: an edge names vertex ", id,
          ", but the file declares ", properties.declared_vertices, " vertices beginning at ",
          properties.first_id, "; check that the file is complete"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckVertexCount(uint64_t vertices) {
  constexpr uint64_t kMaxVertices = std::min<uint64_t>(kMaxRecordVertices, kNoVertex) - 1;
  if (vertices <= kMaxVertices) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("Converting a graph of ", vertices, " vertices: this program numbers at most ",
                   kMaxVertices, "; build it with FARGRAPH_64BIT_IDS=ON for larger graphs"));
}

}  // namespace

absl::Status ForEachBatch(EdgeReader& reader,
                          absl::FunctionRef<absl::Status(absl::Span<const InputEdge>)> visit) {
  std::vector<InputEdge> batch(kFirstBatchEdges);
  while (true) {
    FARGRAPH_ASSIGN_OR_RETURN(const size_t count, reader.Read(absl::MakeSpan(batch)));
    if (count == 0) return absl::OkStatus();
    FARGRAPH_RETURN_IF_ERROR(visit(absl::MakeConstSpan(batch).subspan(0, count)));
    batch.resize(std::min(2 * batch.size(), kBatchEdges));
  }
}

absl::StatusOr<InputSurvey> SurveyInput(const EdgeReaderFactory& open, const BuildOptions& options,
                                        BuildMonitor& monitor) {
  FARGRAPH_ASSIGN_OR_RETURN(const std::unique_ptr<EdgeReader> reader, open());
  InputSurvey survey;
  survey.properties = reader->properties();
  const InputProperties& properties = survey.properties;
  if (properties.declares_vertices) {
    FARGRAPH_RETURN_IF_ERROR(CheckVertexCount(properties.declared_vertices));
    survey.ids = VertexIds::Range(properties.first_id, properties.declared_vertices);
  }

  std::optional<DegreeCounts> degrees = CountersFor(properties, options);
  uint64_t asymmetry = 0;
  uint32_t most_weight_bits = 0;
  const auto add_batch = [&](absl::Span<const InputEdge> edges) -> absl::Status {
    if (properties.declares_vertices) {
      FARGRAPH_RETURN_IF_ERROR(CheckDeclaredIds(properties, edges));
    }
    survey.ids.Add(edges);
    if (degrees) degrees->Add(edges);
    const BatchSums sums = SumBatch(edges);
    survey.self_loops += sums.self_loops;
    asymmetry += sums.asymmetry;
    most_weight_bits = std::max(most_weight_bits, sums.most_weight_bits);
    survey.edges += edges.size();
    return monitor.Report("reading", survey.edges, 0);
  };
  FARGRAPH_RETURN_IF_ERROR(ForEachBatch(*reader, add_batch));

  survey.symmetric = asymmetry == 0;
  survey.weight_type = NarrowestType(properties.weight_type, most_weight_bits);
  survey.ids.Rank();
  FARGRAPH_RETURN_IF_ERROR(CheckVertexCount(survey.ids.size()));
  if (properties.both_directions && !survey.symmetric) {
    return absl::DataLossError(
        absl::StrCat("Reading the ", properties.format,
                     " input: it says that it is undirected, but some of its edges are not there "
                     "in the other direction; check that the file is complete"));
  }
  if (degrees) ChooseOrder(degrees->ByRank(survey.ids), options, survey);
  return survey;
}

}  // namespace fargraph

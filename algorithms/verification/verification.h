#ifndef FARGRAPH_ALGORITHMS_VERIFICATION_VERIFICATION_H_
#define FARGRAPH_ALGORITHMS_VERIFICATION_VERIFICATION_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compute_node/engine/kernel.h"
#include "graph/csr.h"
#include "graph/graph_files.h"
#include "graph/ids.h"
#include "graph/vertex_names.h"
#include "nlohmann/json.hpp"

/// What the verifiers have in common. Everything that finds a result wrong is Aborted and says in
/// one sentence what is wrong. Kernels include nothing of this folder, so that verifiers share no
/// code with them.
namespace fargraph {

/// The vertices' ids in the input, to name vertices in answers and messages.
class InputIds {
 public:
  static absl::StatusOr<InputIds> Load(const GraphFiles& files);

  uint64_t operator[](VertexId v) const { return ids_[v]; }
  VertexId vertices() const { return ids_.size(); }

 private:
  explicit InputIds(std::vector<uint64_t> ids) : ids_(std::move(ids)) {}

  std::vector<uint64_t> ids_;
};

/// A result's column; Aborted if there is no column of that name with T for every vertex. T is
/// int32_t, VertexId, float or double. The values belong to the result.
template <typename T>
absl::StatusOr<absl::Span<const T>> FindColumn(const KernelResult& result, absl::string_view name,
                                               VertexId vertices);

/// The numbers of a result's column, which are float in single precision and else double.
absl::StatusOr<std::vector<double>> ReadNumbers(const KernelResult& result, absl::string_view name,
                                                Precision precision, VertexId vertices);

/// Aborted unless the answer's field is `expected`.
absl::Status CheckAnswer(const KernelResult& result, absl::string_view field,
                         const nlohmann::ordered_json& expected);

/// Aborted unless the answer's field is a number within `tolerance` of `expected`.
absl::Status CheckAnswerNear(const KernelResult& result, absl::string_view field, double expected,
                             double tolerance);

/// Aborted unless the answer's top10 are the ten vertices with the highest of `values`, one for
/// each vertex, as pairs of id and value, smaller vertices first among equals.
absl::Status CheckTop10(const KernelResult& result, const InputIds& ids,
                        absl::Span<const double> values);

/// The vertices that the answer's field names; Aborted unless they are `samples` different ones, or
/// all of fewer vertices. Errors of reading names.
absl::StatusOr<std::vector<VertexId>> ReadSample(const KernelResult& result,
                                                 absl::string_view field, const VertexNames& names,
                                                 uint64_t samples);

/// The answer's `sources`: that one if there is one, else as ReadSample; Aborted unless they are.
absl::StatusOr<std::vector<VertexId>> ReadSources(const KernelResult& result,
                                                  const VertexNames& names,
                                                  std::optional<VertexId> source, uint64_t samples);

/// Where a search is to begin: at the source that was asked for, else at the vertex with most
/// out-edges, the smallest of equals.
VertexId ExpectedSource(const Csr& out_edges, const KernelOptions& options);

/// Aborted: `quantity` of vertex v is `actual` and has to be `expected`.
absl::Status WrongNumber(absl::string_view quantity, const InputIds& ids, VertexId v,
                         int64_t actual, int64_t expected);

/// The same for a quantity that is itself a vertex, or kNoVertex.
absl::Status WrongVertex(absl::string_view quantity, const InputIds& ids, VertexId v,
                         VertexId actual, VertexId expected);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_VERIFICATION_VERIFICATION_H_

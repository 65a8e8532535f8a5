#include "algorithms/verification.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graph/vertex_names.h"

namespace fargraph {

absl::StatusOr<InputIds> InputIds::Load(const GraphFiles& files) {
  FARGRAPH_ASSIGN_OR_RETURN(std::vector<uint64_t> ids, files.names().ReadIds());
  return InputIds(std::move(ids));
}

template <typename T>
absl::StatusOr<absl::Span<const T>> FindColumn(const KernelResult& result, absl::string_view name,
                                               VertexId vertices) {
  for (const Column& column : result.columns) {
    const auto* values = std::get_if<VertexArray<T>>(&column.values);
    if (column.name == name && values != nullptr && values->size() == vertices)
      return absl::MakeConstSpan(values->data(), values->size());
  }
  return absl::AbortedError(
      absl::StrCat("the result has no ", name, " for each of the ", vertices, " vertices"));
}

template absl::StatusOr<absl::Span<const int32_t>> FindColumn(const KernelResult&,
                                                              absl::string_view, VertexId);
template absl::StatusOr<absl::Span<const VertexId>> FindColumn(const KernelResult&,
                                                               absl::string_view, VertexId);
template absl::StatusOr<absl::Span<const float>> FindColumn(const KernelResult&, absl::string_view,
                                                            VertexId);
template absl::StatusOr<absl::Span<const double>> FindColumn(const KernelResult&, absl::string_view,
                                                             VertexId);

absl::Status CheckAnswer(const KernelResult& result, absl::string_view field,
                         const nlohmann::ordered_json& expected) {
  const auto actual = result.answer.value(std::string(field), nlohmann::ordered_json());
  if (actual == expected) return absl::OkStatus();
  return absl::AbortedError(absl::StrCat("the answer says that ", field, " is ", actual.dump(),
                                         ", where the verifier finds ", expected.dump()));
}

absl::Status CheckAnswerNear(const KernelResult& result, absl::string_view field, double expected,
                             double tolerance) {
  const auto actual = result.answer.value(std::string(field), nlohmann::ordered_json());
  if (actual.is_number() && std::abs(actual.get<double>() - expected) <= tolerance) {
    return absl::OkStatus();
  }
  return CheckAnswer(result, field, expected);
}

absl::Status WrongNumber(absl::string_view quantity, const InputIds& ids, VertexId v,
                         int64_t actual, int64_t expected) {
  return absl::AbortedError(absl::StrCat("vertex ", ids[v], " has ", quantity, " ", actual,
                                         ", where the verifier finds ", expected));
}

absl::Status WrongVertex(absl::string_view quantity, const InputIds& ids, VertexId v,
                         VertexId actual, VertexId expected) {
  const auto name = [&](VertexId u) {
    if (u == kNoVertex) return std::string("none");
    return u < ids.vertices() ? absl::StrCat(ids[u]) : std::string("outside the graph");
  };
  return absl::AbortedError(absl::StrCat("vertex ", ids[v], " has ", quantity, " ", name(actual),
                                         ", where the verifier finds ", name(expected)));
}

}  // namespace fargraph

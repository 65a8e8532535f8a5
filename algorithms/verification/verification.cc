#include "algorithms/verification/verification.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
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

absl::StatusOr<std::vector<double>> ReadNumbers(const KernelResult& result, absl::string_view name,
                                                Precision precision, VertexId vertices) {
  if (precision == Precision::kSingle) {
    FARGRAPH_ASSIGN_OR_RETURN(const auto values, FindColumn<float>(result, name, vertices));
    return std::vector<double>(values.begin(), values.end());
  }
  FARGRAPH_ASSIGN_OR_RETURN(const auto values, FindColumn<double>(result, name, vertices));
  return std::vector<double>(values.begin(), values.end());
}

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

absl::Status CheckTop10(const KernelResult& result, const InputIds& ids,
                        absl::Span<const double> values) {
  std::vector<VertexId> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  const size_t count = std::min<size_t>(10, order.size());
  std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](VertexId a, VertexId b) {
    return std::pair(-values[a], a) < std::pair(-values[b], b);
  });
  nlohmann::ordered_json top10 = nlohmann::ordered_json::array();
  for (size_t i = 0; i < count; ++i) top10.push_back({ids[order[i]], values[order[i]]});
  return CheckAnswer(result, "top10", top10);
}

absl::StatusOr<std::vector<VertexId>> ReadSample(const KernelResult& result,
                                                 absl::string_view field, const VertexNames& names,
                                                 uint64_t samples) {
  std::set<VertexId> sample;
  const auto named = result.answer.value(std::string(field), nlohmann::ordered_json::array());
  for (const auto& id : named) {
    std::optional<VertexId> vertex;
    if (id.is_number_integer()) {
      FARGRAPH_ASSIGN_OR_RETURN(vertex, names.Find(id.get<uint64_t>()));
    }
    if (!vertex) {
      return absl::AbortedError(
          absl::StrCat("the sample holds ", id.dump(), ", which is no vertex of the graph"));
    }
    sample.insert(*vertex);
  }
  const uint64_t expected = std::min<uint64_t>(samples, names.vertices());
  if (sample.size() != expected || named.size() != expected) {
    return absl::AbortedError(absl::StrCat("the sample holds ", sample.size(),
                                           " different vertices in ", named.size(),
                                           " places, where there are to be ", expected));
  }
  return std::vector<VertexId>(sample.begin(), sample.end());
}

absl::StatusOr<std::vector<VertexId>> ReadSources(const KernelResult& result,
                                                  const VertexNames& names,
                                                  std::optional<VertexId> source,
                                                  uint64_t samples) {
  if (!source) return ReadSample(result, "sources", names, samples);
  FARGRAPH_ASSIGN_OR_RETURN(const uint64_t id, names.IdOf(*source));
  FARGRAPH_RETURN_IF_ERROR(CheckAnswer(result, "sources", nlohmann::ordered_json::array({id})));
  return std::vector<VertexId>{*source};
}

VertexId ExpectedSource(const Csr& out_edges, const KernelOptions& options) {
  if (options.source) return *options.source;
  VertexId source = 0;
  for (VertexId v = 1; v < out_edges.vertices(); ++v) {
    if (out_edges.degree(v) > out_edges.degree(source)) source = v;
  }
  return source;
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

#include "graph/generators/generator.h"

#include <array>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graph/generators/generated_edge_reader.h"
#include "graph/generators/models.h"

namespace fargraph {
namespace {

constexpr int kMaxScale = 40;
constexpr uint64_t kMaxEdges = uint64_t{1} << 48;

struct NamedKind {
  absl::string_view name;
  GeneratorKind kind;
};
constexpr std::array<NamedKind, 4> kKinds = {{{"kron", GeneratorKind::kKron},
                                              {"rmat", GeneratorKind::kRmat},
                                              {"uniform", GeneratorKind::kUniform},
                                              {"smallworld", GeneratorKind::kSmallWorld}}};

absl::string_view KindName(GeneratorKind kind) {
  for (const NamedKind& named : kKinds) {
    if (named.kind == kind) return named.name;
  }
  return "";
}

absl::Status WrongOption(const std::string& what) {
  return absl::InvalidArgumentError(absl::StrCat("Generating a graph: ", what));
}

absl::Status CheckOptions(const GeneratorOptions& options) {
  if (options.scale < 1 || options.scale > kMaxScale) {
    return WrongOption(
        absl::StrCat("the scale ", options.scale, " is not within 1 to ", kMaxScale));
  }
  if (options.degree < 1 || options.degree > kMaxEdges >> options.scale) {
    return WrongOption(absl::StrCat("the degree ", options.degree, " is not within 1 to ",
                                    kMaxEdges >> options.scale, " at scale ", options.scale));
  }
  if (options.kind == GeneratorKind::kSmallWorld && 2 * options.degree >= uint64_t{1}
                                                                              << options.scale) {
    return WrongOption(absl::StrCat("a ring of 2^", options.scale,
                                    " vertices needs a degree below half of them, not ",
                                    options.degree));
  }
  // Written so that not-a-number fails.
  if (!(options.a >= 0 && options.b >= 0 && options.c >= 0 &&
        options.a + options.b + options.c <= 1)) {
    return WrongOption(absl::StrCat("the probabilities a, b and c (", options.a, ", ", options.b,
                                    ", ", options.c, ") are negative or exceed 1 together"));
  }
  if (!(options.rewire >= 0 && options.rewire <= 1)) {
    return WrongOption(
        absl::StrCat("the rewiring probability ", options.rewire, " is not within 0 to 1"));
  }
  return absl::OkStatus();
}

template <typename Model>
std::unique_ptr<EdgeReader> ReadModel(const GeneratorOptions& options, Model model) {
  InputProperties properties = {
      .format = absl::StrCat("generated ", KindName(options.kind), ", scale ", options.scale,
                             ", degree ", options.degree, ", seed ", options.seed),
      .weight_type = options.weights ? WeightType::kInt32 : WeightType::kNone,
      .declares_vertices = true,
      .declared_vertices = uint64_t{1} << options.scale};
  const uint64_t edges = options.degree << options.scale;
  if (!options.weights) {
    return std::make_unique<GeneratedEdgeReader<Model>>(std::move(model), edges,
                                                        std::move(properties));
  }
  return std::make_unique<GeneratedEdgeReader<WeightedModel<Model>>>(
      WeightedModel<Model>(std::move(model), options.seed), edges, std::move(properties));
}

}  // namespace

absl::StatusOr<GeneratorKind> ParseGeneratorKind(absl::string_view name) {
  for (const NamedKind& named : kKinds) {
    if (named.name == name) return named.kind;
  }
  return WrongOption(
      absl::StrCat("there is no generator \"", name, "\"; take kron, rmat, uniform or smallworld"));
}

absl::StatusOr<std::unique_ptr<EdgeReader>> OpenGenerator(const GeneratorOptions& options) {
  FARGRAPH_RETURN_IF_ERROR(CheckOptions(options));
  const int scale = options.scale;
  const uint64_t seed = options.seed;
  switch (options.kind) {
    case GeneratorKind::kKron:
      return ReadModel(options, KroneckerModel(scale, seed));
    case GeneratorKind::kRmat:
      return ReadModel(options, RecursiveMatrixModel(scale, seed, options.a, options.b, options.c));
    case GeneratorKind::kUniform:
      return ReadModel(options, UniformModel(scale, seed));
    case GeneratorKind::kSmallWorld:
      return ReadModel(options, SmallWorldModel(scale, options.degree, seed, options.rewire));
  }
  return absl::InternalError("Generating a graph: an unknown kind of generator");
}

}  // namespace fargraph

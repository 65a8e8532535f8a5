#include "graph/readers/adjacency_graph_reader.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graph/readers/csr_reader.h"
#include "graph/readers/text_fields.h"
#include "graph/readers/token_reader.h"

namespace fargraph {
namespace {

constexpr absl::string_view kUnweighted = "AdjacencyGraph";
constexpr absl::string_view kWeighted = "WeightedAdjacencyGraph";

struct AdjacencyHeader {
  bool weighted = false;
  uint64_t vertices = 0;
  uint64_t edges = 0;
};

absl::Status EndsTooSoon(const TokenReader& tokens, absl::string_view missing) {
  return tokens.Error(
      absl::StrCat("the file ends before ", missing, "; it is truncated, get it again"));
}

/// Takes the next word; `what` says what it should be.
absl::StatusOr<absl::string_view> NextToken(TokenReader& tokens, absl::string_view what) {
  absl::string_view token;
  FARGRAPH_ASSIGN_OR_RETURN(const bool more, tokens.Next(token));
  if (!more) return EndsTooSoon(tokens, what);
  return token;
}

absl::StatusOr<uint64_t> NextNumber(TokenReader& tokens, absl::string_view what) {
  FARGRAPH_ASSIGN_OR_RETURN(const absl::string_view token, NextToken(tokens, what));
  uint64_t number = 0;
  if (ParseId(token, number)) return number;
  return tokens.Error(absl::StrCat(Quote(token), " stands for ", what,
                                   ", but is not a whole number of at most 64 bits; the file is "
                                   "damaged, get it again"));
}

absl::Status Skip(TokenReader& tokens, uint64_t count, absl::string_view what) {
  for (uint64_t i = 0; i < count; ++i) {
    FARGRAPH_RETURN_IF_ERROR(NextToken(tokens, what).status());
  }
  return absl::OkStatus();
}

absl::StatusOr<AdjacencyHeader> ReadHeader(TokenReader& tokens) {
  AdjacencyHeader header;
  FARGRAPH_ASSIGN_OR_RETURN(const absl::string_view word, NextToken(tokens, "the header"));
  header.weighted = word == kWeighted;
  FARGRAPH_ASSIGN_OR_RETURN(header.vertices, NextNumber(tokens, "the number of vertices"));
  FARGRAPH_ASSIGN_OR_RETURN(header.edges, NextNumber(tokens, "the number of edges"));
  if (header.vertices == 0 && header.edges != 0) {
    return tokens.Error(
        absl::StrCat("it declares ", header.edges, " edges of no vertices; correct the header"));
  }
  return header;
}

/// kInt32 if the next `edges` weights all look whole. A file that ends too soon is left for the
/// reader to meet.
absl::StatusOr<WeightType> FindWeightType(TokenReader& weights, uint64_t edges) {
  for (uint64_t i = 0; i < edges; ++i) {
    absl::string_view token;
    FARGRAPH_ASSIGN_OR_RETURN(const bool more, weights.Next(token));
    if (!more) break;
    if (WeightTypeOf(token) == WeightType::kFloat32) return WeightType::kFloat32;
  }
  return WeightType::kInt32;
}

class AdjacencyGraphReader final : public CsrReader {
 public:
  AdjacencyGraphReader(const AdjacencyHeader& header, WeightType weight_type, TokenReader offsets,
                       TokenReader targets, std::optional<TokenReader> weights)
      : CsrReader(Properties(header, weight_type), header.edges),
        offsets_(std::move(offsets)),
        targets_(std::move(targets)),
        weights_(std::move(weights)) {}

 protected:
  /// A list ends where the next one begins, and that of the last vertex with the edges.
  absl::StatusOr<uint64_t> ReadListEnd(uint64_t vertex) override {
    if (vertex + 1 == vertices()) return edges();
    return NextNumber(offsets_, "an offset");
  }

  absl::StatusOr<size_t> ReadTargets(absl::Span<InputEdge> edges) override {
    for (InputEdge& edge : edges) {
      FARGRAPH_ASSIGN_OR_RETURN(edge.target, NextNumber(targets_, "the target of an edge"));
      if (edge.target >= vertices()) {
        return targets_.Error(absl::StrCat("the target ", edge.target,
                                           " of an edge is not among the ", vertices(),
                                           " vertices; the file is damaged, get it again"));
      }
      edge.weight_bits = 0;
      if (weights_.has_value()) FARGRAPH_RETURN_IF_ERROR(ReadWeight(edge.weight_bits));
    }
    return edges.size();
  }

  absl::Status CheckEnd() override {
    TokenReader& last = weights_.has_value() ? *weights_ : targets_;
    absl::string_view token;
    FARGRAPH_ASSIGN_OR_RETURN(const bool more, last.Next(token));
    if (!more) return absl::OkStatus();
    return last.Error(absl::StrCat("the file goes on with ", Quote(token), " behind the ", edges(),
                                   " edges that it declares; correct the header or get the file "
                                   "again"));
  }

  absl::Status ListEndError(absl::string_view problem) const override {
    return offsets_.Error(problem);
  }

 private:
  static InputProperties Properties(const AdjacencyHeader& header, WeightType weight_type) {
    InputProperties properties;
    properties.format = absl::StrCat(header.weighted ? kWeighted : kUnweighted);
    properties.weight_type = weight_type;
    properties.declares_vertices = true;
    properties.declared_vertices = header.vertices;
    return properties;
  }

  absl::Status ReadWeight(uint32_t& bits) {
    FARGRAPH_ASSIGN_OR_RETURN(const absl::string_view token,
                              NextToken(*weights_, "the weight of an edge"));
    const WeightType type = properties().weight_type;
    if (ParseWeight(token, type, bits)) return absl::OkStatus();
    return weights_->Error(DescribeBadWeight(token, type));
  }

  TokenReader offsets_;
  TokenReader targets_;
  std::optional<TokenReader> weights_;
};

}  // namespace

bool IsAdjacencyGraph(absl::string_view head) {
  return absl::StartsWith(head, kUnweighted) || absl::StartsWith(head, kWeighted);
}

absl::StatusOr<std::unique_ptr<EdgeReader>> OpenAdjacencyGraphReader(
    std::shared_ptr<const InputFile> input) {
  FARGRAPH_ASSIGN_OR_RETURN(TokenReader offsets, TokenReader::Open(input, {}));
  FARGRAPH_ASSIGN_OR_RETURN(const AdjacencyHeader header, ReadHeader(offsets));

  // One walk through the file finds where the arrays begin.
  FARGRAPH_ASSIGN_OR_RETURN(TokenReader walk, TokenReader::Open(input, offsets.position()));
  FARGRAPH_RETURN_IF_ERROR(Skip(walk, header.vertices, "an offset"));
  const TokenReader::Position targets_at = walk.position();
  std::optional<TokenReader> weights;
  WeightType weight_type = WeightType::kNone;
  if (header.weighted) {
    FARGRAPH_RETURN_IF_ERROR(Skip(walk, header.edges, "the target of an edge"));
    FARGRAPH_ASSIGN_OR_RETURN(weights, TokenReader::Open(input, walk.position()));
    FARGRAPH_ASSIGN_OR_RETURN(weight_type, FindWeightType(walk, header.edges));
  }
  FARGRAPH_ASSIGN_OR_RETURN(TokenReader targets, TokenReader::Open(std::move(input), targets_at));

  if (header.vertices != 0) {
    FARGRAPH_ASSIGN_OR_RETURN(const uint64_t first, NextNumber(offsets, "an offset"));
    if (first != 0) {
      return offsets.Error(absl::StrCat("the list of vertex 0 begins at offset ", first,
                                        " where it must be 0; the file is damaged, get it again"));
    }
  }
  return std::make_unique<AdjacencyGraphReader>(header, weight_type, std::move(offsets),
                                                std::move(targets), std::move(weights));
}

}  // namespace fargraph

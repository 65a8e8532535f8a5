#include "graph/format/manifest.h"

#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

using nlohmann::json;

constexpr absl::string_view kFormat = "fargraph graph";
constexpr uint64_t kManifestVersion = 3;

std::string Hex64(uint64_t value) { return absl::StrFormat("%016x", value); }

std::optional<uint64_t> ParseHex64(const std::string& text) {
  uint64_t value = 0;
  if (text.size() != 16 || !absl::SimpleHexAtoi(text, &value)) return std::nullopt;
  return value;
}

// The checksum of a manifest covers its values, not its white space.
std::string ManifestChecksum(const json& manifest_without_checksum) {
  const std::string text =
      manifest_without_checksum.dump(-1, ' ', false, json::error_handler_t::replace);
  return Hex64(XXH3_64bits(text.data(), text.size()));
}

// Reads members of a JSON object and remembers the first that is missing or of another type.
class ObjectReader {
 public:
  explicit ObjectReader(const json& object) : object_(object) {}

  template <typename Value>
  void Read(const char* name, Value& value) {
    const auto member = object_.find(name);
    if (member == object_.end() || !Holds<Value>(*member)) {
      if (status_.ok()) {
        status_ = absl::DataLossError(absl::StrCat("\"", name, "\" is missing or malformed"));
      }
      return;
    }
    value = member->template get<Value>();
  }

  const absl::Status& status() const { return status_; }

 private:
  template <typename Value>
  static bool Holds(const json& member) {
    if constexpr (std::is_same_v<Value, bool>) return member.is_boolean();
    if constexpr (std::is_same_v<Value, uint64_t>) return member.is_number_unsigned();
    if constexpr (std::is_same_v<Value, std::string>) return member.is_string();
    if constexpr (std::is_same_v<Value, json::object_t>) return member.is_object();
  }

  const json& object_;
  absl::Status status_;
};

// The JSON object that the text is if it is a manifest of some version, else nothing.
json ParseManifest(absl::string_view text) {
  json encoded = json::parse(text.begin(), text.end(), /*cb=*/nullptr, /*allow_exceptions=*/false);
  std::string format;
  if (encoded.is_object()) ObjectReader(encoded).Read("format", format);
  return format == kFormat ? encoded : json();
}

json EncodeArrays(const ArrayHeaders& arrays) {
  json encoded = json::object();
  for (const auto& [name, header] : arrays) {
    encoded[name] = {{"type", std::string(ElementTypeName(header.type))},
                     {"elements", header.elements},
                     {"checksum", Hex64(header.table_checksum)}};
  }
  return encoded;
}

absl::StatusOr<ArrayHeader> DecodeArray(const std::string& name, const json& encoded) {
  if (!encoded.is_object()) {
    return absl::DataLossError(absl::StrCat("array \"", name, "\" is malformed"));
  }
  std::string type;
  std::string checksum;
  ArrayHeader header;
  ObjectReader reader(encoded);
  reader.Read("type", type);
  reader.Read("elements", header.elements);
  reader.Read("checksum", checksum);
  FARGRAPH_RETURN_IF_ERROR(reader.status());
  const auto element_type = ParseElementType(type);
  const auto table_checksum = ParseHex64(checksum);
  if (!element_type || !table_checksum) {
    return absl::DataLossError(absl::StrCat("array \"", name, "\" is malformed"));
  }
  header.type = *element_type;
  header.table_checksum = *table_checksum;
  return header;
}

std::optional<VertexOrder> ParseVertexOrder(absl::string_view name) {
  for (const VertexOrder order : {VertexOrder::kInput, VertexOrder::kDegree}) {
    if (name == VertexOrderName(order)) return order;
  }
  return std::nullopt;
}

std::optional<WeightType> ParseWeightType(absl::string_view name) {
  for (const WeightType type :
       {WeightType::kNone, WeightType::kInt32, WeightType::kFloat32, WeightType::kUint8}) {
    if (name == WeightTypeName(type)) return type;
  }
  return std::nullopt;
}

absl::Status CheckArray(const ArrayHeaders& arrays, const std::string& name, ElementType type,
                        uint64_t elements) {
  const auto array = arrays.find(name);
  if (array == arrays.end()) {
    return absl::DataLossError(absl::StrCat("array \"", name, "\" is missing"));
  }
  if (array->second.type != type || array->second.elements != elements) {
    return absl::DataLossError(absl::StrCat("array \"", name, "\" does not fit the graph"));
  }
  return absl::OkStatus();
}

absl::Status CheckHeads(const ArrayHeaders& arrays, Direction direction,
                        const GraphManifest& graph) {
  uint64_t longest = graph.vertices;
  for (uint64_t position = 0; position < graph.heads; ++position) {
    const std::string name = HeadsArray(direction, position);
    const auto column = arrays.find(name);
    const uint64_t length = column == arrays.end() ? 0 : column->second.elements;
    FARGRAPH_RETURN_IF_ERROR(CheckArray(arrays, name, kVertexIdType, std::min(length, longest)));
    longest = length;
  }
  return absl::OkStatus();
}

/// What the first column of heads of every direction says; without one, all vertices.
uint64_t EndOfLists(const Manifest& manifest) {
  const GraphManifest& graph = manifest.graph;
  if (graph.heads == 0 || !(graph.symmetric || graph.has_reverse)) return graph.vertices;
  const auto end_in = [&](Direction direction) {
    return manifest.arrays.at(HeadsArray(direction, 0)).elements;
  };
  return graph.symmetric ? end_in(Direction::kOut)
                         : std::max(end_in(Direction::kOut), end_in(Direction::kIn));
}

absl::Status CheckEdges(const ArrayHeaders& arrays, Direction direction,
                        const GraphManifest& graph) {
  if (!graph.compressed) {
    return CheckArray(arrays, EdgesArray(direction), kVertexIdType, graph.edges);
  }
  const std::string name = CodesArray(direction);
  const auto codes = arrays.find(name);
  const uint64_t bytes = codes == arrays.end() ? 0 : codes->second.elements;
  FARGRAPH_RETURN_IF_ERROR(CheckArray(arrays, name, kCodeType, bytes));
  return CheckArray(arrays, CodeIndexArray(direction), ElementType::kUint64, graph.vertices + 1);
}

absl::Status CheckIdWidth(const ArrayHeaders& arrays, bool compressed) {
  constexpr Direction kOut = Direction::kOut;
  const auto edges = arrays.find(compressed ? CodesArray(kOut) : EdgesArray(kOut));
  const ElementType expected = compressed ? kCodeType : kVertexIdType;
  if (edges == arrays.end() || edges->second.type == expected) return absl::OkStatus();
  const bool wide =
      edges->second.type == ElementType::kUint64 || edges->second.type == ElementType::kCode64;
  return absl::FailedPreconditionError(absl::StrCat(
      "the graph has vertex ids of ", wide ? 64 : 32, " bits; use a program that is built with ",
      wide ? "FARGRAPH_64BIT_IDS=ON" : "FARGRAPH_64BIT_IDS=OFF", " or convert the graph again"));
}

absl::Status CheckNames(const Manifest& manifest) {
  const ArrayHeaders& arrays = manifest.arrays;
  const uint64_t vertices = manifest.graph.vertices;
  if (arrays.contains(kIdsArray)) {
    FARGRAPH_RETURN_IF_ERROR(
        CheckArray(arrays, std::string(kIdsArray), ElementType::kUint64, vertices));
  }
  if (!arrays.contains(kOrderArray) && !arrays.contains(kRanksArray)) return absl::OkStatus();
  if (manifest.graph.order == VertexOrder::kInput) {
    return absl::DataLossError("its vertices are renumbered, and in the order of the input");
  }
  FARGRAPH_RETURN_IF_ERROR(CheckArray(arrays, std::string(kOrderArray), kVertexIdType, vertices));
  return CheckArray(arrays, std::string(kRanksArray), kVertexIdType, vertices);
}

absl::Status CheckArrays(const Manifest& manifest) {
  const GraphManifest& graph = manifest.graph;
  FARGRAPH_RETURN_IF_ERROR(CheckIdWidth(manifest.arrays, graph.compressed));
  if (graph.vertices >= kNoVertex) {
    return absl::DataLossError(absl::StrCat(graph.vertices, " vertices are too many"));
  }
  if (graph.heads > kMaxHeads) {
    return absl::DataLossError(absl::StrCat(graph.heads, " columns of heads are too many"));
  }
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    if (direction == Direction::kIn && !graph.has_reverse) continue;
    FARGRAPH_RETURN_IF_ERROR(CheckArray(manifest.arrays, IndexArray(direction),
                                        ElementType::kUint64, graph.vertices + 1));
    FARGRAPH_RETURN_IF_ERROR(CheckEdges(manifest.arrays, direction, graph));
    if (graph.weight_type != WeightType::kNone) {
      FARGRAPH_RETURN_IF_ERROR(CheckArray(manifest.arrays, WeightsArray(direction),
                                          WeightElementType(graph.weight_type), graph.edges));
    }
    FARGRAPH_RETURN_IF_ERROR(CheckHeads(manifest.arrays, direction, graph));
  }
  return CheckNames(manifest);
}

absl::string_view DirectionName(Direction direction) {
  return direction == Direction::kOut ? "out" : "in";
}

}  // namespace

std::string IndexArray(Direction direction) {
  return absl::StrCat(DirectionName(direction), ".index");
}
std::string EdgesArray(Direction direction) {
  return absl::StrCat(DirectionName(direction), ".edges");
}
std::string CodesArray(Direction direction) {
  return absl::StrCat(DirectionName(direction), ".codes");
}
std::string CodeIndexArray(Direction direction) {
  return absl::StrCat(DirectionName(direction), ".codes.index");
}
std::string WeightsArray(Direction direction) {
  return absl::StrCat(DirectionName(direction), ".weights");
}
std::string HeadsArray(Direction direction, uint64_t position) {
  return absl::StrCat(DirectionName(direction), ".heads.", position);
}

ElementType WeightElementType(WeightType type) {
  if (type == WeightType::kFloat32) return ElementType::kFloat32;
  return type == WeightType::kUint8 ? ElementType::kUint8 : ElementType::kInt32;
}

absl::string_view WeightTypeName(WeightType type) {
  switch (type) {
    case WeightType::kNone:
      return "none";
    case WeightType::kInt32:
      return "int32";
    case WeightType::kFloat32:
      return "float32";
    case WeightType::kUint8:
      return "uint8";
  }
  return "";
}

absl::string_view VertexOrderName(VertexOrder order) {
  return order == VertexOrder::kDegree ? "degree" : "input";
}

std::string ContentId(const ArrayHeaders& arrays) {
  std::string text;
  for (const auto& [name, header] : arrays) {
    absl::StrAppend(&text, name, " ", ElementTypeName(header.type), " ", header.elements, " ",
                    Hex64(header.table_checksum), "\n");
  }
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return Hex64(hash.high64) + Hex64(hash.low64);
}

std::string EncodeManifest(const Manifest& manifest) {
  const GraphManifest& graph = manifest.graph;
  json encoded = {{"format", std::string(kFormat)},
                  {"version", kManifestVersion},
                  {"vertices", graph.vertices},
                  {"edges", graph.edges},
                  {"symmetric", graph.symmetric},
                  {"has_reverse", graph.has_reverse},
                  {"weight_type", std::string(WeightTypeName(graph.weight_type))},
                  {"order", std::string(VertexOrderName(graph.order))},
                  {"heads", graph.heads},
                  {"content_id", graph.content_id},
                  {"self_loops", graph.self_loops},
                  {"duplicates", graph.duplicates},
                  {"self_loops_removed", graph.self_loops_removed},
                  {"duplicates_removed", graph.duplicates_removed},
                  {"source_format", graph.source_format},
                  {"arrays", EncodeArrays(manifest.arrays)}};
  encoded["checksum"] = ManifestChecksum(encoded);
  return encoded.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

std::set<std::string> FilesOfManifest(absl::string_view text) {
  const json encoded = ParseManifest(text);
  if (encoded.is_null()) return {};
  json::object_t arrays;
  ObjectReader(encoded).Read("arrays", arrays);
  std::set<std::string> files = {std::string(kManifestFile)};
  for (const auto& [name, array] : arrays) files.insert(name);
  return files;
}

absl::StatusOr<Manifest> DecodeManifest(absl::string_view text) {
  json encoded = ParseManifest(text);
  if (encoded.is_null()) return absl::DataLossError("it is not a Fargraph manifest");
  uint64_t version = 0;
  ObjectReader(encoded).Read("version", version);
  if (version != kManifestVersion) {
    return absl::FailedPreconditionError(
        absl::StrCat("it has format version ", version, " and this program reads version ",
                     kManifestVersion, "; convert the graph again"));
  }

  Manifest manifest;
  GraphManifest& graph = manifest.graph;
  std::string weight_type;
  std::string order;
  std::string checksum;
  json::object_t arrays;
  ObjectReader reader(encoded);
  reader.Read("vertices", graph.vertices);
  reader.Read("edges", graph.edges);
  reader.Read("symmetric", graph.symmetric);
  reader.Read("has_reverse", graph.has_reverse);
  reader.Read("weight_type", weight_type);
  reader.Read("order", order);
  reader.Read("heads", graph.heads);
  reader.Read("content_id", graph.content_id);
  reader.Read("self_loops", graph.self_loops);
  reader.Read("duplicates", graph.duplicates);
  reader.Read("self_loops_removed", graph.self_loops_removed);
  reader.Read("duplicates_removed", graph.duplicates_removed);
  reader.Read("source_format", graph.source_format);
  reader.Read("arrays", arrays);
  reader.Read("checksum", checksum);
  FARGRAPH_RETURN_IF_ERROR(reader.status());

  encoded.erase("checksum");
  if (checksum != ManifestChecksum(encoded)) {
    return absl::DataLossError("it does not match its own checksum");
  }
  const auto parsed_weight_type = ParseWeightType(weight_type);
  if (!parsed_weight_type) return absl::DataLossError("\"weight_type\" is malformed");
  graph.weight_type = *parsed_weight_type;
  const auto parsed_order = ParseVertexOrder(order);
  if (!parsed_order) return absl::DataLossError("\"order\" is malformed");
  graph.order = *parsed_order;
  for (const auto& [name, array] : arrays) {
    FARGRAPH_ASSIGN_OR_RETURN(manifest.arrays[name], DecodeArray(name, array));
  }
  graph.compressed = manifest.arrays.contains(CodesArray(Direction::kOut));
  FARGRAPH_RETURN_IF_ERROR(CheckArrays(manifest));
  graph.end_of_lists = EndOfLists(manifest);
  if (graph.content_id != ContentId(manifest.arrays)) {
    return absl::DataLossError("\"content_id\" does not match the arrays");
  }
  return manifest;
}

}  // namespace fargraph

#include "graph/describe.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "graph/format/array_reader.h"
#include "graph/format/manifest.h"
#include "graph/vertex_names.h"

namespace fargraph {
namespace {

using nlohmann::json;

struct Degrees {
  uint64_t largest = 0;
  uint64_t zero = 0;  // vertices without an edge
};

absl::StatusOr<Degrees> ScanDegrees(const ArrayFile& index) {
  Degrees degrees;
  EdgeOffset previous = 0;
  const auto visit = [&](uint64_t offset, absl::Span<const std::byte> bytes) -> absl::Status {
    const absl::Span<const EdgeOffset> offsets(reinterpret_cast<const EdgeOffset*>(bytes.data()),
                                               bytes.size() / sizeof(EdgeOffset));
    for (size_t i = 0; i < offsets.size(); ++i) {
      if (offsets[i] < previous) return DamagedFileError(index.path(), "its offsets do not ascend");
      const uint64_t degree = offsets[i] - previous;
      previous = offsets[i];
      if (offset == 0 && i == 0) continue;
      degrees.largest = std::max(degrees.largest, degree);
      degrees.zero += degree == 0;
    }
    return absl::OkStatus();
  };
  FARGRAPH_RETURN_IF_ERROR(index.Scan(visit));
  return degrees;
}

json DescribeManifest(const GraphManifest& manifest) {
  return {{"vertices", manifest.vertices},
          {"edges", manifest.edges},
          {"symmetric", manifest.symmetric},
          {"reverse", manifest.has_reverse},
          {"weights", std::string(WeightTypeName(manifest.weight_type))},
          {"order", std::string(VertexOrderName(manifest.order))},
          {"heads", manifest.heads},
          {"compressed", manifest.compressed},
          {"self_loops", manifest.self_loops},
          {"self_loops_removed", manifest.self_loops_removed},
          {"duplicates", manifest.duplicates},
          {"duplicates_removed", manifest.duplicates_removed},
          {"source_format", manifest.source_format},
          {"content_id", manifest.content_id}};
}

json DescribeArrays(const GraphFiles& files) {
  json bytes = json::object();
  const GraphManifest& manifest = files.manifest();
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    if (direction == Direction::kIn && !manifest.has_reverse) continue;
    bytes[IndexArray(direction)] = files.Index(direction).bytes();
    if (manifest.compressed) {
      bytes[CodesArray(direction)] = files.Codes(direction).bytes();
      bytes[CodeIndexArray(direction)] = files.CodeIndex(direction).bytes();
    } else {
      bytes[EdgesArray(direction)] = files.Edges(direction).bytes();
    }
    if (manifest.weight_type != WeightType::kNone) {
      bytes[WeightsArray(direction)] = files.Weights(direction).bytes();
    }
    for (uint64_t i = 0; i < manifest.heads; ++i) {
      bytes[HeadsArray(direction, i)] = files.HeadsColumn(direction, i).bytes();
    }
  }
  const VertexNames::Arrays names = files.names().arrays();
  if (names.ids != nullptr) bytes[std::string(kIdsArray)] = names.ids->bytes();
  if (names.order != nullptr) {
    bytes[std::string(kOrderArray)] = names.order->bytes();
    bytes[std::string(kRanksArray)] = names.ranks->bytes();
  }
  return bytes;
}

/// What holds the neighbours of all lists.
uint64_t ListBytes(const GraphFiles& files, Direction direction) {
  return (files.manifest().compressed ? files.Codes(direction) : files.Edges(direction)).bytes();
}

void AppendLine(std::string& text, absl::string_view name, absl::string_view value) {
  absl::StrAppendFormat(&text, "%-14s%s\n", name, value);
}

absl::string_view KeptOrRemoved(const json& removed) {
  return removed.get<bool>() ? " (removed)" : " (kept)";
}

// The lines that a graph and a conversion have in common.
std::string FormatCommon(const json& description) {
  std::string text;
  const auto number = [&](const char* name) { return description.at(name).get<uint64_t>(); };
  AppendLine(text, "vertices", absl::StrCat(number("vertices")));
  AppendLine(text, "edges", absl::StrCat(number("edges")));
  AppendLine(text, "direction",
             description.at("symmetric").get<bool>() ? "every edge in both directions"
             : description.at("reverse").get<bool>() ? "directed, in-edges stored too"
                                                     : "directed, no in-edges stored");
  AppendLine(text, "weights", description.at("weights").get<std::string>());
  AppendLine(text, "heads", absl::StrCat("the first ", number("heads"), " neighbours"));
  AppendLine(
      text, "self-loops",
      absl::StrCat(number("self_loops"), KeptOrRemoved(description.at("self_loops_removed"))));
  AppendLine(
      text, "duplicates",
      absl::StrCat(number("duplicates"), KeptOrRemoved(description.at("duplicates_removed"))));
  AppendLine(text, "order",
             description.at("order") == "degree" ? "by degree, hubs first" : "the input's");
  AppendLine(text, "ids",
             description.at("ids_remapped").get<bool>() ? "remapped, the input's are kept"
                                                        : "the input's");
  AppendLine(text, "source", description.at("source_format").get<std::string>());
  AppendLine(text, "content id", description.at("content_id").get<std::string>());
  return text;
}

}  // namespace

absl::StatusOr<json> DescribeGraph(const GraphFiles& files) {
  const GraphManifest& manifest = files.manifest();
  json description = DescribeManifest(manifest);
  description["path"] = files.path();
  description["ids_remapped"] = !files.names().identity();
  FARGRAPH_ASSIGN_OR_RETURN(const Degrees out, ScanDegrees(files.Index(Direction::kOut)));
  description["max_out_degree"] = out.largest;
  description["vertices_without_out_edges"] = out.zero;
  if (files.Has(Direction::kIn)) {
    FARGRAPH_ASSIGN_OR_RETURN(const Degrees in, ScanDegrees(files.Index(Direction::kIn)));
    description["max_in_degree"] = in.largest;
  }
  description["average_degree"] =
      manifest.vertices == 0
          ? 0.0
          : static_cast<double>(manifest.edges) / static_cast<double>(manifest.vertices);

  description["bytes"] = DescribeArrays(files);
  description["bytes_per_edge"] = manifest.edges == 0
                                      ? 0.0
                                      : static_cast<double>(ListBytes(files, Direction::kOut)) /
                                            static_cast<double>(manifest.edges);
  uint64_t total = 0;
  for (const json& bytes : description["bytes"]) total += bytes.get<uint64_t>();
  description["total_bytes"] = total;
  return description;
}

std::string FormatGraphDescription(const json& description) {
  std::string text;
  AppendLine(text, "graph", description.at("path").get<std::string>());
  text += FormatCommon(description);
  if (description.value("files_verified", false)) AppendLine(text, "files", "verified");
  AppendLine(text, "degree",
             absl::StrFormat("%.2f on average, at most %d out",
                             description.at("average_degree").get<double>(),
                             description.at("max_out_degree").get<uint64_t>()));
  if (description.contains("max_in_degree")) {
    text.pop_back();
    absl::StrAppend(&text, ", ", description.at("max_in_degree").get<uint64_t>(), " in\n");
  }
  AppendLine(text, "size", FormatBytes(description.at("total_bytes").get<uint64_t>()));
  AppendLine(
      text, "lists",
      absl::StrFormat("%.2f bytes per edge%s", description.at("bytes_per_edge").get<double>(),
                      description.at("compressed").get<bool>() ? ", compressed" : ""));
  for (const auto& [name, bytes] : description.at("bytes").items()) {
    AppendLine(text, absl::StrCat("  ", name), FormatBytes(bytes.get<uint64_t>()));
  }
  return text;
}

json DescribeReport(const BuildReport& report) {
  json description = DescribeManifest(report.manifest);
  description["input_edges"] = report.input_edges;
  description["isolated_vertices"] = report.isolated_vertices;
  description["ids_remapped"] = report.remapped;
  return description;
}

std::string FormatReport(const BuildReport& report) {
  std::string text;
  AppendLine(text, "edges read", absl::StrCat(report.input_edges));
  text += FormatCommon(DescribeReport(report));
  AppendLine(text, "isolated", absl::StrCat(report.isolated_vertices, " vertices without an edge"));
  return text;
}

}  // namespace fargraph

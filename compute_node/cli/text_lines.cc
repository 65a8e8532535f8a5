#include "compute_node/cli/text_lines.h"

#include "absl/strings/str_cat.h"
#include "graph/format/manifest.h"

namespace fargraph {
namespace {

std::string CountText(uint64_t count, bool removed) {
  return count == 0 ? "none" : absl::StrCat(count, removed ? ", removed" : ", kept");
}

std::string DirectionText(const GraphManifest& manifest) {
  if (manifest.symmetric) return "undirected: every edge is stored in both directions";
  return manifest.has_reverse ? "directed, with in-edges" : "directed, without in-edges";
}

}  // namespace

std::string GraphText(const GraphManifest& manifest, bool remapped) {
  std::string text;
  AppendLine("vertices", absl::StrCat(manifest.vertices), text);
  AppendLine("edges", absl::StrCat(manifest.edges), text);
  AppendLine("kind", DirectionText(manifest), text);
  AppendLine("weights", WeightTypeName(manifest.weight_type), text);
  AppendLine("self-loops", CountText(manifest.self_loops, manifest.self_loops_removed), text);
  AppendLine("duplicates", CountText(manifest.duplicates, manifest.duplicates_removed), text);
  AppendLine("ids", remapped ? "remapped; outputs have the input's" : "as in the input", text);
  AppendLine("converted from", manifest.source_format, text);
  return text;
}

}  // namespace fargraph

#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "compute_node/cli/command.h"
#include "compute_node/cli/text_lines.h"
#include "compute_node/output_file.h"
#include "gflags/gflags.h"
#include "graph/format/manifest.h"
#include "graph/graph_files.h"
#include "nlohmann/json.hpp"

DECLARE_string(json);
DECLARE_bool(verify_files);

namespace fargraph {
namespace {

using Json = nlohmann::ordered_json;

std::string Details() {
  return "\nGRAPH is a directory made by fargraph convert or fargraph generate.\n";
}

uint64_t DirectoryBytes(const std::string& path) {
  uint64_t bytes = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
    const uint64_t size = entry.file_size(error);
    if (!error) bytes += size;
  }
  return bytes;
}

struct GraphInfo {
  std::string path;
  GraphManifest manifest;
  bool remapped = false;  ///< the input's ids had holes or did not begin at 0
  uint64_t file_bytes = 0;
};

absl::StatusOr<GraphInfo> ReadGraphInfo(const std::string& path) {
  FARGRAPH_ASSIGN_OR_RETURN(const GraphFiles files, GraphFiles::Open(path, FLAGS_verify_files));
  std::error_code error;
  return GraphInfo{
      .path = path,
      .manifest = files.manifest(),
      .remapped = std::filesystem::exists(absl::StrCat(path, "/", kIdsArray), error),
      .file_bytes = DirectoryBytes(path),
  };
}

std::string InfoJson(const GraphInfo& info) {
  const GraphManifest& manifest = info.manifest;
  const Json json = {
      {"graph", info.path},
      {"vertices", manifest.vertices},
      {"edges", manifest.edges},
      {"symmetric", manifest.symmetric},
      {"has_reverse", manifest.has_reverse},
      {"weight_type", std::string(WeightTypeName(manifest.weight_type))},
      {"ids_remapped", info.remapped},
      {"self_loops", manifest.self_loops},
      {"self_loops_removed", manifest.self_loops_removed},
      {"duplicates", manifest.duplicates},
      {"duplicates_removed", manifest.duplicates_removed},
      {"source_format", manifest.source_format},
      {"content_id", manifest.content_id},
      {"file_bytes", info.file_bytes},
      {"files_verified", FLAGS_verify_files},
  };
  return absl::StrCat(json.dump(2, ' ', false, Json::error_handler_t::replace), "\n");
}

std::string InfoText(const GraphInfo& info) {
  std::string text = absl::StrCat(info.path, "\n", GraphText(info.manifest, info.remapped));
  AppendLine("files",
             absl::StrCat(FormatBytes(info.file_bytes),
                          FLAGS_verify_files ? ", every checksum verified" : ""),
             text);
  AppendLine("content id", info.manifest.content_id, text);
  return text;
}

absl::Status Run(const std::vector<std::string>& arguments) {
  FARGRAPH_ASSIGN_OR_RETURN(const GraphInfo info, ReadGraphInfo(arguments.at(0)));
  if (!FLAGS_json.empty()) {
    FARGRAPH_RETURN_IF_ERROR(WriteWholeFile(FLAGS_json, InfoJson(info)));
  }
  return FLAGS_json == "-" ? absl::OkStatus() : WriteWholeFile("-", InfoText(info));
}

}  // namespace

const Command& InfoCommand() {
  static const auto& command = *new Command{.name = "info",
                                            .arguments = {"GRAPH"},
                                            .summary = "Shows what a converted graph is.",
                                            .details = Details,
                                            .flags = {"json", "verify_files"},
                                            .file_flags_to_stdout = {"json"},
                                            .run = Run};
  return command;
}

}  // namespace fargraph

#include "graph/striping/striped_array.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graph/format/array_reader.h"
#include "graph/format/manifest.h"
#include "graph/striping/stripes.h"

namespace fargraph {
namespace {

/// Both directions of a symmetric graph are the same array.
Direction AsStored(const GraphManifest& graph, Direction direction) {
  return graph.symmetric ? Direction::kOut : direction;
}

/// The path of a part in whichever directory has it; empty if none has.
std::string FindPart(const GraphManifest& graph, absl::string_view array, size_t part,
                     const std::vector<std::string>& directories) {
  for (const std::string& directory : directories) {
    std::string path = StripesFile(directory, graph, array, part, directories.size());
    std::error_code error;
    if (std::filesystem::exists(path, error)) return path;
  }
  return "";
}

}  // namespace

ScannedArray ScannedEdges(const GraphManifest& graph, Direction direction) {
  return {.name = EdgesArray(AsStored(graph, direction)),
          .type = kVertexIdType,
          .elements = graph.edges};
}

ScannedArray ScannedWeights(const GraphManifest& graph, Direction direction) {
  return {.name = WeightsArray(AsStored(graph, direction)),
          .type = WeightElementType(graph.weight_type),
          .elements = graph.edges};
}

std::string StripesFile(const std::string& directory, const GraphManifest& graph,
                        absl::string_view array, size_t part, size_t parts) {
  return absl::StrCat(directory, "/", graph.content_id, ".", array, ".", part, "-of-", parts);
}

absl::StatusOr<std::unique_ptr<StripedArray>> StripedArray::Find(
    const GraphManifest& graph, const ScannedArray& array,
    const std::vector<std::string>& directories) {
  const size_t parts = directories.size();
  std::vector<std::string> paths;
  for (size_t part = 0; part < parts; ++part) {
    paths.push_back(FindPart(graph, array.name, part, directories));
    if (paths.back().empty()) return nullptr;
  }
  if (paths.empty()) return nullptr;
  std::vector<std::unique_ptr<ArrayFile>> files;
  for (size_t part = 0; part < parts; ++part) {
    const uint64_t elements = BytesOnPart(array.bytes(), parts, part) / ElementBytes(array.type);
    FARGRAPH_ASSIGN_OR_RETURN(files.emplace_back(), OpenArrayFile(paths[part], array.type, elements,
                                                                  "place the graph again"));
  }
  return std::unique_ptr<StripedArray>(new StripedArray(std::move(files), array.bytes()));
}

std::vector<std::string> StripedArray::paths() const {
  std::vector<std::string> paths;
  for (const auto& part : parts_) paths.push_back(part->path());
  return paths;
}

absl::Status StripedArray::Check(absl::FunctionRef<absl::Status(uint64_t bytes)> on_block) const {
  // Block by block of all parts, so that all devices are read at once.
  const uint64_t largest = parts_.front()->bytes();
  const uint64_t rows = (largest + kArrayBlockBytes - 1) / kArrayBlockBytes;
  absl::Status first_error;
  std::atomic<bool> failed = false;
#pragma omp parallel
  {
    std::vector<std::byte> buffer(std::min(kArrayBlockBytes, largest));
#pragma omp for schedule(dynamic, 1)
    for (uint64_t block = 0; block < rows * parts_.size(); ++block) {
      const ArrayFile& part = *parts_[block % parts_.size()];
      const uint64_t offset = block / parts_.size() * kArrayBlockBytes;
      if (failed || offset >= part.bytes()) continue;
      const auto bytes =
          absl::MakeSpan(buffer).first(std::min(kArrayBlockBytes, part.bytes() - offset));
      absl::Status status = part.Read(offset, bytes);
#pragma omp critical(fargraph_striped_array)
      {
        if (status.ok()) status = on_block(bytes.size());
        first_error.Update(status);
        if (!status.ok()) failed = true;
      }
    }
  }
  return first_error;
}

}  // namespace fargraph

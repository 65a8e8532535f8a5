#include "graph/graph_files.h"

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/files/file.h"
#include "common/status_macros.h"
#include "graph/format/array_reader.h"
#include "graph/format/manifest.h"
#include "graph/verify_files.h"
#include "graph/vertex_names.h"

namespace fargraph {
namespace {

std::string FilePath(const std::string& directory, absl::string_view name) {
  return absl::StrCat(directory, "/", name);
}

absl::StatusOr<Manifest> ReadManifest(const std::string& directory) {
  const std::string path = FilePath(directory, kManifestFile);
  std::error_code ignored;  // reading tells the same better
  if (std::filesystem::is_regular_file(directory, ignored)) {
    return absl::DataLossError(absl::StrCat(
        "Opening the graph ", directory, ": it is a file, not a converted graph; convert it with ",
        "`fargraph convert ", directory, " DIRECTORY` and give that directory"));
  }
  if (std::filesystem::status(path, ignored).type() == std::filesystem::file_type::not_found) {
    return absl::NotFoundError(
        absl::StrCat("Opening the graph ", directory, ": there is no ", kManifestFile,
                     "; give a directory that `fargraph convert` or `fargraph generate` wrote"));
  }
  FARGRAPH_ASSIGN_OR_RETURN(const std::string text, ReadSmallFile(path, kMaxManifestBytes));
  absl::StatusOr<Manifest> manifest = DecodeManifest(text);
  if (absl::IsDataLoss(manifest.status())) {
    // A directory that does not say that it is a graph is not overwritten.
    return DamagedFileError(path, manifest.status().message(),
                            "remove the directory and convert the graph again");
  }
  if (!manifest.ok()) {
    return absl::DataLossError(
        absl::StrCat("Opening the graph ", directory, ": ", manifest.status().message()));
  }
  return manifest;
}

/// Offsets into an array that ascend from 0 to `end`, which is `end_name`.
absl::StatusOr<VertexArray<uint64_t>> ReadOffsets(const ArrayFile& array, uint64_t end,
                                                  absl::string_view end_name) {
  VertexArray<uint64_t> offsets(array.elements());
  FARGRAPH_RETURN_IF_ERROR(
      array.Read(0, {reinterpret_cast<std::byte*>(offsets.data()), array.bytes()}));
  if (offsets.front() != 0 || offsets.back() != end ||
      !std::is_sorted(offsets.begin(), offsets.end())) {
    return DamagedFileError(array.path(),
                            absl::StrCat("its offsets do not ascend from 0 to ", end_name));
  }
  return offsets;
}

}  // namespace

struct GraphFiles::Contents {
  std::string path;
  GraphManifest manifest;
  std::map<std::string, std::unique_ptr<ArrayFile>, std::less<>> arrays;

  // nullptr if the graph has none of that name.
  const ArrayFile* FindArray(absl::string_view name) const {
    const auto array = arrays.find(name);
    return array == arrays.end() ? nullptr : array->second.get();
  }

  const ArrayFile& Array(absl::string_view name) const {
    const ArrayFile* const array = FindArray(name);
    assert(array != nullptr);
    return *array;
  }

  // Both directions of a symmetric graph are stored as the out-edges.
  Direction Stored(Direction direction) const {
    return manifest.symmetric ? Direction::kOut : direction;
  }
};

GraphFiles::GraphFiles(std::unique_ptr<Contents> contents) : contents_(std::move(contents)) {}
GraphFiles::GraphFiles(GraphFiles&&) noexcept = default;
GraphFiles& GraphFiles::operator=(GraphFiles&&) noexcept = default;
GraphFiles::~GraphFiles() = default;

absl::StatusOr<GraphFiles> GraphFiles::Open(const std::string& path, bool verify_files) {
  FARGRAPH_ASSIGN_OR_RETURN(Manifest manifest, ReadManifest(path));
  auto contents = std::make_unique<Contents>();
  contents->path = path;
  contents->manifest = std::move(manifest.graph);
  for (const auto& [name, header] : manifest.arrays) {
    FARGRAPH_ASSIGN_OR_RETURN(contents->arrays[name], OpenArrayFile(FilePath(path, name), header));
  }
  GraphFiles files(std::move(contents));
  if (verify_files) FARGRAPH_RETURN_IF_ERROR(VerifyFiles(files));
  return files;
}

const std::string& GraphFiles::path() const { return contents_->path; }
const GraphManifest& GraphFiles::manifest() const { return contents_->manifest; }

bool GraphFiles::Has(Direction direction) const {
  return direction == Direction::kOut || manifest().symmetric || manifest().has_reverse;
}

const ArrayFile& GraphFiles::Index(Direction direction) const {
  return contents_->Array(IndexArray(contents_->Stored(direction)));
}

const ArrayFile& GraphFiles::Edges(Direction direction) const {
  return contents_->Array(EdgesArray(contents_->Stored(direction)));
}

const ArrayFile& GraphFiles::Codes(Direction direction) const {
  return contents_->Array(CodesArray(contents_->Stored(direction)));
}

const ArrayFile& GraphFiles::CodeIndex(Direction direction) const {
  return contents_->Array(CodeIndexArray(contents_->Stored(direction)));
}

const ArrayFile& GraphFiles::Weights(Direction direction) const {
  return contents_->Array(WeightsArray(contents_->Stored(direction)));
}

const ArrayFile& GraphFiles::HeadsColumn(Direction direction, uint64_t position) const {
  return contents_->Array(HeadsArray(contents_->Stored(direction), position));
}

absl::StatusOr<VertexArray<EdgeOffset>> GraphFiles::ReadIndex(Direction direction) const {
  return ReadOffsets(Index(direction), manifest().edges, "the edge count");
}

absl::StatusOr<VertexArray<uint64_t>> GraphFiles::ReadCodeIndex(Direction direction) const {
  return ReadOffsets(CodeIndex(direction), Codes(direction).bytes(), "the bytes of the codes");
}

VertexNames GraphFiles::names() const {
  return VertexNames(manifest().vertices, {.ids = contents_->FindArray(kIdsArray),
                                           .order = contents_->FindArray(kOrderArray),
                                           .ranks = contents_->FindArray(kRanksArray)});
}

}  // namespace fargraph

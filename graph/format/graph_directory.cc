#include "graph/format/graph_directory.h"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <random>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/files/file.h"
#include "common/status_macros.h"
#include "graph/format/move_directory.h"

namespace fargraph {
namespace {

namespace fs = std::filesystem;

std::string ParentOf(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

// "graph/" is the directory "graph".
std::string WithoutTrailingSlash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

// True if it is the directory of a graph of any version, and holds nothing else, or is empty.
bool IsGraphDirectory(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(fs::symlink_status(path, error))) return false;
  const auto manifest = ReadSmallFile(absl::StrCat(path, "/", kManifestFile), kMaxManifestBytes);
  const std::set<std::string> files = FilesOfManifest(manifest.value_or(""));
  fs::directory_iterator entry(path, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (!files.contains(entry->path().filename()) || !entry->is_regular_file(error)) return false;
  }
  return !error;
}

absl::Status CheckOutput(const std::string& output, bool overwrite) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(output, error))) return absl::OkStatus();
  if (!IsGraphDirectory(output)) {
    return absl::AlreadyExistsError(
        absl::StrCat("Writing the graph ", output,
                     ": it exists and is no graph directory, or holds other files too, so it is "
                     "not overwritten; choose another output or remove it"));
  }
  if (overwrite) return absl::OkStatus();
  return absl::AlreadyExistsError(absl::StrCat(
      "Writing the graph ", output,
      ": it exists already; choose another output or allow overwriting with --overwrite"));
}

absl::Status WriteManifestFile(const std::string& path, const Manifest& manifest) {
  FARGRAPH_ASSIGN_OR_RETURN(const File file, File::Create(path));
  const std::string text = EncodeManifest(manifest);
  FARGRAPH_RETURN_IF_ERROR(
      file.WriteAt(0, {reinterpret_cast<const std::byte*>(text.data()), text.size()}));
  return file.Sync();
}

}  // namespace

absl::StatusOr<GraphDirectory> GraphDirectory::Create(const std::string& output, bool overwrite) {
  std::string name = WithoutTrailingSlash(output);
  if (name.empty()) return absl::InvalidArgumentError("Writing a graph: the output has no name");
  FARGRAPH_RETURN_IF_ERROR(CheckOutput(name, overwrite));
  std::string temporary = absl::StrFormat("%s.partial-%08x", name, std::random_device{}());
  if (mkdir(temporary.c_str(), 0777) != 0) return FileError(errno, "Creating", temporary);
  return GraphDirectory(std::move(name), std::move(temporary), overwrite);
}

GraphDirectory::GraphDirectory(GraphDirectory&& other) noexcept
    : output_(std::move(other.output_)),
      temporary_(std::exchange(other.temporary_, {})),
      overwrite_(other.overwrite_) {}

GraphDirectory& GraphDirectory::operator=(GraphDirectory&& other) noexcept {
  std::swap(output_, other.output_);
  std::swap(temporary_, other.temporary_);
  std::swap(overwrite_, other.overwrite_);
  return *this;
}

GraphDirectory::~GraphDirectory() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

std::string GraphDirectory::PathOf(absl::string_view name) const {
  return absl::StrCat(temporary_, "/", name);
}

absl::StatusOr<ArrayWriter> GraphDirectory::CreateArray(absl::string_view name,
                                                        ElementType type) const {
  return ArrayWriter::Create(PathOf(name), type);
}

absl::StatusOr<GraphManifest> GraphDirectory::Commit(Manifest manifest) {
  manifest.graph.content_id = ContentId(manifest.arrays);
  FARGRAPH_RETURN_IF_ERROR(WriteManifestFile(PathOf(kManifestFile), manifest));
  FARGRAPH_RETURN_IF_ERROR(SyncDirectory(temporary_));

  FARGRAPH_RETURN_IF_ERROR(CheckOutput(output_, overwrite_));  // others may have written there
  std::error_code ignored;
  const bool replaces = overwrite_ && fs::exists(output_, ignored);
  const int result =
      replaces ? ExchangeDirectories(temporary_, output_) : MoveDirectory(temporary_, output_);
  if (result != 0) return FileError(errno, "Giving the finished graph its name", output_);
  if (replaces) fs::remove_all(temporary_, ignored);
  temporary_.clear();
  FARGRAPH_RETURN_IF_ERROR(SyncDirectory(ParentOf(output_)));
  return std::move(manifest.graph);
}

}  // namespace fargraph

#ifndef FARGRAPH_GRAPH_FORMAT_GRAPH_DIRECTORY_H_
#define FARGRAPH_GRAPH_FORMAT_GRAPH_DIRECTORY_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graph/format/array_writer.h"
#include "graph/format/manifest.h"

namespace fargraph {

/// A graph directory in the making: a temporary directory beside the output, which takes the
/// output's name when everything is written, and is removed with all it holds when it is destroyed
/// before. Movable; used by one thread.
class GraphDirectory {
 public:
  /// Creates the temporary directory. AlreadyExists when `output` is there, unless `overwrite` and
  /// it is a directory that holds a graph, of whatever version, and nothing else, or is empty.
  static absl::StatusOr<GraphDirectory> Create(const std::string& output, bool overwrite);

  GraphDirectory(GraphDirectory&& other) noexcept;
  GraphDirectory& operator=(GraphDirectory&& other) noexcept;
  ~GraphDirectory();

  /// Where a file of that name is while the graph is in the making.
  std::string PathOf(absl::string_view name) const;

  absl::StatusOr<ArrayWriter> CreateArray(absl::string_view name, ElementType type) const;

  /// Writes the manifest, whose content id it sets, and gives the directory its name; the files
  /// that are in it are durable from then on. An overwritten graph is replaced in one step, or as
  /// ExchangeDirectoriesInSteps does where the file system knows none; an error leaves it as it
  /// was. AlreadyExists as in Create.
  absl::StatusOr<GraphManifest> Commit(Manifest manifest);

 private:
  GraphDirectory(std::string output, std::string temporary, bool overwrite)
      : output_(std::move(output)), temporary_(std::move(temporary)), overwrite_(overwrite) {}

  std::string output_;
  std::string temporary_;  // empty once it is gone
  bool overwrite_;
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_FORMAT_GRAPH_DIRECTORY_H_

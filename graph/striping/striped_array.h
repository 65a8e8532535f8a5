#ifndef FARGRAPH_GRAPH_STRIPING_STRIPED_ARRAY_H_
#define FARGRAPH_GRAPH_STRIPING_STRIPED_ARRAY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "graph/format/array_format.h"
#include "graph/graph_files.h"

namespace fargraph {

/// An array of a graph as its scans have it, and so as jobs read it from SSDs: compressed lists are
/// decoded.
struct ScannedArray {
  std::string name;  ///< as of the file in a graph directory: "out.edges", "in.weights"
  ElementType type = ElementType::kUint32;
  uint64_t elements = 0;

  uint64_t bytes() const { return elements * ElementBytes(type); }
};

ScannedArray ScannedEdges(const GraphManifest& graph, Direction direction);
/// Of a graph that has weights.
ScannedArray ScannedWeights(const GraphManifest& graph, Direction direction);

/// Where part `part` of `parts` lies in `directory`: CONTENT_ID.NAME.PART-of-PARTS.
std::string StripesFile(const std::string& directory, const GraphManifest& graph,
                        absl::string_view array, size_t part, size_t parts);

/// An array that is striped (stripes.h) over as many directories as it has parts, each of them an
/// array file. Owns its open files; movable; any thread may read.
class StripedArray {
 public:
  /// nullptr unless the directories hold every part of an array that was striped over so many, each
  /// part in whichever of them. DataLoss names a damaged part; NotFound one that may not be read.
  static absl::StatusOr<std::unique_ptr<StripedArray>> Find(
      const GraphManifest& graph, const ScannedArray& array,
      const std::vector<std::string>& directories);

  uint64_t bytes() const { return bytes_; }
  /// The files, by part. The stripes of each begin at kArrayDataOffset.
  std::vector<std::string> paths() const;

  /// Reads all of it, of all parts at once, on several cores, and checks it; calls on_block with
  /// the bytes of every block, one after the other. DataLoss names a damaged part; an error of
  /// on_block ends it.
  absl::Status Check(absl::FunctionRef<absl::Status(uint64_t bytes)> on_block) const;

 private:
  StripedArray(std::vector<std::unique_ptr<ArrayFile>> parts, uint64_t bytes)
      : parts_(std::move(parts)), bytes_(bytes) {}

  std::vector<std::unique_ptr<ArrayFile>> parts_;
  uint64_t bytes_;
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_STRIPING_STRIPED_ARRAY_H_

#ifndef FARGRAPH_GRAPH_FORMAT_MANIFEST_H_
#define FARGRAPH_GRAPH_FORMAT_MANIFEST_H_

#include <map>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "common/units.h"
#include "graph/format/array_format.h"
#include "graph/graph_files.h"

/// The manifest of a graph directory: JSON text that describes the graph and every array file
/// (docs/file-format.md).
namespace fargraph {

inline constexpr absl::string_view kManifestFile = "manifest.json";
/// Of any manifest, at most.
inline constexpr uint64_t kMaxManifestBytes = kMiB;

/// The arrays of a graph directory; each is the file of its name.
inline constexpr absl::string_view kIdsArray = "ids";
inline constexpr absl::string_view kOrderArray = "order";
inline constexpr absl::string_view kRanksArray = "ranks";
std::string IndexArray(Direction direction);      ///< "out.index", "in.index"
std::string EdgesArray(Direction direction);      ///< "out.edges", "in.edges"
std::string CodesArray(Direction direction);      ///< "out.codes", "in.codes"
std::string CodeIndexArray(Direction direction);  ///< "out.codes.index", "in.codes.index"
std::string WeightsArray(Direction direction);    ///< "out.weights", "in.weights"
/// "out.heads.0", "in.heads.3".
std::string HeadsArray(Direction direction, uint64_t position);

/// The element type of a weight array; `type` is not kNone.
ElementType WeightElementType(WeightType type);
/// "none", "int32", "float32", "uint8".
absl::string_view WeightTypeName(WeightType type);
/// "input", "degree".
absl::string_view VertexOrderName(VertexOrder order);

/// The array files of a graph directory by name, as their headers have to be.
using ArrayHeaders = std::map<std::string, ArrayHeader, std::less<>>;

struct Manifest {
  GraphManifest graph;
  ArrayHeaders arrays;
};

/// 32 hex digits over the names, types, lengths and checksums of all arrays.
std::string ContentId(const ArrayHeaders& arrays);

/// The manifest as the text of manifest.json, with a checksum of its own.
std::string EncodeManifest(const Manifest& manifest);

/// The names of all files of the graph directory that has this text as its manifest, in whatever
/// version: the manifest and the arrays it lists. None if the text is no manifest.
std::set<std::string> FilesOfManifest(absl::string_view text);

/// Reads that text. DataLoss says what is wrong with it, for the caller to name the file: no such
/// manifest, a checksum that does not match, arrays that are missing or do not have the lengths
/// that the graph needs. FailedPrecondition, in a sentence that says what to do, when the graph is
/// of another format version or has vertex ids of a width that this program was not built for.
absl::StatusOr<Manifest> DecodeManifest(absl::string_view text);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_FORMAT_MANIFEST_H_

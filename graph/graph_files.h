#ifndef FARGRAPH_GRAPH_GRAPH_FILES_H_
#define FARGRAPH_GRAPH_GRAPH_FILES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/ids.h"
#include "graph/vertex_array.h"

/// A converted graph on disk: a directory with a manifest and one file per array.
/// docs/file-format.md gives the bytes.
namespace fargraph {

/// Gets a block of an array and its offset, in bytes. The bytes are there only during the call.
using BlockVisitor =
    absl::FunctionRef<absl::Status(uint64_t offset, absl::Span<const std::byte> block)>;

inline absl::Status IgnoreBlock(uint64_t /*offset*/, absl::Span<const std::byte> /*block*/) {
  return absl::OkStatus();
}

/// One array of a graph directory. Opening checks its header against the manifest and the file's
/// size; reading checks the checksum of every 1 MiB block that it touches, and so reads these
/// blocks whole. Any thread may read.
class ArrayFile {
 public:
  virtual ~ArrayFile() = default;

  virtual const std::string& path() const = 0;
  virtual uint64_t element_bytes() const = 0;
  virtual uint64_t elements() const = 0;
  uint64_t bytes() const { return elements() * element_bytes(); }

  /// Reads the array's bytes [offset, offset + out.size()), many of them on all cores. DataLoss
  /// names the file and a damaged block.
  virtual absl::Status Read(uint64_t offset, absl::Span<std::byte> out) const = 0;

  /// Reads the whole array once, in blocks of at least 1 MiB but for the last, on several cores.
  /// Each block goes to at_once, while other threads have others there, and then to in_order, to
  /// which all come one after the other, as they lie in the array. An error of either ends the
  /// scan; of several it is that of the first block. DataLoss as Read's.
  virtual absl::Status Scan(BlockVisitor at_once, BlockVisitor in_order) const = 0;
  absl::Status Scan(BlockVisitor in_order) const { return Scan(IgnoreBlock, in_order); }
};

/// Which vertices have the small numbers.
enum class VertexOrder : uint8_t {
  kInput,   ///< those with the smallest ids in the input
  kDegree,  ///< hubs: vertices are in groups of like degrees, the largest first, and within a group
            ///< as kInput has them
};

/// The largest number of head columns of a graph.
inline constexpr uint64_t kMaxHeads = 64;

class VertexNames;

/// What the manifest says.
struct GraphManifest {
  uint64_t vertices = 0;
  uint64_t edges = 0;  ///< directed edges stored, after symmetrizing and removals
  bool symmetric =
      false;  ///< every edge is stored in both directions; there is no separate reverse graph
  bool has_reverse = false;  ///< in-edges are stored
  VertexOrder order = VertexOrder::kInput;
  uint64_t heads = 0;         ///< head columns of each direction that is stored
  uint64_t end_of_lists = 0;  ///< this vertex and all behind it have no edges, as far as heads
                              ///< tell: of a graph in kDegree order often many
  bool compressed = false;    ///< lists are stored as codes: there are arrays of them
  WeightType weight_type = WeightType::kNone;
  std::string content_id;   ///< 32 hex digits over all arrays: equal for equal graphs
  uint64_t self_loops = 0;  ///< in the input, whether removed or not
  uint64_t duplicates = 0;  ///< edges that repeat the source and target of another, counted after
                            ///< symmetrizing, whether removed or not
  bool self_loops_removed = false;
  bool duplicates_removed = false;
  std::string source_format;  ///< what it was converted from

  bool HasSelfLoops() const { return self_loops > 0 && !self_loops_removed; }
};

/// An open graph directory. Movable; any thread may read.
class GraphFiles {
 public:
  /// Opens and checks manifest and array headers; with `verify_files` also all content
  /// (VerifyFiles). NotFound when there is no graph directory at `path` or it may not be read;
  /// DataLoss when it is damaged or of another format version, naming the file and saying to
  /// convert again.
  static absl::StatusOr<GraphFiles> Open(const std::string& path, bool verify_files = false);

  GraphFiles(GraphFiles&&) noexcept;
  GraphFiles& operator=(GraphFiles&&) noexcept;
  ~GraphFiles();

  const std::string& path() const;
  const GraphManifest& manifest() const;

  /// True if lists in that direction are stored; of a symmetric graph both directions are the same
  /// files.
  bool Has(Direction direction) const;
  /// vertices + 1 offsets of 64 bits, in edges. The direction must be there (as for all that
  /// follow).
  const ArrayFile& Index(Direction direction) const;
  /// VertexId elements, each list ascending; only when the graph is not compressed. NeighborReader
  /// reads lists in either form.
  const ArrayFile& Edges(Direction direction) const;
  /// The bytes of the coded lists (graph/codec/block_codec.h); only when the graph is compressed.
  const ArrayFile& Codes(Direction direction) const;
  /// vertices + 1 offsets of 64 bits, in bytes of Codes; only when the graph is compressed.
  const ArrayFile& CodeIndex(Direction direction) const;
  /// Elements of the weight type, parallel to the edges; only when the graph has weights.
  const ArrayFile& Weights(Direction direction) const;

  /// The neighbour at `position` of every vertex' list, `position` below manifest().heads: VertexId
  /// elements, kNoVertex where the list is shorter. It ends at the last vertex that has so many
  /// neighbours; to all later ones it is kNoVertex too.
  const ArrayFile& HeadsColumn(Direction direction, uint64_t position) const;

  /// The whole index in memory, checked to ascend from 0 to the edge count.
  absl::StatusOr<VertexArray<EdgeOffset>> ReadIndex(Direction direction) const;

  /// The whole CodeIndex in memory, checked to ascend from 0 to the bytes of Codes.
  absl::StatusOr<VertexArray<uint64_t>> ReadCodeIndex(Direction direction) const;

  /// What the input calls the vertices. Valid as long as this object's content.
  VertexNames names() const;

 private:
  struct Contents;
  explicit GraphFiles(std::unique_ptr<Contents> contents);
  std::unique_ptr<Contents> contents_;
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_GRAPH_FILES_H_

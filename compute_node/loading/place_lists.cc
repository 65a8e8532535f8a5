#include "compute_node/loading/place_lists.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "compute_node/loading/far_upload.h"
#include "compute_node/loading/place_array.h"
#include "graph/format/neighbor_reader.h"
#include "graph/striping/striped_array.h"

namespace fargraph {

namespace {

/// What the job's SSDs hold of an array in stripes; nullptr without.
absl::StatusOr<std::unique_ptr<StripedArray>> FindStripes(const GraphFiles& files,
                                                          const ScannedArray& array,
                                                          const PlaceOptions& options) {
  const SsdArray* const ssds = options.far_tiers == nullptr ? nullptr : options.far_tiers->ssds();
  if (ssds == nullptr) return nullptr;
  return StripedArray::Find(files.manifest(), array, ssds->directories());
}

}  // namespace

absl::StatusOr<PlacedLists> PlaceLists(const GraphFiles& files, Direction direction,
                                       const FarRatios& edges,
                                       const std::optional<FarRatios>& weights,
                                       const PlaceOptions& options) {
  FARGRAPH_ASSIGN_OR_RETURN(VertexArray<EdgeOffset> index, files.ReadIndex(direction));
  const auto prefix = [&](absl::string_view array) {
    return UploadPrefix(files, direction, array, options.tuning.chunk_bytes);
  };
  ChunkTable chunks(index, sizeof(VertexId), options.tuning.chunk_bytes);
  const auto scan_edges = [&](BlockVisitor at_once, BlockVisitor in_order) {
    return ScanNeighbors(files, direction, at_once, in_order);
  };
  const ArrayFile* const edges_file =
      files.manifest().compressed ? nullptr : &files.Edges(direction);
  FARGRAPH_ASSIGN_OR_RETURN(const auto edge_stripes,
                            FindStripes(files, ScannedEdges(files.manifest(), direction), options));
  const ArraySource edges_source = {chunks, edges_file, edge_stripes.get(), prefix("edges")};
  FARGRAPH_ASSIGN_OR_RETURN(ArrayPlacement placed_edges,
                            PlaceArray(scan_edges, edges_source, edges, options));
  ArrayPlacement placed_weights;
  if (weights) {
    // The same cut, in bytes of weights.
    const uint64_t weight_bytes = WeightBytes(files.manifest().weight_type);
    const ChunkTable weight_chunks(index, weight_bytes,
                                   options.tuning.chunk_bytes / sizeof(VertexId) * weight_bytes);
    const auto scan_weights = [&](BlockVisitor at_once, BlockVisitor in_order) {
      return files.Weights(direction).Scan(at_once, in_order);
    };
    FARGRAPH_ASSIGN_OR_RETURN(
        const auto stripes,
        FindStripes(files, ScannedWeights(files.manifest(), direction), options));
    const ArraySource source = {weight_chunks, &files.Weights(direction), stripes.get(),
                                prefix("weights")};
    FARGRAPH_ASSIGN_OR_RETURN(placed_weights, PlaceArray(scan_weights, source, *weights, options));
  }

  return PlacedLists{.lists = std::make_shared<EdgeLists>(std::move(index), std::move(chunks),
                                                          std::move(placed_edges.array),
                                                          std::move(placed_weights.array)),
                     .far_bytes = placed_edges.far_bytes + placed_weights.far_bytes,
                     .ssd_bytes = placed_edges.ssd_bytes + placed_weights.ssd_bytes,
                     .attached = placed_edges.attached && placed_weights.attached};
}

absl::StatusOr<PlacedLists> PlaceCodes(const GraphFiles& files, Direction direction,
                                       const FarRatios& codes, const PlaceOptions& options) {
  FARGRAPH_ASSIGN_OR_RETURN(VertexArray<uint64_t> code_index, files.ReadCodeIndex(direction));
  const auto too_long =
      std::adjacent_find(code_index.begin(), code_index.end(), [](uint64_t begin, uint64_t end) {
        return end - begin > std::numeric_limits<uint32_t>::max();
      });
  if (too_long != code_index.end()) {
    return absl::FailedPreconditionError(
        absl::StrCat("Placing the lists of ", files.path(), ": the code of a list has ",
                     FormatBytes(*(too_long + 1) - *too_long),
                     ", and 4 GiB is too much; convert the graph again without --compress"));
  }
  ChunkTable chunks(code_index, /*edge_bytes=*/1, options.tuning.chunk_bytes);
  VertexArray<uint32_t> code_begin(code_index.size());
  std::copy(code_index.begin(), code_index.end(), code_begin.begin());  // modulo 2^32
  code_index = VertexArray<uint64_t>();  // before the chunks take its memory

  const ArraySource source = {chunks, &files.Codes(direction), /*stripes=*/nullptr,
                              UploadPrefix(files, direction, "codes", options.tuning.chunk_bytes)};
  const auto scan = [&](BlockVisitor at_once, BlockVisitor in_order) {
    return files.Codes(direction).Scan(at_once, in_order);
  };
  FARGRAPH_ASSIGN_OR_RETURN(ArrayPlacement placed, PlaceArray(scan, source, codes, options));
  FARGRAPH_ASSIGN_OR_RETURN(VertexArray<EdgeOffset> index, files.ReadIndex(direction));
  return PlacedLists{
      .lists = std::make_shared<EdgeLists>(std::move(index), std::move(chunks),
                                           std::move(placed.array), std::move(code_begin)),
      .far_bytes = placed.far_bytes,
      .ssd_bytes = placed.ssd_bytes,
      .attached = placed.attached};
}

}  // namespace fargraph

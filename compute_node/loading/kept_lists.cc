#include "compute_node/loading/kept_lists.h"

#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/status_macros.h"
#include "compute_node/loading/far_upload.h"
#include "compute_node/loading/list_loads.h"
#include "graph/format/manifest.h"
#include "graph/striping/striped_array.h"

namespace fargraph {
namespace {

constexpr absl::string_view kEdges = "edges";
constexpr absl::string_view kCodes = "codes";
constexpr absl::string_view kWeights = "weights";

/// An array that may be uploaded.
struct UploadedArray {
  absl::string_view kind;  ///< as uploads name it
  std::string segment;     ///< as plans do
};

std::vector<UploadedArray> UploadedArrays(const ListLoad& load, bool compressed) {
  std::vector<UploadedArray> arrays = {
      {load.StaysCompressed(compressed) ? kCodes : kEdges, load.ListsArray(compressed)}};
  if (load.weight_bytes > 0) arrays.push_back({kWeights, WeightsArray(load.direction)});
  return arrays;
}

/// True if the graph's own files hold the array as jobs scan it: they do not where lists are
/// decoded.
bool IsInAFile(const GraphFiles& files, const UploadedArray& array) {
  return array.kind != kEdges || !files.manifest().compressed;
}

/// True if it is striped over the SSDs. Codes are not.
absl::StatusOr<bool> IsInStripes(const GraphFiles& files, Direction direction,
                                 const UploadedArray& array, const SsdArray& ssds) {
  if (array.kind == kCodes) return false;
  const GraphManifest& graph = files.manifest();
  const ScannedArray scanned =
      array.kind == kEdges ? ScannedEdges(graph, direction) : ScannedWeights(graph, direction);
  FARGRAPH_ASSIGN_OR_RETURN(const auto stripes,
                            StripedArray::Find(graph, scanned, ssds.directories()));
  return stripes != nullptr;
}

}  // namespace

absl::StatusOr<std::set<uint64_t>> UploadedChunkSizes(const GraphFiles& files, const Kernel& kernel,
                                                      const PlacementPlan& plan, bool compressed,
                                                      bool any_part, FarTier& far_tier) {
  std::optional<std::set<uint64_t>> of_all;
  for (const ListLoad& load : LoadsFor(files, kernel)) {
    const double far_ratio = plan.FarRatio(load.ListsArray(compressed));
    if (!load.edges || far_ratio == 0) continue;
    for (const UploadedArray& array : UploadedArrays(load, compressed)) {
      FARGRAPH_ASSIGN_OR_RETURN(const std::set<uint64_t> sizes,
                                UploadedChunkSizes(files, load.direction, array.kind,
                                                   any_part ? 0 : far_ratio, far_tier));
      if (!of_all) of_all = sizes;
      std::erase_if(*of_all, [&](uint64_t size) { return !sizes.contains(size); });
    }
  }
  return of_all.value_or(std::set<uint64_t>());
}

absl::StatusOr<std::map<std::string, double>> KeptRatios(const GraphFiles& files,
                                                         const Kernel& kernel, bool compressed,
                                                         uint64_t chunk_bytes, FarTier& far_tier) {
  std::map<std::string, double> ratios;
  for (const ListLoad& load : LoadsFor(files, kernel)) {
    if (!load.edges) continue;
    for (const UploadedArray& array : UploadedArrays(load, compressed)) {
      FARGRAPH_ASSIGN_OR_RETURN(
          ratios[array.segment],
          UploadedRatio(UploadPrefix(files, load.direction, array.kind, chunk_bytes), far_tier));
    }
  }
  return ratios;
}

absl::StatusOr<std::set<std::string>> ArraysOnSsds(const GraphFiles& files, const Kernel& kernel,
                                                   bool compressed, const SsdArray& ssds) {
  const bool reads_files = ssds.ReadsFilesOf(files.path());
  std::set<std::string> arrays;
  for (const ListLoad& load : LoadsFor(files, kernel)) {
    if (!load.edges) continue;
    for (const UploadedArray& array : UploadedArrays(load, compressed)) {
      FARGRAPH_ASSIGN_OR_RETURN(const bool in_stripes,
                                IsInStripes(files, load.direction, array, ssds));
      if (in_stripes || (reads_files && IsInAFile(files, array))) arrays.insert(array.segment);
    }
  }
  return arrays;
}

}  // namespace fargraph

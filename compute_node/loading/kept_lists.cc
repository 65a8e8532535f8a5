#include "compute_node/loading/kept_lists.h"

#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/status_macros.h"
#include "compute_node/loading/far_upload.h"
#include "compute_node/loading/list_loads.h"
#include "graph/format/manifest.h"

namespace fargraph {
namespace {

/// An array that may be uploaded.
struct UploadedArray {
  absl::string_view kind;  ///< as uploads name it
  std::string segment;     ///< as plans do
};

std::vector<UploadedArray> UploadedArrays(const ListLoad& load, bool compressed) {
  std::vector<UploadedArray> arrays = {
      {load.StaysCompressed(compressed) ? "codes" : "edges", load.ListsArray(compressed)}};
  if (load.weight_bytes > 0) arrays.push_back({"weights", WeightsArray(load.direction)});
  return arrays;
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

}  // namespace fargraph

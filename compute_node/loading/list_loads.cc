#include "compute_node/loading/list_loads.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "graph/format/manifest.h"

namespace fargraph {
namespace {

ListUse UseOf(const Kernel& kernel, Direction direction) {
  return direction == Direction::kOut ? kernel.out_lists() : kernel.in_lists();
}

bool ReadsEdges(const GraphFiles& files, const Kernel& kernel, Direction direction) {
  const ListUse use = UseOf(kernel, direction);
  return use == ListUse::kEdges || use == ListUse::kWeightedEdges ||
         (use == ListUse::kEdgesIfStored && files.Has(direction));
}

uint64_t WeightBytesRead(const GraphFiles& files, const Kernel& kernel, Direction direction) {
  const bool reads = UseOf(kernel, direction) == ListUse::kWeightedEdges;
  return reads ? WeightBytes(files.manifest().weight_type) : 0;
}

bool ReadsIndex(const GraphFiles& files, const Kernel& kernel, Direction direction) {
  return ReadsEdges(files, kernel, direction) || UseOf(kernel, direction) == ListUse::kDegrees;
}

ListLoad LoadOf(const GraphFiles& files, const Kernel& kernel, Direction direction) {
  const uint64_t heads = direction == Direction::kOut ? kernel.out_heads() : kernel.in_heads();
  const bool edges = ReadsEdges(files, kernel, direction);
  return {.direction = direction,
          .edges = edges,
          .weight_bytes = WeightBytesRead(files, kernel, direction),
          .heads = edges ? std::min(heads, files.manifest().heads) : 0};
}

}  // namespace

std::string ListLoad::ListsArray(bool compressed) const {
  return StaysCompressed(compressed) ? CodesArray(direction) : EdgesArray(direction);
}

std::vector<ListLoad> LoadsFor(const GraphFiles& files, const Kernel& kernel) {
  const ListLoad out = LoadOf(files, kernel, Direction::kOut);
  const ListLoad in = LoadOf(files, kernel, Direction::kIn);
  if (files.manifest().symmetric) {
    return {{.direction = Direction::kOut,
             .edges = out.edges || in.edges,
             .weight_bytes = std::max(out.weight_bytes, in.weight_bytes),
             .heads = std::max(out.heads, in.heads)}};
  }
  std::vector<ListLoad> loads;
  if (ReadsIndex(files, kernel, Direction::kOut)) loads.push_back(out);
  if (ReadsIndex(files, kernel, Direction::kIn)) loads.push_back(in);
  return loads;
}

bool CanReadCodes(const GraphFiles& files, const Kernel& kernel) {
  const std::vector<ListLoad> loads = LoadsFor(files, kernel);
  return files.manifest().compressed &&
         std::any_of(loads.begin(), loads.end(), [](const ListLoad& load) {
           return load.edges && load.StaysCompressed(/*compressed=*/true);
         });
}

absl::Status CheckLists(const GraphFiles& files, const Kernel& kernel) {
  for (const ListLoad& load : LoadsFor(files, kernel)) {
    if (files.Has(load.direction)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(kernel.name(), " reads the in-edges of ", files.path(),
                     ", which were not stored; convert the graph again with --reverse"));
  }
  return absl::OkStatus();
}

}  // namespace fargraph

#include "compute_node/job/load_as_planned.h"

namespace fargraph {

absl::StatusOr<LoadedGraph> LoadAsPlanned(const JobOptions& options, const JobInputs& inputs,
                                          const JobPlan& plan) {
  PlaceOptions place = plan.place;
  if (options.on_load) {
    place.on_bytes = [&options, total = plan.placement.TransferableBytes(),
                      done = uint64_t{0}](uint64_t bytes) mutable {
      done += bytes;
      options.on_load(done, total);
    };
  }
  return LoadGraph(inputs.files, *inputs.kernel, plan.placement, place);
}

}  // namespace fargraph

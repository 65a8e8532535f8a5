#ifndef FARGRAPH_COMPUTE_NODE_LOADING_PLACE_OPTIONS_H_
#define FARGRAPH_COMPUTE_NODE_LOADING_PLACE_OPTIONS_H_

#include <atomic>
#include <cstdint>
#include <functional>

#include "compute_node/tiers/far_space.h"
#include "compute_node/tiers/far_tiers.h"
#include "compute_node/tiers/link_profile.h"
#include "compute_node/tiers/link_sweep.h"
#include "compute_node/tiers/read_trace.h"

namespace fargraph {

/// How the lists of a job are placed.
struct PlaceOptions {
  bool compressed = false;  ///< lists without weights stay compressed, as the files have them
  bool caches = true;       ///< what walks have read of far lists may be kept for the next
  LinkTuning tuning;
  LinkProfile link;               ///< of all far tiers together; needed when anything goes far
  FarGaps gaps;                   ///< of each
  FarTiers* far_tiers = nullptr;  ///< needed when anything goes far; must outlive the lists
  ReadTrace* trace = nullptr;     ///< of what the job reads, if there is to be one; outlives them
  bool keep = false;              ///< what is uploaded stays on the memory nodes after this job
  bool whole_uploads = false;     ///< memory nodes get all of an array that is far in part
  const std::atomic<bool>* cancelled = nullptr;
  std::function<void(uint64_t bytes)>
      on_bytes;  ///< called as bytes of edges and weights are placed, by one thread at a time
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_LOADING_PLACE_OPTIONS_H_

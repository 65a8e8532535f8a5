#ifndef FARGRAPH_COMPUTE_NODE_PIPELINE_FAR_STATE_H_
#define FARGRAPH_COMPUTE_NODE_PIPELINE_FAR_STATE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "compute_node/pipeline/block_stream.h"

namespace fargraph {

/// An array of a kernel's state that lies far: where, and each thread's way there.
struct FarArray {
  uint64_t address = 0;                               ///< in the tier
  std::vector<std::unique_ptr<BlockStream>> streams;  ///< one per thread
};

/// The state of a kernel that lies far because it is touched in order.
struct FarState {
  std::map<std::string, FarArray> arrays;  ///< by the names of the segments

  /// nullptr where an array of that name is local.
  FarArray* Find(absl::string_view name) {
    const auto found = arrays.find(std::string(name));
    return found == arrays.end() ? nullptr : &found->second;
  }
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PIPELINE_FAR_STATE_H_

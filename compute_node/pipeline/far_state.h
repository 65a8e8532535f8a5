#ifndef FARGRAPH_COMPUTE_NODE_PIPELINE_FAR_STATE_H_
#define FARGRAPH_COMPUTE_NODE_PIPELINE_FAR_STATE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compute_node/pipeline/block_stream.h"

namespace fargraph {

/// The state of a kernel that lies far because it is touched in order: where, and each thread's way
/// there.
struct FarState {
  std::map<std::string, uint64_t> arrays;  ///< tier addresses, by the names of the segments
  std::vector<std::unique_ptr<BlockStream>> streams;  ///< one per thread; empty without arrays
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PIPELINE_FAR_STATE_H_

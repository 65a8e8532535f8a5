#ifndef FARGRAPH_COMPUTE_NODE_LOADING_LIST_LOADS_H_
#define FARGRAPH_COMPUTE_NODE_LOADING_LIST_LOADS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "compute_node/engine/kernel.h"
#include "graph/graph_files.h"

namespace fargraph {

/// What a kernel makes a job load of the lists of one direction.
struct ListLoad {
  Direction direction = Direction::kOut;
  bool edges = false;         ///< not the index alone
  uint64_t weight_bytes = 0;  ///< of each edge; 0 where they are not read
  uint64_t heads = 0;         ///< columns that the kernel has a use for

  /// `compressed`: of the job. Weights are parallel to edges that lie side by side: lists that are
  /// read with them are decoded while they are loaded.
  bool StaysCompressed(bool compressed) const { return compressed && weight_bytes == 0; }

  /// The array that holds the lists of a job.
  std::string ListsArray(bool compressed) const;
};

/// A symmetric graph has one set of lists that serves both directions.
std::vector<ListLoad> LoadsFor(const GraphFiles& files, const Kernel& kernel);

/// True if the lists of the graph are compressed and the kernel can read some of them as they are.
bool CanReadCodes(const GraphFiles& files, const Kernel& kernel);

/// Checks that the graph has the lists that the kernel reads. InvalidArgument says how to convert
/// it again.
absl::Status CheckLists(const GraphFiles& files, const Kernel& kernel);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_LOADING_LIST_LOADS_H_

#ifndef FARGRAPH_COMPUTE_NODE_TESTING_SHARED_FILES_H_
#define FARGRAPH_COMPUTE_NODE_TESTING_SHARED_FILES_H_

#include <string>
#include <vector>

#include "graph/write_graph.h"

// Files that several tests of a program need and none changes, for making them takes seconds where
// a sanitizer watches; removed when the program ends.

namespace fargraph {

/// A graph of these edges, with int32 weights. `name` stands for the graph: the second to ask for
/// it gets what was written for the first.
std::string SharedGraph(const std::string& name, uint64_t vertices,
                        const std::vector<InputEdge>& edges, bool compressed);

/// Where jobs keep the speed of this machine.
std::string SharedMachineProfilePath();

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TESTING_SHARED_FILES_H_

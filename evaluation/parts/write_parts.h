#ifndef FARGRAPH_EVALUATION_PARTS_WRITE_PARTS_H_
#define FARGRAPH_EVALUATION_PARTS_WRITE_PARTS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "graph/graph_files.h"
#include "graph/ids.h"
#include "graph/partition/grid.h"

namespace fargraph {

/// Partitions a graph: writes every part of the grid into two files of a folder, its neighbours and
/// the vertices that they are of, streaming, in one pass. As conversion writes, with checksums and
/// until all is on the device. The files must not be there.
absl::Status WriteParts(const GraphFiles& files, Direction direction,
                        absl::Span<const EdgeOffset> index, const Grid& grid,
                        const std::string& folder);

}  // namespace fargraph

#endif  // FARGRAPH_EVALUATION_PARTS_WRITE_PARTS_H_

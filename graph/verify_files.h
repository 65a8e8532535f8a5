#ifndef FARGRAPH_GRAPH_VERIFY_FILES_H_
#define FARGRAPH_GRAPH_VERIFY_FILES_H_

#include "absl/status/status.h"
#include "graph/graph_files.h"

namespace fargraph {

/// Reads every byte of an open graph once, in little memory, and checks what docs/file-format.md
/// promises: checksums; offsets that ascend; lists that ascend and stay within the vertices; every
/// edge in both directions of a symmetric graph; in-lists that are the reverse of the out-lists;
/// heads that are those of the lists; ids that ascend and a renumbering that is one. DataLoss names
/// the file.
absl::Status VerifyFiles(const GraphFiles& files);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_VERIFY_FILES_H_

#ifndef FARGRAPH_COMPUTE_NODE_CLI_FLAGS_MEMORY_NODE_FLAGS_H_
#define FARGRAPH_COMPUTE_NODE_CLI_FLAGS_MEMORY_NODE_FLAGS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/transport/transport.h"

namespace fargraph {

/// --memory_nodes: HOST:PORT each, none twice. InvalidArgument says which is not one.
absl::StatusOr<std::vector<std::string>> MemoryNodesFlag();

/// --ssd_dirs: a directory on each SSD, none twice. InvalidArgument says what is wrong.
absl::StatusOr<std::vector<std::string>> SsdDirectoriesFlag();

/// --transport; nullopt for auto. InvalidArgument says what there is.
absl::StatusOr<std::optional<transport::Kind>> TransportFlag();

/// The token in the file that --token_file names; empty without one. Errors as ReadTokenFile's.
absl::StatusOr<std::string> TokenFlag();

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_FLAGS_MEMORY_NODE_FLAGS_H_

#include "compute_node/cli/flags/memory_node_flags.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/address.h"
#include "common/control/token.h"
#include "gflags/gflags.h"

DEFINE_string(memory_nodes, "", "The memory nodes to use: HOST:PORT,HOST:PORT,...");
DEFINE_string(
    ssd_dirs, "",
    "A directory on each SSD, for edges for which there are no memory nodes, or not enough: "
    "DIR,DIR,...; if it is the graph's own alone, they are read in its files, else in copies that "
    "go with the job");
DEFINE_string(transport, "auto",
              "How to reach the memory nodes: verbs, shm or tcp; auto takes verbs where both ends "
              "have an RDMA device, shm on one host, tcp otherwise");
DEFINE_string(token_file, "", "The file that holds the memory nodes' token");

namespace fargraph {

absl::StatusOr<std::vector<std::string>> MemoryNodesFlag() {
  std::vector<std::string> nodes;
  if (FLAGS_memory_nodes.empty()) return nodes;
  for (const absl::string_view text : absl::StrSplit(FLAGS_memory_nodes, ',')) {
    const absl::StatusOr<HostPort> address = ParseHostPort(text);
    if (!address.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--memory_nodes: ", address.status().message()));
    }
    nodes.push_back(address->ToString());
    if (std::count(nodes.begin(), nodes.end(), nodes.back()) > 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("--memory_nodes names ", nodes.back(), " twice; name every node once"));
    }
  }
  return nodes;
}

absl::StatusOr<std::vector<std::string>> SsdDirectoriesFlag() {
  if (FLAGS_ssd_dirs.empty()) return std::vector<std::string>();
  const std::vector<std::string> directories = absl::StrSplit(FLAGS_ssd_dirs, ',');
  for (const std::string& directory : directories) {
    if (directory.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("--ssd_dirs cannot be '", FLAGS_ssd_dirs,
                                                     "': it takes directories, DIR,DIR,..."));
    }
    if (std::count(directories.begin(), directories.end(), directory) > 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("--ssd_dirs names ", directory, " twice; name every directory once"));
    }
  }
  return directories;
}

absl::StatusOr<std::optional<transport::Kind>> TransportFlag() {
  if (FLAGS_transport == "auto") return std::nullopt;
  const absl::StatusOr<transport::Kind> kind = transport::ParseKind(FLAGS_transport);
  if (!kind.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("--transport cannot be '", FLAGS_transport,
                                                   "': it takes auto, verbs, shm or tcp"));
  }
  return *kind;
}

absl::StatusOr<std::string> TokenFlag() {
  if (FLAGS_token_file.empty()) return "";
  return ReadTokenFile(FLAGS_token_file);
}

}  // namespace fargraph

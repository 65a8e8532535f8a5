#include <unistd.h>

#include <array>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "common/control/memory_node_client.h"

namespace fargraph {

/// Processes share memory by handing a memfd over an abstract unix socket. That needs one running
/// kernel, which its boot id names, and one network namespace, in which abstract sockets live.
std::string LocalHostId() {
  std::string boot_id;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot_id;
  std::array<char, 64> network;
  const ssize_t length = readlink("/proc/self/ns/net", network.data(), network.size());
  if (boot_id.empty() || length <= 0) return "";
  return absl::StrCat(boot_id, "/", absl::string_view(network.data(), static_cast<size_t>(length)));
}

}  // namespace fargraph

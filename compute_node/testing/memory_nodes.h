#ifndef FARGRAPH_COMPUTE_NODE_TESTING_MEMORY_NODES_H_
#define FARGRAPH_COMPUTE_NODE_TESTING_MEMORY_NODES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/host/huge_pages.h"
#include "common/units.h"
#include "memory_node/memory_node.h"

namespace fargraph {

/// The largest capacity on small pages, in which regions take what they ask for, whatever huge
/// pages the host has reserved.
inline constexpr uint64_t kMostOnSmallPages = kHugePageBytes - 1;

/// Memory nodes within the test's process, on loopback.
class MemoryNodes {
 public:
  explicit MemoryNodes(size_t count, uint64_t capacity_bytes = 64 * kMiB,
                       const std::string& token = "");

  std::vector<std::string> addresses() const;

  void Stop(size_t node) { nodes_[node].reset(); }
  /// It holds nothing then, and has another address.
  void Restart(size_t node);

 private:
  const MemoryNodeOptions options_;
  std::vector<std::unique_ptr<MemoryNode>> nodes_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TESTING_MEMORY_NODES_H_

#include "compute_node/testing/memory_nodes.h"

namespace fargraph {

MemoryNodes::MemoryNodes(size_t count, uint64_t capacity_bytes, const std::string& token) {
  for (size_t i = 0; i < count; ++i) {
    nodes_.push_back(
        *MemoryNode::Start({.capacity_bytes = capacity_bytes,
                            .transports = {transport::Kind::kShm, transport::Kind::kTcp},
                            .token = token}));
  }
}

std::vector<std::string> MemoryNodes::addresses() const {
  std::vector<std::string> addresses;
  for (const auto& node : nodes_) addresses.push_back(node->address());
  return addresses;
}

}  // namespace fargraph

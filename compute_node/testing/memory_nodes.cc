#include "compute_node/testing/memory_nodes.h"

namespace fargraph {

MemoryNodes::MemoryNodes(size_t count, uint64_t capacity_bytes, const std::string& token)
    : options_{.capacity_bytes = capacity_bytes,
               .transports = {transport::Kind::kShm, transport::Kind::kTcp},
               .token = token} {
  for (size_t i = 0; i < count; ++i) nodes_.push_back(*MemoryNode::Start(options_));
}

void MemoryNodes::Restart(size_t node) {
  Stop(node);
  nodes_[node] = *MemoryNode::Start(options_);
}

std::vector<std::string> MemoryNodes::addresses() const {
  std::vector<std::string> addresses;
  for (const auto& node : nodes_) addresses.push_back(node->address());
  return addresses;
}

}  // namespace fargraph

#ifndef FARGRAPH_MEMORY_NODE_TEST_PEER_H_
#define FARGRAPH_MEMORY_NODE_TEST_PEER_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/control/memory_node_client.h"
#include "common/memory/mapped_memory.h"
#include "common/transport/transport.h"

namespace fargraph {

/// For tests: a queue pair to a node and a small registered buffer, one request at a time.
class TestConnection {
 public:
  static absl::StatusOr<std::unique_ptr<TestConnection>> Open(transport::Kind kind,
                                                              const transport::Endpoint& endpoint,
                                                              const transport::Ticket& ticket);

  /// Writes `text` to the beginning of what the key names.
  absl::Status Write(const transport::RemoteKey& key, const std::string& text);
  /// Reads from `offset` of what the key names.
  absl::StatusOr<std::string> Read(const transport::RemoteKey& key, uint64_t length,
                                   uint64_t offset = 0);

 private:
  absl::Status Carry(transport::WorkRequest request);

  std::unique_ptr<transport::Device> device_;
  MappedMemory buffer_;
  std::unique_ptr<transport::MemoryRegion> region_;
  std::unique_ptr<transport::CompletionQueue> completion_queue_;
  std::unique_ptr<transport::QueuePair> queue_pair_;
};

/// For tests: a compute node with one lease on a memory node.
struct TestPeer {
  static absl::StatusOr<TestPeer> Join(const std::string& address, transport::Kind kind,
                                       const ControlOptions& options = {});

  std::unique_ptr<MemoryNodeClient> client;
  std::unique_ptr<Lease> lease;
  std::unique_ptr<TestConnection> connection;
};

}  // namespace fargraph

#endif  // FARGRAPH_MEMORY_NODE_TEST_PEER_H_

#ifndef FARGRAPH_MEMORY_NODE_MEMORY_NODE_H_
#define FARGRAPH_MEMORY_NODE_MEMORY_NODE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/transport/transport.h"
#include "memory_node/data_plane.h"

namespace fargraph {

struct MemoryNodeOptions {
  /// HOST:PORT of the control plane; port 0 takes a free one. The transports listen on the same
  /// host, on ports of their own.
  std::string listen = "127.0.0.1:0";
  uint64_t capacity_bytes = 0;
  /// Those that must be served; empty: all that this host has.
  std::vector<transport::Kind> transports = {};
  /// What a caller must show; only a node on loopback can do without.
  std::string token = {};
  /// How long a lease lives without renewal.
  absl::Duration lease_duration = absl::Seconds(10);
  /// Where metrics are shown, on the host of `listen` and to whom the token admits; 0 takes a free
  /// port, nullopt shows none.
  std::optional<uint16_t> metrics_port = std::nullopt;
  DeviceOpener open_device = transport::OpenDevice;
};

/// A memory node within this process: the program fargraph-memory-node is one of them, and a test
/// can have several.
class MemoryNode {
 public:
  /// Serves when it returns. InvalidArgument for options that make no sense, ResourceExhausted when
  /// the host lacks the memory, FailedPrecondition when it lacks a transport, a memlock limit or
  /// the port.
  static absl::StatusOr<std::unique_ptr<MemoryNode>> Start(const MemoryNodeOptions& options);

  /// Stops serving: refuses new calls, breaks all connections and gives the memory back.
  virtual ~MemoryNode() = default;

  /// HOST:PORT with the real port.
  virtual const std::string& address() const = 0;

  /// One line: "listening on HOST:PORT, capacity 8 GiB on 2 MiB huge pages, transports shm, tcp",
  /// and
  /// ", metrics on HOST:PORT" where they are shown.
  virtual std::string Description() const = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_MEMORY_NODE_MEMORY_NODE_H_

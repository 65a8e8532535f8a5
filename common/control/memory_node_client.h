#ifndef FARGRAPH_COMMON_CONTROL_MEMORY_NODE_CLIENT_H_
#define FARGRAPH_COMMON_CONTROL_MEMORY_NODE_CLIENT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/doctor/finding.h"
#include "common/transport/transport.h"

namespace fargraph {

/// What a memory node says of itself.
struct MemoryNodeDescription {
  std::string node_id;
  std::string host_id;  ///< equal to LocalHostId() exactly when both can share memory
  std::vector<transport::Kind> transports;
  uint64_t capacity_bytes = 0;
  std::string pages;
  uint64_t extent_bytes = 0;  ///< a region takes whole ones of so many
};

/// A named piece of a memory node's memory, and the key to reach it over the lease's transport.
struct RemoteRegion {
  std::string region_id;
  std::string name;
  uint64_t bytes = 0;
  transport::RemoteKey key;
};

struct RegionSummary {
  std::string region_id;
  std::string name;
  uint64_t bytes = 0;
  bool keep = false;
  uint32_t holders = 0;
};

/// A lease as its node sees it. `bytes_moved_total`: read and written over it, by the holder's own
/// count as of its last renewal.
struct ClientSummary {
  std::string holder;
  transport::Kind transport = transport::Kind::kTcp;
  uint64_t bytes_moved_total = 0;
  double bytes_per_second = 0;  ///< between its last two renewals
};

struct MemoryNodeStats {
  uint64_t capacity_bytes = 0;
  uint64_t allocated_bytes = 0;
  uint64_t regions = 0;
  uint64_t leases = 0;
  uint64_t leases_expired_total = 0;
  uint64_t allocations_refused_total = 0;
  uint64_t uptime_seconds = 0;
  uint64_t bytes_moved_total = 0;           ///< over all leases, those that have ended included
  std::vector<ClientSummary> clients = {};  ///< the oldest first
};

/// What a memory node says of its host.
struct NodeDiagnosis {
  /// Its end of a link over verbs.
  struct RdmaEnd {
    std::string device;
    uint32_t mtu_bytes = 0;
    uint32_t reads_answered = 0;  ///< outstanding on one queue pair
  };
  std::vector<doctor::Finding> findings;
  std::optional<RdmaEnd> rdma;  ///< none where no RDMA device is ready
};

/// This host's identity as memory nodes state theirs.
std::string LocalHostId();

struct ControlOptions {
  std::string token = {};  ///< empty where the memory node asks for none
  /// For one call; longer, by the size of the region, where the node works on its bytes.
  absl::Duration call_timeout = absl::Seconds(5);
};

/// The presence of this process on a memory node, renewed in the background while the object lives.
/// Closing it (or not renewing in time) lets go of all that it holds: unsealed regions and sealed
/// ones that are not kept are reclaimed. Any thread may call.
class Lease {
 public:
  /// Closes the lease and waits until the node has reclaimed what it held: no longer than the call
  /// timeout, and the longer the more there is to reclaim.
  virtual ~Lease() = default;

  virtual const transport::Endpoint& endpoint() const = 0;
  virtual const transport::Ticket& ticket() const = 0;

  /// OK while the node renews the lease; Unavailable, naming the node, once it has been lost.
  virtual absl::Status Health() const = 0;
  /// Asks the node itself, once: Unavailable if it answers that the lease has ended, with the
  /// reason. OK where it renews it, and where it does not answer within the call timeout.
  virtual absl::Status CheckNotEnded() = 0;

  /// ResourceExhausted when the node is full, with what it has left.
  virtual absl::StatusOr<RemoteRegion> Allocate(const std::string& name, uint64_t bytes) = 0;
  /// Makes the region immutable and visible to others; its key changes. `keep` as in the protocol.
  virtual absl::StatusOr<RemoteRegion> Seal(const RemoteRegion& region, bool keep) = 0;
  /// NotFound when no sealed region has that name.
  virtual absl::StatusOr<RemoteRegion> Attach(const std::string& name) = 0;
  /// Lets go of a region and forgets its name.
  virtual absl::Status Free(const RemoteRegion& region) = 0;
};

/// The control plane of one memory node. Any thread may call. Every error is one sentence that
/// names the node's address: Unavailable (nobody there), Unauthenticated (wrong or missing token),
/// ResourceExhausted (full), ...
class MemoryNodeClient {
 public:
  /// Connects to HOST:PORT and asks the node to describe itself.
  static absl::StatusOr<std::unique_ptr<MemoryNodeClient>> Connect(
      const std::string& address, const ControlOptions& options = {});
  virtual ~MemoryNodeClient() = default;

  virtual const std::string& address() const = 0;
  virtual const MemoryNodeDescription& description() const = 0;

  /// A lease for queue pairs of that kind; it may outlive the client. `bytes_moved` tells the node,
  /// for its operator, how much has been read and written over it; called by a thread of the lease
  /// while that lives.
  virtual absl::StatusOr<std::unique_ptr<Lease>> OpenLease(
      transport::Kind kind, std::function<uint64_t()> bytes_moved) = 0;
  absl::StatusOr<std::unique_ptr<Lease>> OpenLease(transport::Kind kind) {
    return OpenLease(kind, nullptr);
  }

  virtual absl::StatusOr<std::vector<RegionSummary>> List(const std::string& name_prefix) = 0;
  /// Frees a kept region, as its operator.
  virtual absl::Status Free(const RegionSummary& region) = 0;
  virtual absl::StatusOr<MemoryNodeStats> Stats() = 0;
  /// The checks of doctor::CheckHost there.
  virtual absl::StatusOr<NodeDiagnosis> Diagnose() = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_CONTROL_MEMORY_NODE_CLIENT_H_

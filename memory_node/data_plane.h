#ifndef FARGRAPH_MEMORY_NODE_DATA_PLANE_H_
#define FARGRAPH_MEMORY_NODE_DATA_PLANE_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/memory/mapped_memory.h"
#include "common/transport/transport.h"

namespace fargraph {

/// How a node opens a transport: transport::OpenDevice, or a test's own.
using DeviceOpener =
    std::function<absl::StatusOr<std::unique_ptr<transport::Device>>(transport::Kind)>;

struct DataPlaneOptions {
  std::string host;  ///< name or address to listen on
  /// Those that must be served; empty: all that this host has.
  std::vector<transport::Kind> transports;
  DeviceOpener open_device = transport::OpenDevice;
  /// The memory that is lent; must outlive the data plane.
  const MappedMemory* memory = nullptr;
  /// Whether a peer that came over that transport with that ticket may connect; see
  /// transport::ListenOptions::admit.
  std::function<bool(transport::Kind, const transport::Ticket&)> admit;
};

/// The listeners of a node, one a transport. Any thread may call; a transport that is passed in
/// must be one of those that were served at the start.
class DataPlane {
 public:
  /// Listens on every transport. A transport that was asked for and cannot be served is an error
  /// that names it, FailedPrecondition where the host has no such device; of the others, those are
  /// left out that cannot be served, and at least one must remain.
  static absl::StatusOr<std::unique_ptr<DataPlane>> Open(const DataPlaneOptions& options);

  /// Those that are served now: one whose device was lost is not any more.
  std::vector<transport::Kind> transports() const;
  /// Those left out, with the reason: the host has no such device at the address to listen on; or
  /// it does, which cannot be opened or does not let the memory be exposed.
  const std::vector<std::string>& absences() const { return absences_; }
  const std::vector<std::string>& failures() const { return failures_; }
  bool Serves(transport::Kind kind) const;
  /// "shm, tcp".
  std::string Names() const;

  transport::Endpoint endpoint(transport::Kind kind) const;
  absl::StatusOr<transport::RemoteKey> Expose(transport::Kind kind, uint64_t offset,
                                              uint64_t length, transport::Access access);
  absl::Status Revoke(transport::Kind kind, const transport::RemoteKey& key);
  void Disconnect(transport::Kind kind, const transport::Ticket& ticket);

 private:
  struct Service {
    std::unique_ptr<transport::Device> device;  // outlives its listener
    std::unique_ptr<transport::Listener> listener;
  };

  static absl::StatusOr<Service> Listen(std::unique_ptr<transport::Device> device,
                                        const DataPlaneOptions& options);
  absl::Status Add(transport::Kind kind, const DataPlaneOptions& options);
  void AddIfPossible(transport::Kind kind, const DataPlaneOptions& options);
  transport::Listener* Find(transport::Kind kind) const;

  std::vector<Service> services_;
  std::vector<std::string> absences_;
  std::vector<std::string> failures_;
};

}  // namespace fargraph

#endif  // FARGRAPH_MEMORY_NODE_DATA_PLANE_H_

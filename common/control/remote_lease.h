#ifndef FARGRAPH_COMMON_CONTROL_REMOTE_LEASE_H_
#define FARGRAPH_COMMON_CONTROL_REMOTE_LEASE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "common/control/control_channel.h"
#include "common/control/memory_node_client.h"
#include "common/monotonic_time.h"

namespace fargraph {

/// A Lease over a control channel, with a thread that renews it.
class RemoteLease : public Lease {
 public:
  static absl::StatusOr<std::unique_ptr<RemoteLease>> Open(std::shared_ptr<ControlChannel> channel,
                                                           transport::Kind kind,
                                                           std::function<uint64_t()> bytes_moved);
  ~RemoteLease() override;

  const transport::Endpoint& endpoint() const override { return endpoint_; }
  const transport::Ticket& ticket() const override { return ticket_; }
  absl::Status Health() const override;
  absl::Status CheckNotEnded() override;

  absl::StatusOr<RemoteRegion> Allocate(const std::string& name, uint64_t bytes) override;
  absl::StatusOr<RemoteRegion> Seal(const RemoteRegion& region, bool keep) override;
  absl::StatusOr<RemoteRegion> Attach(const std::string& name) override;
  absl::Status Free(const RemoteRegion& region) override;

 private:
  RemoteLease(std::shared_ptr<ControlChannel> channel, std::function<uint64_t()> bytes_moved)
      : channel_(std::move(channel)), bytes_moved_(std::move(bytes_moved)) {}

  /// Asks for the lease and fills the members that describe it.
  absl::Status Request(transport::Kind kind);
  /// The sealed region of that name, as the node lists it; an empty one when there is none.
  absl::StatusOr<proto::RegionSummary> Summary(const std::string& name);
  /// Notes that the region goes with the lease; or that it does not.
  void AddReclaimable(const std::string& region_id, uint64_t bytes);
  void RemoveReclaimable(const std::string& region_id);
  uint64_t ReclaimableBytes() const;
  uint64_t BytesMoved() const { return bytes_moved_ ? bytes_moved_() : 0; }
  /// The renewing thread: until the lease is closed or lost.
  void KeepRenewed();
  grpc::Status Renew(absl::Duration patience);
  /// What is said of a lease that could not be renewed.
  absl::Status Lost(const grpc::Status& reason) const;

  const std::shared_ptr<ControlChannel> channel_;
  const std::function<uint64_t()> bytes_moved_;
  std::string id_;
  transport::Endpoint endpoint_;
  transport::Ticket ticket_ = {};
  absl::Duration duration_;
  absl::Time valid_until_;  ///< of MonotonicNow(); the renewing thread's, once it runs

  MonotonicNotification closing_;
  mutable absl::Mutex mutex_;
  absl::Status health_ ABSL_GUARDED_BY(mutex_);
  /// The bytes of each region, by its id, that the node reclaims when the lease is closed.
  std::map<std::string, uint64_t> reclaimable_ ABSL_GUARDED_BY(mutex_);
  std::thread renewal_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_CONTROL_REMOTE_LEASE_H_

#ifndef FARGRAPH_MEMORY_NODE_BROKER_H_
#define FARGRAPH_MEMORY_NODE_BROKER_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "common/transport/transport.h"
#include "memory_node/arena.h"
#include "memory_node/data_plane.h"
#include "memory_node/lease_table.h"
#include "memory_node/region_table.h"

namespace fargraph {

/// A region as a lease is told of it.
struct LentRegion {
  std::string id;
  std::string name;
  uint64_t bytes = 0;
  transport::RemoteKey key;
};

/// Lends the arena to leases: the control protocol's operations on the tables, the memory and the
/// data plane, without gRPC. Any thread may call.
///
/// A key lives no longer than the lease that holds it, and is revoked before the memory behind it
/// is given to anybody else. Where a key cannot be revoked yet, because a peer was stopped in the
/// middle of a copy, its memory waits until it can.
class Broker {
 public:
  /// `node_id` begins the ids of regions. The others must outlive the broker.
  Broker(const std::string& node_id, Arena& arena, LeaseTable& leases, DataPlane& data_plane);

  /// FailedPrecondition when the node does not serve that transport.
  absl::StatusOr<std::shared_ptr<LeaseRecord>> OpenLease(const std::string& request_id,
                                                         transport::Kind kind,
                                                         const std::string& holder);
  /// `bytes_moved_total`: as in LeaseTable::Renew.
  absl::Status RenewLease(const std::string& lease_id, uint64_t bytes_moved_total = 0);
  void CloseLease(const std::string& lease_id, uint64_t bytes_moved_total = 0);
  /// Ends the leases that were not renewed in time. `now`: as in LeaseTable.
  void ExpireLeases(absl::Time now);
  /// Tries again to revoke the keys that could not be.
  void RetryRevocations();

  absl::StatusOr<LentRegion> Allocate(const std::string& lease_id, const std::string& request_id,
                                      const std::string& name, uint64_t bytes);
  absl::StatusOr<LentRegion> Seal(const std::string& lease_id, const std::string& region_id,
                                  bool keep);
  absl::StatusOr<LentRegion> Attach(const std::string& lease_id, const std::string& name);
  /// `lease_id` is empty when an operator frees a region. Freeing what is gone already is fine.
  absl::Status Free(const std::string& lease_id, const std::string& region_id);

  const RegionTable& regions() const { return regions_; }
  uint64_t leases_expired_total() const { return leases_expired_total_; }
  uint64_t allocations_refused_total() const { return allocations_refused_total_; }

 private:
  struct StuckKey {
    transport::Kind kind;
    transport::RemoteKey key;
    Region region;
  };

  void End(LeaseRecord& lease) ABSL_LOCKS_EXCLUDED(lease.mutex);

  /// Of shm, where the client writes by itself, with its pages.
  absl::StatusOr<Extent> AllocateExtent(transport::Kind kind, uint64_t bytes);
  /// What a repetition of an Allocate is answered with.
  static absl::StatusOr<LentRegion> AllocatedBefore(const LeaseRecord& lease,
                                                    const std::string& region_id,
                                                    const std::string& name, uint64_t bytes)
      ABSL_SHARED_LOCKS_REQUIRED(lease.mutex);
  /// Seals a held region, or replaces it by the one whose Seal came first; the hold of what it is
  /// now.
  absl::StatusOr<Hold*> SealHeld(LeaseRecord& lease, Hold& hold, bool keep)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lease.mutex);
  /// Enters a hold that the region table has counted, once a region.
  Hold& AddHold(LeaseRecord& lease, const Region& sealed)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lease.mutex);
  /// The region with a key that reads it.
  absl::StatusOr<LentRegion> WithReadKey(const LeaseRecord& lease, Hold& hold);
  absl::Status RevokeKey(const LeaseRecord& lease, Hold& hold);
  void LetGo(const LeaseRecord& lease, Hold& hold);
  void Release(const Region& region);
  void Reclaim(const Region& region);

  Arena& arena_;
  LeaseTable& leases_;
  DataPlane& data_plane_;
  RegionTable regions_;
  absl::Mutex stuck_mutex_;
  std::vector<StuckKey> stuck_ ABSL_GUARDED_BY(stuck_mutex_);
  std::atomic<uint64_t> leases_expired_total_ = 0;
  std::atomic<uint64_t> allocations_refused_total_ = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_MEMORY_NODE_BROKER_H_

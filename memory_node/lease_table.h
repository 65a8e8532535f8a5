#ifndef FARGRAPH_MEMORY_NODE_LEASE_TABLE_H_
#define FARGRAPH_MEMORY_NODE_LEASE_TABLE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "common/control/memory_node_client.h"
#include "common/transport/transport.h"
#include "memory_node/region_table.h"

namespace fargraph {

/// A region that a lease holds.
struct Hold {
  Region region;
  bool sealed = false;
  /// The lease's own key to it; none between the revocation of one and the next.
  std::optional<transport::RemoteKey> key;
};

/// One compute node's presence. What a lease holds is changed by one operation at a time, under
/// `mutex`, for as long as the operation takes; the table's own lock is never held that long, so
/// that renewals pass while a large region is being registered.
struct LeaseRecord {
  uint64_t number = 0;  ///< for logs: the id is a secret
  std::string id;
  transport::Kind kind = transport::Kind::kTcp;
  transport::Ticket ticket = {};
  std::string holder;

  absl::Mutex mutex;
  bool ended ABSL_GUARDED_BY(mutex) = false;
  absl::flat_hash_map<std::string, Hold> holds ABSL_GUARDED_BY(mutex);  ///< by region id
  /// Request id to region id of every Allocate.
  absl::flat_hash_map<std::string, std::string> allocations ABSL_GUARDED_BY(mutex);
  /// Region id to that of the region of the same name whose Seal came first.
  absl::flat_hash_map<std::string, std::string> superseded ABSL_GUARDED_BY(mutex);
};

/// The leases that are alive. `now` is MonotonicNow(), or a test's. Any thread may call.
class LeaseTable {
 public:
  explicit LeaseTable(absl::Duration duration) : duration_(duration) {}

  absl::Duration duration() const { return duration_; }

  /// A new lease, or the one that this request opened before.
  absl::StatusOr<std::shared_ptr<LeaseRecord>> Open(const std::string& request_id,
                                                    transport::Kind kind, const std::string& holder,
                                                    absl::Time now);

  /// Aborted, the protocol's word for a lease that has ended, when there is no such lease.
  /// `bytes_moved_total`: over this lease, by its holder's count.
  absl::Status Renew(const std::string& id, absl::Time now, uint64_t bytes_moved_total = 0);
  absl::StatusOr<std::shared_ptr<LeaseRecord>> Find(const std::string& id) const;

  /// Takes a lease out; nullptr when there is none of that id.
  std::shared_ptr<LeaseRecord> Remove(const std::string& id, uint64_t bytes_moved_total = 0);
  /// Takes out those that were not renewed in time.
  std::vector<std::shared_ptr<LeaseRecord>> RemoveExpired(absl::Time now);

  /// Whether a lease for that transport has that ticket.
  bool Admits(transport::Kind kind, const transport::Ticket& ticket) const;

  size_t size() const;

  /// Of the leases that are alive, in the order of their opening; and what was moved over them and
  /// those that have ended.
  std::vector<ClientSummary> Clients() const;
  uint64_t bytes_moved_total() const;

 private:
  struct Entry {
    std::shared_ptr<LeaseRecord> lease;
    std::string request_id;
    absl::Time expires;
    absl::Time counted = absl::InfinitePast();  ///< when bytes_moved was
    uint64_t bytes_moved = 0;
    double bytes_per_second = 0;
  };
  using Entries = absl::flat_hash_map<std::string, Entry>;

  static void Count(Entry& entry, absl::Time now, uint64_t bytes_moved_total);
  std::shared_ptr<LeaseRecord> Take(Entries::iterator entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const absl::Duration duration_;
  mutable absl::Mutex mutex_;
  Entries entries_ ABSL_GUARDED_BY(mutex_);  ///< by lease id
  absl::flat_hash_map<std::string, std::string> id_of_request_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<transport::Ticket, transport::Kind> kind_of_ticket_ ABSL_GUARDED_BY(mutex_);
  uint64_t opened_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t bytes_moved_before_ ABSL_GUARDED_BY(mutex_) = 0;  ///< over leases that have ended
};

}  // namespace fargraph

#endif  // FARGRAPH_MEMORY_NODE_LEASE_TABLE_H_

#include "memory_node/broker.h"

#include <algorithm>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "common/log/log_fields.h"
#include "common/monotonic_time.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "glog/logging.h"

namespace fargraph {
namespace {

using transport::Access;

constexpr size_t kMaxHolderBytes = 256;

/// The first bytes of it, in whole characters of UTF-8: others get it as text.
std::string ShortHolder(const std::string& holder) {
  size_t end = std::min(holder.size(), kMaxHolderBytes);
  while (end > 0 && end < holder.size() && (holder[end] & 0xC0) == 0x80) --end;
  return holder.substr(0, end);
}

/// Names and holders come from outside: nothing in them may break a line of the log.
std::string ForLog(const LeaseRecord& lease) {
  return absl::StrCat("lease ", lease.number, " of ", absl::CHexEscape(lease.holder));
}

std::string ForLog(const Region& region) {
  return absl::StrCat("region ", region.id, " '", absl::CHexEscape(region.name), "', ",
                      FormatBytes(region.bytes));
}

/// The same for the fields of the log.
LogFields FieldsOf(const LeaseRecord& lease) {
  return LogFields({{"lease", lease.number}, {"client", lease.holder}});
}

LogFields FieldsOf(const Region& region) {
  return LogFields({{"region", region.id}, {"region_name", region.name}, {"bytes", region.bytes}});
}

absl::Status CheckAlive(const LeaseRecord& lease) ABSL_SHARED_LOCKS_REQUIRED(lease.mutex) {
  return lease.ended ? absl::AbortedError("the lease has ended while this was being done")
                     : absl::OkStatus();
}

/// Without an id, one caller's request would be taken for the repetition of another's.
absl::Status CheckRequestId(const std::string& request_id) {
  return request_id.empty() ? absl::InvalidArgumentError("the request has no id")
                            : absl::OkStatus();
}

LentRegion Lent(const Hold& hold) {
  return {hold.region.id, hold.region.name, hold.region.bytes, *hold.key};
}

}  // namespace

Broker::Broker(const std::string& node_id, Arena& arena, LeaseTable& leases, DataPlane& data_plane)
    : arena_(arena), leases_(leases), data_plane_(data_plane), regions_(node_id) {}

absl::StatusOr<std::shared_ptr<LeaseRecord>> Broker::OpenLease(const std::string& request_id,
                                                               transport::Kind kind,
                                                               const std::string& holder) {
  FARGRAPH_RETURN_IF_ERROR(CheckRequestId(request_id));
  if (!data_plane_.Serves(kind)) {
    return absl::FailedPreconditionError(
        absl::StrCat("it does not serve ", transport::KindName(kind), " but ", data_plane_.Names(),
                     "; choose one of these with --transport"));
  }
  FARGRAPH_ASSIGN_OR_RETURN(std::shared_ptr<LeaseRecord> lease,
                            leases_.Open(request_id, kind, ShortHolder(holder), MonotonicNow()));
  const LogFields fields = FieldsOf(*lease);
  VLOG(1) << ForLog(*lease) << " opened over " << transport::KindName(kind);
  return lease;
}

absl::Status Broker::RenewLease(const std::string& lease_id, uint64_t bytes_moved_total) {
  return leases_.Renew(lease_id, MonotonicNow(), bytes_moved_total);
}

void Broker::CloseLease(const std::string& lease_id, uint64_t bytes_moved_total) {
  const std::shared_ptr<LeaseRecord> lease = leases_.Remove(lease_id, bytes_moved_total);
  if (lease == nullptr) return;
  const LogFields fields = FieldsOf(*lease);
  VLOG(1) << ForLog(*lease) << " closed";
  End(*lease);
}

void Broker::ExpireLeases(absl::Time now) {
  for (const std::shared_ptr<LeaseRecord>& lease : leases_.RemoveExpired(now)) {
    const LogFields fields = FieldsOf(*lease);
    LOG(WARNING) << ForLog(*lease) << " was not renewed in time; what it held is reclaimed";
    ++leases_expired_total_;
    End(*lease);
  }
}

/// The lease is out of the table by now, so no new connection is admitted.
void Broker::End(LeaseRecord& lease) {
  data_plane_.Disconnect(lease.kind, lease.ticket);
  const absl::MutexLock lock(&lease.mutex);
  lease.ended = true;
  for (auto& [id, hold] : lease.holds) LetGo(lease, hold);
  lease.holds.clear();
}

absl::StatusOr<LentRegion> Broker::Allocate(const std::string& lease_id,
                                            const std::string& request_id, const std::string& name,
                                            uint64_t bytes) {
  FARGRAPH_RETURN_IF_ERROR(CheckRequestId(request_id));
  FARGRAPH_RETURN_IF_ERROR(RegionTable::CheckName(name));
  if (bytes == 0) return absl::InvalidArgumentError("a region has at least one byte");
  FARGRAPH_ASSIGN_OR_RETURN(const std::shared_ptr<LeaseRecord> lease, leases_.Find(lease_id));
  const absl::MutexLock lock(&lease->mutex);
  FARGRAPH_RETURN_IF_ERROR(CheckAlive(*lease));
  if (const auto known = lease->allocations.find(request_id); known != lease->allocations.end()) {
    return AllocatedBefore(*lease, known->second, name, bytes);
  }

  const absl::StatusOr<Extent> extent = AllocateExtent(lease->kind, bytes);
  if (!extent.ok()) {
    ++allocations_refused_total_;
    return extent.status();
  }
  const absl::StatusOr<transport::RemoteKey> key =
      data_plane_.Expose(lease->kind, extent->offset, bytes, Access::kReadWrite);
  if (!key.ok()) {
    arena_.Reclaim(*extent);
    return key.status();
  }
  const Region region = regions_.Add(name, bytes, *extent);
  lease->allocations.emplace(request_id, region.id);
  const auto hold = lease->holds.emplace(region.id, Hold{region, /*sealed=*/false, *key}).first;
  const LogFields lease_fields = FieldsOf(*lease);
  const LogFields region_fields = FieldsOf(region);
  VLOG(1) << ForLog(*lease) << " allocated " << ForLog(region);
  return Lent(hold->second);
}

absl::StatusOr<Extent> Broker::AllocateExtent(transport::Kind kind, uint64_t bytes) {
  FARGRAPH_ASSIGN_OR_RETURN(const Extent extent, arena_.Allocate(bytes));
  if (kind != transport::Kind::kShm) return extent;
  const absl::Status populated = arena_.Populate(extent);
  if (populated.ok()) return extent;
  arena_.Reclaim(extent);
  return populated;
}

absl::StatusOr<LentRegion> Broker::AllocatedBefore(const LeaseRecord& lease,
                                                   const std::string& region_id,
                                                   const std::string& name, uint64_t bytes) {
  const auto hold = lease.holds.find(region_id);
  if (hold == lease.holds.end() || !hold->second.key || hold->second.region.name != name ||
      hold->second.region.bytes != bytes) {
    return absl::InvalidArgumentError("the request id has been used for another region");
  }
  return Lent(hold->second);
}

absl::StatusOr<LentRegion> Broker::Seal(const std::string& lease_id, const std::string& region_id,
                                        bool keep) {
  FARGRAPH_ASSIGN_OR_RETURN(const std::shared_ptr<LeaseRecord> lease, leases_.Find(lease_id));
  const absl::MutexLock lock(&lease->mutex);
  FARGRAPH_RETURN_IF_ERROR(CheckAlive(*lease));
  const auto superseded = lease->superseded.find(region_id);
  const auto found =
      lease->holds.find(superseded == lease->superseded.end() ? region_id : superseded->second);
  if (found == lease->holds.end()) {
    return absl::NotFoundError("the lease does not hold that region; allocate it first");
  }
  Hold* hold = &found->second;
  if (hold->sealed) {
    FARGRAPH_RETURN_IF_ERROR(regions_.Seal(hold->region.id, keep).status());
  } else {
    FARGRAPH_ASSIGN_OR_RETURN(hold, SealHeld(*lease, *hold, keep));
  }
  return WithReadKey(*lease, *hold);
}

absl::StatusOr<Hold*> Broker::SealHeld(LeaseRecord& lease, Hold& hold, bool keep) {
  FARGRAPH_RETURN_IF_ERROR(RevokeKey(lease, hold));  // from here on nobody can write
  const Region own = hold.region;
  FARGRAPH_ASSIGN_OR_RETURN(const Region sealed, regions_.Seal(own.id, keep));
  const LogFields lease_fields = FieldsOf(lease);
  const LogFields region_fields = FieldsOf(sealed);
  VLOG(1) << ForLog(lease) << " sealed " << ForLog(sealed) << (keep ? ", to be kept" : "");
  if (sealed.id == own.id) {
    hold.sealed = true;
    return &hold;
  }
  LetGo(lease, hold);
  lease.holds.erase(own.id);
  lease.superseded.emplace(own.id, sealed.id);
  return &AddHold(lease, sealed);
}

absl::StatusOr<LentRegion> Broker::Attach(const std::string& lease_id, const std::string& name) {
  FARGRAPH_ASSIGN_OR_RETURN(const std::shared_ptr<LeaseRecord> lease, leases_.Find(lease_id));
  const absl::MutexLock lock(&lease->mutex);
  FARGRAPH_RETURN_IF_ERROR(CheckAlive(*lease));
  FARGRAPH_ASSIGN_OR_RETURN(const Region region, regions_.Attach(name));
  const LogFields lease_fields = FieldsOf(*lease);
  const LogFields region_fields = FieldsOf(region);
  VLOG(1) << ForLog(*lease) << " attached to " << ForLog(region);
  return WithReadKey(*lease, AddHold(*lease, region));
}

absl::Status Broker::Free(const std::string& lease_id, const std::string& region_id) {
  if (lease_id.empty()) {
    FARGRAPH_ASSIGN_OR_RETURN(const std::optional<Region> dead, regions_.Forget(region_id));
    const LogFields fields({{"region", region_id}});
    VLOG(1) << "an operator freed region " << absl::CHexEscape(region_id);
    if (dead) Reclaim(*dead);
    return absl::OkStatus();
  }
  FARGRAPH_ASSIGN_OR_RETURN(const std::shared_ptr<LeaseRecord> lease, leases_.Find(lease_id));
  const absl::MutexLock lock(&lease->mutex);
  FARGRAPH_RETURN_IF_ERROR(CheckAlive(*lease));
  const auto hold = lease->holds.find(region_id);
  if (hold == lease->holds.end() || hold->second.sealed) {
    FARGRAPH_ASSIGN_OR_RETURN(const std::optional<Region> dead, regions_.Forget(region_id));
    if (dead) Reclaim(*dead);
  }
  if (hold != lease->holds.end()) {
    const LogFields lease_fields = FieldsOf(*lease);
    const LogFields region_fields = FieldsOf(hold->second.region);
    VLOG(1) << ForLog(*lease) << " freed " << ForLog(hold->second.region);
    LetGo(*lease, hold->second);
    lease->holds.erase(hold);
  }
  return absl::OkStatus();
}

Hold& Broker::AddHold(LeaseRecord& lease, const Region& sealed) {
  const auto [hold, is_new] = lease.holds.try_emplace(sealed.id, Hold{sealed, true, std::nullopt});
  if (!is_new) regions_.Release(sealed.id);
  return hold->second;
}

absl::StatusOr<LentRegion> Broker::WithReadKey(const LeaseRecord& lease, Hold& hold) {
  if (!hold.key) {
    FARGRAPH_ASSIGN_OR_RETURN(hold.key, data_plane_.Expose(lease.kind, hold.region.extent.offset,
                                                           hold.region.bytes, Access::kRead));
  }
  return Lent(hold);
}

absl::Status Broker::RevokeKey(const LeaseRecord& lease, Hold& hold) {
  if (!hold.key) return absl::OkStatus();
  FARGRAPH_RETURN_IF_ERROR(data_plane_.Revoke(lease.kind, *hold.key));
  hold.key.reset();
  return absl::OkStatus();
}

void Broker::LetGo(const LeaseRecord& lease, Hold& hold) {
  if (const absl::Status status = RevokeKey(lease, hold); !status.ok()) {
    const LogFields lease_fields = FieldsOf(lease);
    const LogFields region_fields = FieldsOf(hold.region);
    LOG(WARNING) << "the key of " << ForLog(lease) << " to " << ForLog(hold.region)
                 << " cannot be revoked yet, so its memory waits: " << status.message();
    const absl::MutexLock lock(&stuck_mutex_);
    stuck_.push_back({lease.kind, *hold.key, hold.region});
    return;
  }
  Release(hold.region);
}

void Broker::RetryRevocations() {
  std::vector<StuckKey> stuck;
  {
    const absl::MutexLock lock(&stuck_mutex_);
    stuck.swap(stuck_);
  }
  for (const StuckKey& key : stuck) {
    if (data_plane_.Revoke(key.kind, key.key).ok()) {
      Release(key.region);
    } else {
      const absl::MutexLock lock(&stuck_mutex_);
      stuck_.push_back(key);
    }
  }
}

void Broker::Release(const Region& region) {
  if (const std::optional<Region> dead = regions_.Release(region.id)) Reclaim(*dead);
}

void Broker::Reclaim(const Region& region) {
  arena_.Reclaim(region.extent);
  const LogFields fields = FieldsOf(region);
  VLOG(1) << ForLog(region) << " reclaimed";
}

}  // namespace fargraph

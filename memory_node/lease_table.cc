#include "memory_node/lease_table.h"

#include <utility>

#include "common/random.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

constexpr size_t kLeaseIdBytes = 16;

absl::Status Ended() {
  return absl::AbortedError("the lease has ended, because it was closed or not renewed in time");
}

}  // namespace

absl::StatusOr<std::shared_ptr<LeaseRecord>> LeaseTable::Open(const std::string& request_id,
                                                              transport::Kind kind,
                                                              const std::string& holder,
                                                              absl::Time now) {
  const absl::MutexLock lock(&mutex_);
  if (const auto known = id_of_request_.find(request_id); known != id_of_request_.end()) {
    return entries_.at(known->second).lease;
  }
  auto lease = std::make_shared<LeaseRecord>();
  lease->number = ++opened_;
  FARGRAPH_ASSIGN_OR_RETURN(lease->id, RandomHex(kLeaseIdBytes));
  lease->kind = kind;
  FARGRAPH_RETURN_IF_ERROR(FillRandom(absl::MakeSpan(lease->ticket)));
  lease->holder = holder;

  id_of_request_.emplace(request_id, lease->id);
  kind_of_ticket_.emplace(lease->ticket, kind);
  entries_.emplace(lease->id, Entry{lease, request_id, now + duration_});
  return lease;
}

absl::Status LeaseTable::Renew(const std::string& id, absl::Time now) {
  const absl::MutexLock lock(&mutex_);
  const auto entry = entries_.find(id);
  if (entry == entries_.end()) return Ended();
  entry->second.expires = now + duration_;
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<LeaseRecord>> LeaseTable::Find(const std::string& id) const {
  const absl::MutexLock lock(&mutex_);
  const auto entry = entries_.find(id);
  if (entry == entries_.end()) return Ended();
  return entry->second.lease;
}

std::shared_ptr<LeaseRecord> LeaseTable::Take(Entries::iterator entry) {
  std::shared_ptr<LeaseRecord> lease = std::move(entry->second.lease);
  id_of_request_.erase(entry->second.request_id);
  kind_of_ticket_.erase(lease->ticket);
  entries_.erase(entry);
  return lease;
}

std::shared_ptr<LeaseRecord> LeaseTable::Remove(const std::string& id) {
  const absl::MutexLock lock(&mutex_);
  const auto entry = entries_.find(id);
  return entry == entries_.end() ? nullptr : Take(entry);
}

std::vector<std::shared_ptr<LeaseRecord>> LeaseTable::RemoveExpired(absl::Time now) {
  const absl::MutexLock lock(&mutex_);
  std::vector<std::shared_ptr<LeaseRecord>> expired;
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const auto next = std::next(entry);
    if (entry->second.expires <= now) expired.push_back(Take(entry));
    entry = next;
  }
  return expired;
}

bool LeaseTable::Admits(transport::Kind kind, const transport::Ticket& ticket) const {
  const absl::MutexLock lock(&mutex_);
  const auto admitted = kind_of_ticket_.find(ticket);
  return admitted != kind_of_ticket_.end() && admitted->second == kind;
}

size_t LeaseTable::size() const {
  const absl::MutexLock lock(&mutex_);
  return entries_.size();
}

}  // namespace fargraph

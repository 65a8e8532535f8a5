#include "memory_node/lease_table.h"

#include <algorithm>
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
  entries_.emplace(
      lease->id,
      Entry{.lease = lease, .request_id = request_id, .expires = now + duration_, .counted = now});
  return lease;
}

absl::Status LeaseTable::Renew(const std::string& id, absl::Time now, uint64_t bytes_moved_total) {
  const absl::MutexLock lock(&mutex_);
  const auto entry = entries_.find(id);
  if (entry == entries_.end()) return Ended();
  entry->second.expires = now + duration_;
  Count(entry->second, now, bytes_moved_total);
  return absl::OkStatus();
}

/// A repeated or late call changes nothing.
void LeaseTable::Count(Entry& entry, absl::Time now, uint64_t bytes_moved_total) {
  if (now <= entry.counted || bytes_moved_total < entry.bytes_moved) return;
  entry.bytes_per_second = static_cast<double>(bytes_moved_total - entry.bytes_moved) /
                           absl::ToDoubleSeconds(now - entry.counted);
  entry.bytes_moved = bytes_moved_total;
  entry.counted = now;
}

std::vector<ClientSummary> LeaseTable::Clients() const {
  const absl::MutexLock lock(&mutex_);
  std::vector<const Entry*> entries;
  for (const auto& [id, entry] : entries_) entries.push_back(&entry);
  std::sort(entries.begin(), entries.end(),
            [](const Entry* a, const Entry* b) { return a->lease->number < b->lease->number; });
  std::vector<ClientSummary> clients;
  for (const Entry* entry : entries) {
    clients.push_back({.holder = entry->lease->holder,
                       .transport = entry->lease->kind,
                       .bytes_moved_total = entry->bytes_moved,
                       .bytes_per_second = entry->bytes_per_second});
  }
  return clients;
}

uint64_t LeaseTable::bytes_moved_total() const {
  const absl::MutexLock lock(&mutex_);
  uint64_t total = bytes_moved_before_;
  for (const auto& [id, entry] : entries_) total += entry.bytes_moved;
  return total;
}

absl::StatusOr<std::shared_ptr<LeaseRecord>> LeaseTable::Find(const std::string& id) const {
  const absl::MutexLock lock(&mutex_);
  const auto entry = entries_.find(id);
  if (entry == entries_.end()) return Ended();
  return entry->second.lease;
}

std::shared_ptr<LeaseRecord> LeaseTable::Take(Entries::iterator entry) {
  bytes_moved_before_ += entry->second.bytes_moved;
  std::shared_ptr<LeaseRecord> lease = std::move(entry->second.lease);
  id_of_request_.erase(entry->second.request_id);
  kind_of_ticket_.erase(lease->ticket);
  entries_.erase(entry);
  return lease;
}

std::shared_ptr<LeaseRecord> LeaseTable::Remove(const std::string& id, uint64_t bytes_moved_total) {
  const absl::MutexLock lock(&mutex_);
  const auto entry = entries_.find(id);
  if (entry == entries_.end()) return nullptr;
  entry->second.bytes_moved = std::max(entry->second.bytes_moved, bytes_moved_total);
  return Take(entry);
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

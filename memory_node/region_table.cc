#include "memory_node/region_table.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/units.h"

namespace fargraph {
namespace {

constexpr size_t kMaxNameBytes = 1024;

}  // namespace

absl::Status RegionTable::CheckName(absl::string_view name) {
  if (!name.empty() && name.size() <= kMaxNameBytes) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("the name of a region has 1 to ", kMaxNameBytes,
                                                 " bytes, and this one ", name.size()));
}

Region RegionTable::Add(const std::string& name, uint64_t bytes, const Extent& extent) {
  const absl::MutexLock lock(&mutex_);
  const uint64_t number = next_number_++;
  Entry entry;
  entry.region = {absl::StrCat(prefix_, "-", number), name, bytes, extent};
  return entries_.emplace(number, std::move(entry)).first->second.region;
}

absl::StatusOr<Region> RegionTable::Seal(const std::string& id, bool keep) {
  const absl::MutexLock lock(&mutex_);
  const auto found = Find(id);
  if (found == entries_.end()) return absl::NotFoundError("there is no such region");
  Entry& entry = found->second;
  if (entry.sealed) {
    entry.keep |= keep;
    return entry.region;
  }

  const auto [known, is_first] = number_of_name_.emplace(entry.region.name, found->first);
  Entry& winner = entries_.at(known->second);
  if (winner.region.bytes != entry.region.bytes) {
    return absl::AlreadyExistsError(
        absl::StrCat("the node has a sealed region of this name with ",
                     FormatBytes(winner.region.bytes), " where this one has ",
                     FormatBytes(entry.region.bytes), "; free that one or choose another name"));
  }
  winner.sealed = true;
  winner.keep |= keep;
  if (!is_first) ++winner.holders;
  return winner.region;
}

absl::StatusOr<Region> RegionTable::Attach(const std::string& name) {
  const absl::MutexLock lock(&mutex_);
  const auto known = number_of_name_.find(name);
  if (known == number_of_name_.end()) {
    return absl::NotFoundError("it has no sealed region of this name; upload it first");
  }
  Entry& entry = entries_.at(known->second);
  ++entry.holders;
  return entry.region;
}

std::optional<Region> RegionTable::Release(const std::string& id) {
  const absl::MutexLock lock(&mutex_);
  const auto entry = Find(id);
  if (entry == entries_.end()) return std::nullopt;
  --entry->second.holders;
  return RemoveIfDead(entry);
}

absl::StatusOr<std::optional<Region>> RegionTable::Forget(const std::string& id) {
  const absl::MutexLock lock(&mutex_);
  const auto entry = Find(id);
  if (entry == entries_.end()) {
    const std::optional<uint64_t> number = NumberOf(id);
    if (number && *number < next_number_) return std::nullopt;
    return absl::NotFoundError("there is no such region; list the regions to see their ids");
  }
  if (!entry->second.sealed) {
    return absl::PermissionDeniedError(
        "the region is still being filled by another lease, and goes with that lease");
  }
  DropName(entry->second);
  return RemoveIfDead(entry);
}

std::vector<RegionTable::Summary> RegionTable::List(absl::string_view name_prefix) const {
  const absl::MutexLock lock(&mutex_);
  std::vector<Summary> summaries;
  for (auto named = number_of_name_.lower_bound(name_prefix);
       named != number_of_name_.end() && absl::StartsWith(named->first, name_prefix); ++named) {
    const Entry& entry = entries_.at(named->second);
    summaries.push_back({entry.region, entry.keep, entry.holders});
  }
  return summaries;
}

size_t RegionTable::size() const {
  const absl::MutexLock lock(&mutex_);
  return entries_.size();
}

RegionTable::Entries::iterator RegionTable::Find(absl::string_view id) {
  const std::optional<uint64_t> number = NumberOf(id);
  return number ? entries_.find(*number) : entries_.end();
}

std::optional<uint64_t> RegionTable::NumberOf(absl::string_view id) const {
  uint64_t number = 0;
  const bool is_ours = absl::ConsumePrefix(&id, prefix_) && absl::ConsumePrefix(&id, "-") &&
                       absl::SimpleAtoi(id, &number);
  return is_ours ? std::optional<uint64_t>(number) : std::nullopt;
}

void RegionTable::DropName(Entry& entry) {
  if (entry.forgotten || !entry.sealed) return;
  entry.forgotten = true;
  number_of_name_.erase(entry.region.name);
}

std::optional<Region> RegionTable::RemoveIfDead(Entries::iterator entry) {
  if (!entry->second.IsDead()) return std::nullopt;
  DropName(entry->second);
  Region dead = std::move(entry->second.region);
  entries_.erase(entry);
  return dead;
}

}  // namespace fargraph

#include "compute_node/testing/fake_tier.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "compute_node/tiers/far_space.h"

namespace fargraph {

FakeTier::FakeTier(absl::Span<std::byte> memory, unsigned seed, uint64_t fail_after,
                   bool one_by_one, uint64_t block_bytes)
    : memory_(memory),
      random_(seed),
      fail_after_(fail_after),
      one_by_one_(one_by_one),
      block_bytes_(block_bytes) {}

absl::Status FakeTier::Submit(absl::Span<const Extent> extents, uint32_t tag) {
  for (const Extent& extent : extents) std::memset(extent.destination, 0xee, extent.length);
  return Enqueue(extents, tag, /*write=*/false);
}

absl::Status FakeTier::SubmitWrite(absl::Span<const Extent> extents, uint32_t tag) {
  return Enqueue(extents, tag, /*write=*/true);
}

absl::StatusOr<size_t> FakeTier::Poll(absl::Span<uint32_t> tags) {
  if (traffic_.requests >= fail_after_) {
    if (std::exchange(has_failed_, true)) return 0;
    return absl::UnavailableError("the fake tier has failed");
  }
  unsent_ = 0;
  size_t count = 0;
  while (count < tags.size() && !waiting_.empty() && random_() % 3 != 0 &&
         !(one_by_one_ && count == 1)) {
    const auto fetch = waiting_.begin() + (one_by_one_ ? 0 : random_() % waiting_.size());
    for (const Extent& extent : fetch->extents) {
      const uint64_t offset = OffsetOf(extent.address);
      std::byte* const bytes = memory_.data() + offset;
      const uint64_t length = std::min(extent.length, memory_.size() - offset);
      if (fetch->write) {
        std::memcpy(bytes, extent.destination, length);
      } else {
        std::memcpy(extent.destination, bytes, length);
      }
    }
    tags[count++] = fetch->tag;
    waiting_.erase(fetch);
  }
  return count;
}

absl::Status FakeTier::Enqueue(absl::Span<const Extent> extents, uint32_t tag, bool write) {
  if (extents.empty()) return absl::InternalError("nothing to fetch");
  std::set<uint64_t> blocks;
  for (const Extent& extent : extents) {
    const Extent whole = WholeBlocks(extent.address, extent.length, block_bytes_);
    if (whole.address != extent.address || whole.length != extent.length ||
        reinterpret_cast<uintptr_t>(extent.destination) % block_bytes_ != 0)
      return absl::InternalError("not whole blocks");
    for (uint64_t block = 0; block_bytes_ > 1 && block < extent.length; block += block_bytes_) {
      if (!blocks.insert(extent.address + block).second)
        return absl::InternalError("a block twice");
    }
    if (OffsetOf(extent.address) + extent.length >= memory_.size() + block_bytes_)
      return absl::InternalError("extent out of range");
    traffic_.bytes += extent.length;
    ++traffic_.requests;
  }
  ++submissions_;
  ++unsent_;
  waiting_.push_back({tag, {extents.begin(), extents.end()}, write});
  return absl::OkStatus();
}

}  // namespace fargraph

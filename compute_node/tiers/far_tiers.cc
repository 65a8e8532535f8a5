#include "compute_node/tiers/far_tiers.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "compute_node/tiers/tiered_queue.h"

namespace fargraph {

std::string FarTiers::transport_name() const {
  if (has_both()) return absl::StrCat(memory_->transport_name(), "+", ssds_->transport_name());
  return memory_ != nullptr ? memory_->transport_name() : ssds_->transport_name();
}

std::vector<FarNode> FarTiers::nodes() const {
  return memory_ != nullptr ? memory_->nodes() : ssds_->nodes();
}

uint64_t FarTiers::block_bytes() const {
  return std::max(memory_ != nullptr ? memory_->block_bytes() : 1,
                  ssds_ != nullptr ? ssds_->block_bytes() : 1);
}

absl::StatusOr<RegisteredMemory> FarTiers::RegisterMemory(absl::Span<std::byte> bytes) {
  RegisteredMemory registered;
  if (memory_ != nullptr) {
    FARGRAPH_ASSIGN_OR_RETURN(registered.memory, memory_->RegisterMemory(bytes));
  }
  if (ssds_ != nullptr) {
    FARGRAPH_ASSIGN_OR_RETURN(registered.ssds, ssds_->RegisterMemory(bytes));
  }
  return registered;
}

absl::StatusOr<std::unique_ptr<TierQueue>> FarTiers::OpenQueue(const RegisteredMemory& buffer,
                                                               uint32_t tags,
                                                               uint32_t queue_pairs) {
  if (ssds_ == nullptr) return memory_->OpenQueue(*buffer.memory, tags, queue_pairs);
  FARGRAPH_ASSIGN_OR_RETURN(std::unique_ptr<TierQueue> ssds, ssds_->OpenQueue(tags));
  if (memory_ == nullptr) return ssds;
  FARGRAPH_ASSIGN_OR_RETURN(std::unique_ptr<TierQueue> memory,
                            memory_->OpenQueue(*buffer.memory, tags, queue_pairs));
  return std::make_unique<TieredQueue>(std::move(memory), std::move(ssds), tags);
}

}  // namespace fargraph

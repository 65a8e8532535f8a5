#include "common/transport/verbs/local_regions.h"

#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "common/transport/verbs/errors.h"
#include "common/units.h"

namespace fargraph::transport::verbs {

absl::StatusOr<RegisteredMemory> RegisterWithDevice(ibv_pd* domain, absl::Span<std::byte> memory,
                                                    int access) {
  if (memory.empty()) return absl::InvalidArgumentError("cannot register an empty memory region");
  // The flag is one of those that libibverbs leaves out where they are unknown.
  RegisteredMemory registered(
      ibv_reg_mr(domain, memory.data(), memory.size(), access | IBV_ACCESS_RELAXED_ORDERING));
  if (registered != nullptr) return registered;
  return VerbsError(absl::StrCat("register ", FormatBytes(memory.size()), " with RDMA device ",
                                 ibv_get_device_name(domain->context->device)),
                    errno);
}

class LocalRegions::Region final : public MemoryRegion {
 public:
  Region(LocalRegions& regions, RegisteredMemory registered)
      : regions_(regions), registered_(std::move(registered)) {}

  ~Region() override {
    absl::MutexLock lock(&regions_.mutex_);
    regions_.extents_.erase(lkey());
    regions_.generation_.fetch_add(1, std::memory_order_release);
  }

  uint32_t lkey() const override { return registered_->lkey; }

 private:
  LocalRegions& regions_;
  const RegisteredMemory registered_;
};

absl::StatusOr<std::unique_ptr<MemoryRegion>> LocalRegions::Register(absl::Span<std::byte> memory) {
  FARGRAPH_ASSIGN_OR_RETURN(RegisteredMemory registered,
                            RegisterWithDevice(domain_, memory, IBV_ACCESS_LOCAL_WRITE));
  const uint32_t lkey = registered->lkey;
  const auto begin = reinterpret_cast<uintptr_t>(memory.data());
  auto region = std::make_unique<Region>(*this, std::move(registered));
  absl::MutexLock lock(&mutex_);
  extents_[lkey] = {lkey, begin, begin + memory.size()};
  return region;
}

LocalRegions::Extent LocalRegions::Find(uint32_t lkey) const {
  absl::ReaderMutexLock lock(&mutex_);
  const auto found = extents_.find(lkey);
  return found == extents_.end() ? Extent{} : found->second;
}

bool LocalRegionChecker::Contains(uint32_t lkey, const std::byte* address, uint64_t length) {
  const uint64_t generation = regions_.generation();
  if (last_.lkey != lkey || generation_ != generation) {
    last_ = regions_.Find(lkey);
    generation_ = generation;
  }
  const auto first = reinterpret_cast<uintptr_t>(address);
  return last_.end != 0 && first >= last_.begin && first <= last_.end &&
         length <= last_.end - first;
}

}  // namespace fargraph::transport::verbs

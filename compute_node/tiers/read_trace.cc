#include "compute_node/tiers/read_trace.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "compute_node/tiers/far_space.h"

namespace fargraph {
namespace {

constexpr uint64_t kSectorBytes = 512;
constexpr size_t kFlushBytes = kMiB;

class Traced : public TierQueue {
 public:
  Traced(std::unique_ptr<TierQueue> queue, ReadTrace& trace)
      : queue_(std::move(queue)), trace_(trace) {}

  uint64_t block_bytes() const override { return queue_->block_bytes(); }
  uint64_t BlockBytesAt(uint64_t address) const override { return queue_->BlockBytesAt(address); }
  absl::Status Submit(absl::Span<const Extent> extents, uint32_t tag) override {
    trace_.Add(extents);
    return queue_->Submit(extents, tag);
  }
  absl::Status SubmitWrite(absl::Span<const Extent> extents, uint32_t tag) override {
    return queue_->SubmitWrite(extents, tag);
  }
  absl::StatusOr<size_t> Poll(absl::Span<uint32_t> tags) override { return queue_->Poll(tags); }
  void Wait(absl::Duration timeout) override { queue_->Wait(timeout); }
  size_t in_flight() const override { return queue_->in_flight(); }
  TierTraffic traffic() const override { return queue_->traffic(); }

 private:
  std::unique_ptr<TierQueue> queue_;
  ReadTrace& trace_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ReadTrace>> ReadTrace::Create(const std::string& path) {
  FARGRAPH_ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path));
  return std::unique_ptr<ReadTrace>(new ReadTrace(std::move(file)));
}

void ReadTrace::BeginIteration() {
  absl::MutexLock lock(&mutex_);
  time_ = absl::StrFormat("%.9f", absl::ToDoubleSeconds(absl::Now() - begin_));
}

void ReadTrace::Add(absl::Span<const Extent> extents) {
  absl::MutexLock lock(&mutex_);
  for (const Extent& extent : extents) {
    const size_t unit = 2 * SegmentOf(extent.address) + (IsOnSsd(extent.address) ? 1 : 0);
    const Extent sectors = WholeBlocks(OffsetOf(extent.address), extent.length, kSectorBytes);
    absl::StrAppend(&lines_, unit, ",", sectors.address / kSectorBytes, ",", sectors.length, ",r,",
                    time_, "\n");
  }
  if (lines_.size() >= kFlushBytes) Flush();
}

void ReadTrace::Flush() {
  if (status_.ok()) status_ = file_.Write(lines_);
  lines_.clear();
}

absl::Status ReadTrace::Commit() {
  absl::MutexLock lock(&mutex_);
  Flush();
  FARGRAPH_RETURN_IF_ERROR(status_);
  return file_.Commit();
}

std::unique_ptr<TierQueue> TracedQueue(std::unique_ptr<TierQueue> queue, ReadTrace& trace) {
  return std::make_unique<Traced>(std::move(queue), trace);
}

}  // namespace fargraph

#include "compute_node/tiers/ssd_queue.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/files/file.h"
#include "common/status_macros.h"
#include "compute_node/tiers/far_space.h"
#include "compute_node/tiers/ssd_array.h"
#include "graph/striping/stripes.h"

namespace fargraph {
namespace {

/// When the host has no room for a request, which nothing tells the end of.
constexpr absl::Duration kRetryTime = absl::Milliseconds(1);

absl::string_view Action(bool is_write) { return is_write ? "Writing to" : "Reading"; }

}  // namespace

SsdQueue::SsdQueue(const SsdArray& array, std::unique_ptr<AsyncIo> io, uint32_t tags)
    : array_(array),
      requests_(Depth(array.devices(), array.threads())),
      io_(std::move(io)),
      lanes_(array.devices()),
      events_(requests_.size()),
      transfers_left_(tags) {
  prepared_.reserve(requests_.size());
  for (Lane& lane : lanes_) {
    lane.waiting.reserve(requests_.size() / lanes_.size());
    lane.free.reserve(requests_.size() / lanes_.size());
  }
  for (size_t i = 0; i < requests_.size(); ++i) {
    lanes_[i % lanes_.size()].free.push_back(&requests_[i]);
  }
}

uint64_t SsdQueue::block_bytes() const { return array_.block_bytes(); }

absl::Status SsdQueue::Submit(absl::Span<const Extent> extents, uint32_t tag) {
  return Enqueue(/*is_write=*/false, extents, tag);
}

absl::Status SsdQueue::SubmitWrite(absl::Span<const Extent> extents, uint32_t tag) {
  return Enqueue(/*is_write=*/true, extents, tag);
}

absl::Status SsdQueue::Enqueue(bool is_write, absl::Span<const Extent> extents, uint32_t tag) {
  assert(transfers_left_[tag] == 0 && !extents.empty());
  for (const Extent& extent : extents) {
    assert((extent.address | extent.length) % array_.block_bytes() == 0);
    const SsdArray::Segment& segment = array_.segments_[SegmentOf(extent.address)];
    const uint64_t begin = OffsetOf(extent.address);
    for (uint64_t done = 0; done < extent.length;) {
      const uint64_t most = std::min(extent.length - done, kMostRequestBytes);
      const StripeRun run = FirstRun(begin + done, most, segment.files.size());
      lanes_[run.part].waiting.push_back({.address = extent.address + done,
                                          .file = &segment.files[run.part],
                                          .lane = run.part,
                                          .is_write = is_write,
                                          .offset = segment.file_offset + run.offset,
                                          .length = run.length,
                                          .memory = extent.destination + done,
                                          .tag = tag});
      ++transfers_left_[tag];
      done += run.length;
    }
    traffic_.bytes += extent.length;
  }
  traffic_.requests += transfers_left_[tag];
  ++in_flight_;
  Send();
  return absl::OkStatus();
}

absl::StatusOr<size_t> SsdQueue::Poll(absl::Span<uint32_t> tags) {
  assert(tags.size() >= transfers_left_.size());
  FARGRAPH_RETURN_IF_ERROR(TakeEvents());
  size_t done = 0;
  const size_t count = std::exchange(event_count_, 0);
  for (const io_event& event : absl::MakeConstSpan(events_).first(count)) {
    Request& request = *static_cast<Request*>(event.data);
    FARGRAPH_ASSIGN_OR_RETURN(const bool finished,
                              Finish(request, static_cast<int64_t>(event.res)));
    if (!finished) {
      Prepare(request);
      continue;
    }
    lanes_[request.transfer.lane].free.push_back(&request);
    const uint32_t tag = request.transfer.tag;
    if (--transfers_left_[tag] == 0) tags[done++] = tag;
  }
  in_flight_ -= done;
  Send();
  return done;
}

/// What has happened by now, if Wait has not taken it already.
absl::Status SsdQueue::TakeEvents() {
  if (event_count_ > 0 || under_way_ == 0) return absl::OkStatus();
  const int count = io_->GetEvents(/*least=*/0, absl::MakeSpan(events_), absl::ZeroDuration());
  if (count == -EINTR) return absl::OkStatus();
  if (count < 0) return FileError(-count, "Waiting for", "the SSDs");
  event_count_ = count;
  under_way_ -= count;
  return absl::OkStatus();
}

/// True if the request is done; else what is left of it is to be asked for again.
absl::StatusOr<bool> SsdQueue::Finish(Request& request, int64_t result) const {
  Transfer& left = request.transfer;
  if (result == -EAGAIN || result == -EINTR) return false;
  if (result < 0) {
    FARGRAPH_RETURN_IF_ERROR(Recover(
        left, FileError(static_cast<int>(-result), Action(left.is_write), left.file->path())));
    return true;
  }
  if (static_cast<uint64_t>(result) >= left.length) return true;
  const uint64_t moved = result - result % array_.block_bytes();
  if (moved == 0) {
    FARGRAPH_RETURN_IF_ERROR(Recover(
        left, absl::DataLossError(absl::StrCat(Action(left.is_write), " ", left.file->path(),
                                               ": it has become shorter while it was in use; see "
                                               "that nothing changes it, and run the job again"))));
    return true;
  }
  left.address += moved;
  left.offset += moved;
  left.length -= moved;
  left.memory += moved;
  return false;
}

/// Reads what is left from a copy, if there is one, without asynchrony: it is not meant to happen.
absl::Status SsdQueue::Recover(const Transfer& left, const absl::Status& failure) const {
  if (left.is_write) return failure;
  return array_.ReadCopy(array_.segments_[SegmentOf(left.address)], OffsetOf(left.address),
                         absl::MakeSpan(left.memory, left.length), failure);
}

void SsdQueue::Prepare(Request& request) {
  const Transfer& transfer = request.transfer;
  const auto prepare = transfer.is_write ? io_prep_pwrite : io_prep_pread;
  prepare(&request.control, transfer.file->descriptor(), transfer.memory, transfer.length,
          static_cast<long long>(transfer.offset));
  request.control.data = &request;
  prepared_.push_back(&request.control);
}

/// As far as the device has room for what waits.
void SsdQueue::PrepareWaiting(Lane& lane) {
  for (; lane.next_waiting < lane.waiting.size() && !lane.free.empty(); ++lane.next_waiting) {
    Request& request = *lane.free.back();
    lane.free.pop_back();
    request.transfer = lane.waiting[lane.next_waiting];
    Prepare(request);
  }
  if (2 * lane.next_waiting >= lane.waiting.size()) {  // seldom enough to cost nothing
    lane.waiting.erase(lane.waiting.begin(),
                       lane.waiting.begin() + static_cast<ptrdiff_t>(lane.next_waiting));
    lane.next_waiting = 0;
  }
}

void SsdQueue::Send() {
  for (Lane& lane : lanes_) PrepareWaiting(lane);
  while (!prepared_.empty()) {
    const int sent = io_->Submit(absl::MakeSpan(prepared_));
    if (sent == -EINTR) continue;
    if (sent == -EAGAIN || sent == 0) break;
    if (sent < 0) {  // the first of them ends before it has begun, as the next Poll will see
      events_[event_count_++] = {.data = prepared_.front()->data,
                                 .res = static_cast<unsigned long>(int64_t{sent})};
    } else {
      under_way_ += sent;
    }
    prepared_.erase(prepared_.begin(), prepared_.begin() + std::max(1, sent));
  }
}

void SsdQueue::Wait(absl::Duration timeout) {
  if (event_count_ > 0) return;
  if (under_way_ == 0 || !prepared_.empty()) timeout = std::min(timeout, kRetryTime);
  const int count = io_->GetEvents(/*least=*/1, absl::MakeSpan(events_), timeout);
  event_count_ = std::max(0, count);  // Poll meets an error again
  under_way_ -= event_count_;
}

}  // namespace fargraph

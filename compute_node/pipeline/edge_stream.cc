#include "compute_node/pipeline/edge_stream.h"

#include <algorithm>
#include <utility>

#include "absl/time/clock.h"
#include "common/status_macros.h"

namespace fargraph {

EdgeStream::EdgeStream(std::unique_ptr<TierQueue> queue, absl::Span<std::byte> ring,
                       uint64_t slot_bytes, const FarGaps& gaps)
    : queue_(std::move(queue)),
      ring_(ring.data()),
      slot_bytes_(slot_bytes),
      planner_(*queue_, gaps),
      packer_(*queue_, slot_bytes),
      slots_(ring.size() / slot_bytes),
      most_in_flight_(queue_->block_bytes() > 1 ? std::max<size_t>(slots_.size() / 2, 1)
                                                : slots_.size()),
      arrived_tags_(slots_.size()),
      traffic_before_(queue_->traffic()) {}

absl::Status EdgeStream::BeginScan(const EdgeLists& lists, const VertexSubset* active,
                                   EdgeOffset skip, bool continues, ChunkCache* cache) {
  FARGRAPH_RETURN_IF_ERROR(failure_);
  if (!continues && ahead_chunks_ > 0) FARGRAPH_RETURN_IF_ERROR(DropAhead());
  lists_ = &lists;
  packer_.DivideSlots(lists);
  planner_.BeginScan(lists, active, skip);
  cache_ = cache;
  scan_end_ = started_;
  unwanted_chunk_ = kNoChunk;
  bytes_useful_ += std::exchange(ahead_bytes_, 0);
  ahead_chunks_ = 0;
  return absl::OkStatus();
}

absl::Status EdgeStream::DropAhead() {
  FARGRAPH_RETURN_IF_ERROR(AwaitAll());
  finished_ = started_;
  next_run_ = runs_.size();
  ahead_chunks_ = 0;
  ahead_bytes_ = 0;
  return absl::OkStatus();
}

absl::Status EdgeStream::Start(size_t chunk) { return StartChunk(chunk); }

absl::Status EdgeStream::StartAhead(size_t chunk) {
  ++ahead_chunks_;
  return StartChunk(chunk);
}

bool EdgeStream::IsLongList(size_t chunk) const {
  const ChunkTable& chunks = lists_->chunks();
  return chunks.FirstEdge(chunk + 1) - chunks.FirstEdge(chunk) > packer_.slot_elements();
}

absl::Status EdgeStream::StartChunk(size_t chunk) {
  chunk_ = chunk;
  planner_.Plan(chunk, runs_);
  next_run_ = 0;
  frame_.reset();
  if (cache_ != nullptr && !runs_.empty() && !IsLongList(chunk)) ClaimFrame(chunk);
  return StartRuns();
}

/// If what is planned had better be all of the chunk, for later scans.
void EdgeStream::ClaimFrame(size_t chunk) {
  const uint64_t elements_per_request = planner_.BreakEvenGap(chunk);
  uint64_t cost = 0;
  uint64_t useful = 0;
  for (const FetchRun& run : runs_) {
    cost += run.range.end - run.range.begin + elements_per_request;
    useful += run.useful;
  }
  frame_ = cache_->Claim(chunk, cost);
  if (!frame_) return;
  runs_.assign(1, WholeRun(lists_->chunks(), chunk));
  runs_.front().useful = useful;
}

absl::Status EdgeStream::StartRuns() {
  while (next_run_ < runs_.size()) {
    FetchRun& run = runs_[next_run_];
    const uint64_t elements = std::min(run.range.end - run.range.begin, packer_.slot_elements());
    if (is_filling_ && (frame_ || !packer_.HasRoomFor(elements))) FARGRAPH_RETURN_IF_ERROR(Send());
    if (!is_filling_) {
      if (!HasFreeSlot()) return absl::OkStatus();
      BeginSlot();
    }
    AddPiece(run, elements);
    if (run.range.begin == run.range.end) ++next_run_;
  }
  return !planner_.wants_all() && !frame_ ? absl::OkStatus() : Send();
}

void EdgeStream::BeginSlot() {
  is_filling_ = true;
  ++started_;
  if (ahead_chunks_ == 0) scan_end_ = started_;
  filling().pieces.clear();
  filling().arrived = false;
  filling().frame = frame_;
  packer_.BeginSlot(frame_ ? cache_->memory(*frame_) : ring_ + TagOf(started_ - 1) * slot_bytes_);
}

/// Takes the first elements of the run into the slot.
void EdgeStream::AddPiece(FetchRun& run, uint64_t elements) {
  filling().pieces.push_back(packer_.Add(chunk_, run, elements));
  const uint64_t useful = std::min(elements, run.useful);
  (ahead_chunks_ > 0 ? ahead_bytes_ : bytes_useful_) += useful * lists_->bytes_per_element();
  run.useful -= useful;
  run.range.begin += elements;
}

absl::Status EdgeStream::Send() {
  if (!std::exchange(is_filling_, false)) return absl::OkStatus();
  return Remember(queue_->Submit(packer_.extents(), TagOf(started_ - 1)));
}

absl::Status EdgeStream::Reap() {
  const absl::StatusOr<size_t> count = queue_->Poll(absl::MakeSpan(arrived_tags_));
  FARGRAPH_RETURN_IF_ERROR(Remember(count.status()));
  for (size_t i = 0; i < *count; ++i) {
    Slot& slot = slots_[arrived_tags_[i]];
    slot.arrived = true;
    if (!slot.frame) continue;
    cache_->Keep(*slot.frame, slot.pieces.front().elements, slot.pieces.front().weights);
    slot.frame.reset();
  }
  return absl::OkStatus();
}

absl::Status EdgeStream::Remember(absl::Status status) {
  failure_.Update(status);
  return status;
}

absl::Status EdgeStream::AwaitAll() {
  while (queue_->in_flight() > 0) {
    FARGRAPH_RETURN_IF_ERROR(Reap());
    if (queue_->in_flight() > 0) FARGRAPH_RETURN_IF_ERROR(Wait());
  }
  return absl::OkStatus();
}

absl::StatusOr<absl::Span<const EdgePiece>> EdgeStream::Front() {
  if (slots_.size() == 1) FARGRAPH_RETURN_IF_ERROR(AwaitAll());
  if (queue_->in_flight() > 0) FARGRAPH_RETURN_IF_ERROR(Reap());
  while (finished_ < scan_end_ && SlotAt(finished_).arrived) {
    absl::Span<const EdgePiece> pieces = SlotAt(finished_).pieces;
    if (pieces.front().chunk == unwanted_chunk_) pieces.remove_prefix(1);
    if (!pieces.empty()) return pieces;
    ++finished_;
    FARGRAPH_RETURN_IF_ERROR(StartRuns());
    FARGRAPH_RETURN_IF_ERROR(Send());
  }
  return absl::Span<const EdgePiece>();
}

absl::Status EdgeStream::Pop(bool want_rest) {
  const size_t chunk = SlotAt(finished_).pieces.back().chunk;
  ++finished_;
  if (!want_rest && IsLongList(chunk)) {
    unwanted_chunk_ = chunk;
    if (chunk_ == chunk && ahead_chunks_ == 0) next_run_ = runs_.size();
  }
  if (queue_->in_flight() == most_in_flight_) FARGRAPH_RETURN_IF_ERROR(Reap());
  return StartRuns();
}

absl::Status EdgeStream::Wait() {
  const absl::Time begin = absl::Now();
  queue_->Wait(kLongestWait);
  stall_seconds_ += absl::ToDoubleSeconds(absl::Now() - begin);
  return Reap();
}

StreamStats EdgeStream::stats() const {
  const TierTraffic traffic = queue_->traffic();
  return {.bytes_fetched = traffic.bytes - traffic_before_.bytes,
          .bytes_useful = bytes_useful_,
          .requests = traffic.requests - traffic_before_.requests,
          .pattern = planner_.pattern(),
          .stall_seconds = stall_seconds_};
}

}  // namespace fargraph

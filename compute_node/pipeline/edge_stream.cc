#include "compute_node/pipeline/edge_stream.h"

#include <algorithm>
#include <utility>

#include "absl/time/clock.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

constexpr absl::Duration kLongestWait = absl::Milliseconds(100);  // to notice a cancelled job

}  // namespace

StreamStats& StreamStats::operator+=(const StreamStats& other) {
  bytes_fetched += other.bytes_fetched;
  bytes_useful += other.bytes_useful;
  requests += other.requests;
  stall_seconds += other.stall_seconds;
  return *this;
}

StreamStats StreamStats::operator-(const StreamStats& earlier) const {
  return {.bytes_fetched = bytes_fetched - earlier.bytes_fetched,
          .bytes_useful = bytes_useful - earlier.bytes_useful,
          .requests = requests - earlier.requests,
          .stall_seconds = stall_seconds - earlier.stall_seconds};
}

EdgeStream::EdgeStream(std::unique_ptr<TierQueue> queue, absl::Span<std::byte> ring,
                       uint64_t slot_bytes, const RequestShape& shape)
    : queue_(std::move(queue)),
      ring_(ring.data()),
      slot_bytes_(slot_bytes),
      planner_(shape, slot_bytes),
      slots_(ring.size() / slot_bytes),
      arrived_tags_(slots_.size()),
      traffic_before_(queue_->traffic()) {
  const size_t most_ranges = slot_bytes / shape.block_bytes + 1;
  extents_.reserve(2 * most_ranges);  // of edges and of weights
}

absl::StatusOr<size_t> EdgeStream::BeginScan(const EdgeLists& lists, const VertexSubset* active,
                                             EdgeOffset skip, bool continues) {
  if (!continues && ahead_chunks_ > 0) FARGRAPH_RETURN_IF_ERROR(DropAhead());
  lists_ = &lists;
  active_ = active;
  skip_ = skip;
  scan_end_ = started_;
  bytes_useful_ += std::exchange(ahead_bytes_, 0);
  return std::exchange(ahead_chunks_, 0);
}

absl::Status EdgeStream::DropAhead() {
  FARGRAPH_RETURN_IF_ERROR(AwaitAll());
  finished_ = started_;
  rest_begin_ = rest_end_;
  ahead_chunks_ = 0;
  ahead_bytes_ = 0;
  return absl::OkStatus();
}

absl::Status EdgeStream::Start(size_t chunk) { return StartChunk(chunk); }

absl::Status EdgeStream::StartAhead(size_t chunk) {
  ++ahead_chunks_;
  return StartChunk(chunk);
}

absl::Status EdgeStream::StartChunk(size_t chunk) {
  rest_chunk_ = chunk;
  rest_begin_ = lists_->chunks().FirstEdge(chunk);
  rest_end_ = lists_->chunks().FirstEdge(chunk + 1);
  return StartPieces();
}

absl::Status EdgeStream::StartPieces() {
  const EdgeOffset slot_edges = slot_bytes_ / lists_->bytes_per_element();
  while (rest_begin_ < rest_end_ && started_ - finished_ < slots_.size()) {
    const EdgeOffset end = std::min(rest_end_, rest_begin_ + slot_edges);
    FARGRAPH_RETURN_IF_ERROR(StartPiece(rest_begin_, end));
    rest_begin_ = end;
  }
  return absl::OkStatus();
}

absl::Status EdgeStream::StartPiece(EdgeOffset begin, EdgeOffset end) {
  const ChunkTable& chunks = lists_->chunks();
  const uint32_t tag = started_ % slots_.size();
  std::byte* image = ring_ + tag * slot_bytes_;
  std::byte* weight_image = image + (end - begin) * chunks.edge_bytes();
  Slot& slot = slots_[tag];
  slot = {.piece = {.chunk = rest_chunk_,
                    .first_vertex = chunks.FirstVertex(rest_chunk_),
                    .end_vertex = chunks.FirstVertex(rest_chunk_ + 1),
                    .begin = begin,
                    .end = end,
                    .elements = image,
                    .weights = lists_->has_weights() ? weight_image : nullptr}};

  const EdgeOffset within = begin - chunks.FirstEdge(rest_chunk_);
  const absl::Span<const ByteRange> ranges = PlanPiece(slot.piece);
  extents_.clear();
  AddExtents(ranges, chunks.edge_bytes(),
             lists_->Place(rest_chunk_).far_address + within * chunks.edge_bytes(), image);
  if (lists_->has_weights()) {
    AddExtents(ranges, kWeightBytes,
               lists_->WeightPlace(rest_chunk_).far_address + within * kWeightBytes, weight_image);
  }
  if (extents_.empty()) return absl::OkStatus();  // its active vertices have no edges
  ++started_;
  if (ahead_chunks_ == 0) scan_end_ = started_;
  return queue_->Submit(extents_, tag);
}

/// Fetches, of an array that is parallel to the edges, the elements of those in `edge_ranges`.
void EdgeStream::AddExtents(absl::Span<const ByteRange> edge_ranges, uint64_t element_bytes,
                            uint64_t address, std::byte* image) {
  const uint64_t edge_bytes = lists_->chunks().edge_bytes();
  for (const ByteRange& range : edge_ranges) {
    const uint64_t begin = range.begin / edge_bytes * element_bytes;
    const uint64_t end = range.end / edge_bytes * element_bytes;
    extents_.push_back(
        {.address = address + begin, .length = end - begin, .destination = image + begin});
  }
}

absl::Span<const ByteRange> EdgeStream::PlanPiece(const EdgePiece& piece) {
  const uint64_t edge_bytes = lists_->chunks().edge_bytes();
  const uint64_t piece_bytes = (piece.end - piece.begin) * edge_bytes;
  if (active_ == nullptr) {
    const uint64_t bytes = (piece.end - piece.begin) * lists_->bytes_per_element();
    (ahead_chunks_ > 0 ? ahead_bytes_ : bytes_useful_) += bytes;
    return planner_.TakeAll(piece_bytes);
  }
  active_->ForEach(piece.first_vertex, piece.end_vertex, [&](VertexId v) {
    if (lists_->Degree(v) <= skip_) return;
    const ElementRange list = lists_->Stored(v, piece.chunk);
    const uint64_t skipped = lists_->compressed() ? 0 : skip_;  // a code is read from its beginning
    const EdgeOffset begin = std::max(list.begin + skipped, piece.begin);
    const EdgeOffset end = std::min(list.end, piece.end);
    if (begin >= end) return;
    bytes_useful_ += (end - begin) * lists_->bytes_per_element();
    planner_.Mark((begin - piece.begin) * edge_bytes, (end - piece.begin) * edge_bytes);
  });
  return planner_.Take(piece_bytes);
}

absl::Status EdgeStream::Reap() {
  FARGRAPH_ASSIGN_OR_RETURN(const size_t count, queue_->Poll(absl::MakeSpan(arrived_tags_)));
  for (size_t i = 0; i < count; ++i) slots_[arrived_tags_[i]].arrived = true;
  return absl::OkStatus();
}

absl::Status EdgeStream::AwaitAll() {
  while (queue_->in_flight() > 0) {
    FARGRAPH_RETURN_IF_ERROR(Reap());
    if (queue_->in_flight() > 0) Wait();
  }
  return absl::OkStatus();
}

absl::StatusOr<const EdgePiece*> EdgeStream::Front() {
  if (slots_.size() == 1) FARGRAPH_RETURN_IF_ERROR(AwaitAll());
  if (queue_->in_flight() > 0) FARGRAPH_RETURN_IF_ERROR(Reap());
  while (finished_ < scan_end_ && SlotAt(finished_).arrived && SlotAt(finished_).unwanted)
    ++finished_;
  if (finished_ == scan_end_ || !SlotAt(finished_).arrived) return nullptr;
  return &SlotAt(finished_).piece;
}

absl::Status EdgeStream::Pop(bool want_rest) {
  const size_t chunk = SlotAt(finished_).piece.chunk;
  ++finished_;
  if (!want_rest) {
    for (uint64_t position = finished_; position < scan_end_; ++position) {
      if (SlotAt(position).piece.chunk == chunk) SlotAt(position).unwanted = true;
    }
    if (rest_chunk_ == chunk && ahead_chunks_ == 0) rest_begin_ = rest_end_;
  }
  return StartPieces();
}

void EdgeStream::Wait() {
  const absl::Time begin = absl::Now();
  queue_->Wait(kLongestWait);
  stall_seconds_ += absl::ToDoubleSeconds(absl::Now() - begin);
}

StreamStats EdgeStream::stats() const {
  const TierTraffic traffic = queue_->traffic();
  return {.bytes_fetched = traffic.bytes - traffic_before_.bytes,
          .bytes_useful = bytes_useful_,
          .requests = traffic.requests - traffic_before_.requests,
          .stall_seconds = stall_seconds_};
}

}  // namespace fargraph

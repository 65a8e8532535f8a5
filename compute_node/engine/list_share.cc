#include "compute_node/engine/list_share.h"

#include <omp.h>

#include <utility>

#include "common/status_macros.h"

namespace fargraph {

ListShare::ListShare(ListScan& scan)
    : scan_(scan), team_(omp_get_num_threads()), number_(omp_get_thread_num()) {}

absl::StatusOr<absl::Span<const EdgePiece>> ListShare::Next(bool want_rest) {
  auto pieces = TakeNext(want_rest);
  LoseStreamAfter(pieces.status());
  return pieces;
}

absl::Status ListShare::Begin() {
  return std::exchange(begun_, true) ? absl::OkStatus() : UseStream(number_);
}

absl::Status ListShare::Start() {
  absl::Status status = StartFirst();
  LoseStreamAfter(status);
  return status;
}

/// What was under way will never arrive, unless the user has asked to stop.
void ListShare::LoseStreamAfter(const absl::Status& status) {
  if (!status.ok() && !absl::IsCancelled(status)) stream_ = nullptr;
}

absl::Status ListShare::StartFirst() {
  if (scan_.far_.empty()) return absl::OkStatus();
  FARGRAPH_RETURN_IF_ERROR(Begin());
  if (stream_ == nullptr) return absl::OkStatus();
  FARGRAPH_RETURN_IF_ERROR(scan_.StartFarChunks(*stream_));
  return stream_->Front().status();
}

absl::StatusOr<absl::Span<const EdgePiece>> ListShare::TakeNext(bool want_rest) {
  FARGRAPH_RETURN_IF_ERROR(Begin());
  if (std::exchange(is_far_, false)) FARGRAPH_RETURN_IF_ERROR(stream_->Pop(want_rest));
  while (!scan_.stopped()) {
    FARGRAPH_RETURN_IF_ERROR(scan_.graph_.CheckCancelled());
    if (stream_ != nullptr) {
      FARGRAPH_RETURN_IF_ERROR(scan_.StartFarChunks(*stream_));
      FARGRAPH_ASSIGN_OR_RETURN(const absl::Span<const EdgePiece> pieces, stream_->Front());
      is_far_ = !pieces.empty();
      if (is_far_) return pieces;
    }
    if (size_t chunk; scan_.Take(scan_.at_hand_, &chunk)) {
      at_hand_ = scan_.PieceAtHand(chunk);
      return absl::MakeConstSpan(&at_hand_, 1);
    }
    if (stream_ != nullptr && !stream_->idle()) {
      FARGRAPH_RETURN_IF_ERROR(stream_->Wait());
    } else if (scan_.started_before_ && number_ + team_ < scan_.graph_.streams()) {
      FARGRAPH_RETURN_IF_ERROR(UseStream(number_ + team_));
    } else {
      break;
    }
  }
  return absl::Span<const EdgePiece>();
}

absl::Status ListShare::UseStream(size_t number) {
  number_ = number;
  stream_ = scan_.lists_.has_edges() ? scan_.graph_.stream(number) : nullptr;
  if (stream_ == nullptr) return absl::OkStatus();
  ChunkCache* const cache = scan_.active_ == nullptr ? nullptr : scan_.chunk_cache_;
  return stream_->BeginScan(scan_.lists_, scan_.active_, scan_.skip(), scan_.continues_, cache);
}

void ListShare::Abandon() {
  if (stream_ != nullptr) DropRest().IgnoreError();  // nor does it from a stream that fails here
}

absl::Status ListShare::DropRest() {
  if (std::exchange(is_far_, false)) FARGRAPH_RETURN_IF_ERROR(stream_->Pop(/*want_rest=*/false));
  while (!stream_->idle()) {
    FARGRAPH_RETURN_IF_ERROR(stream_->Send());
    FARGRAPH_ASSIGN_OR_RETURN(const absl::Span<const EdgePiece> pieces, stream_->Front());
    if (pieces.empty()) {
      if (!stream_->idle()) FARGRAPH_RETURN_IF_ERROR(stream_->Wait());
    } else {
      FARGRAPH_RETURN_IF_ERROR(stream_->Pop(/*want_rest=*/false));
    }
  }
  return absl::OkStatus();
}

}  // namespace fargraph

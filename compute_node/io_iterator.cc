#include "compute_node/io_iterator.h"

#include <algorithm>
#include <numeric>

#include "common/status_macros.h"

namespace fargraph {

ActiveLists::ActiveLists(Graph& graph, Direction direction, VertexSubset active)
    : active_(std::move(active).ListedIfFew()),  // few of many are walked as a list
      scan_(graph, direction, active_.size() == graph.vertices() ? nullptr : &active_) {}

IoIterator::IoIterator(ActiveLists& lists) : scan_(lists.scan_), share_(scan_) {}

IoIterator::~IoIterator() {
  if (!ended_) scan_.Stop();
  share_.Abandon();
}

void IoIterator::Find() {
  const absl::StatusOr<bool> found = Advance();
  if (!found.ok()) scan_.Fail(found.status());
  found_ = found.ok() && *found;
  ended_ = !found_;
}

absl::StatusOr<bool> IoIterator::Advance() {
  for (;;) {
    while (!vertices_.empty()) {
      FARGRAPH_ASSIGN_OR_RETURN(const bool taken, TakeNeighbors(vertices_.front()));
      if (!decoding_) vertices_.remove_prefix(1);
      if (taken) return true;
    }
    FARGRAPH_ASSIGN_OR_RETURN(const bool more, TakeVertices());
    if (!more) return false;
  }
}

/// Fills vertices_; false when there are no more.
absl::StatusOr<bool> IoIterator::TakeVertices() {
  if (at_members_) {
    FARGRAPH_RETURN_IF_ERROR(share_.Start());
    FARGRAPH_ASSIGN_OR_RETURN(vertices_, scan_.TakeMembers());
    at_members_ = !vertices_.empty();
    if (at_members_) return true;
  }
  while (pieces_.empty() || walked_to_ == pieces_.front().end_vertex) {
    FARGRAPH_ASSIGN_OR_RETURN(const bool more, TakePiece());
    if (!more) return false;
  }
  vertices_ = VerticesOf(pieces_.front());
  return true;
}

/// Moves to the next piece; false when there are no more.
absl::StatusOr<bool> IoIterator::TakePiece() {
  if (!pieces_.empty()) pieces_.remove_prefix(1);
  if (pieces_.empty()) {
    FARGRAPH_ASSIGN_OR_RETURN(pieces_, share_.Next(/*want_rest=*/true));
    if (pieces_.empty()) return false;
  }
  walked_to_ = pieces_.front().first_vertex;
  return true;
}

/// The next active vertices of a piece, if it has any among the next few.
absl::Span<const VertexId> IoIterator::VerticesOf(const EdgePiece& piece) {
  const VertexSubset* const active = scan_.active();
  const VertexId begin = walked_to_;
  if (active != nullptr && active->is_sparse()) {
    walked_to_ = piece.end_vertex;
    return active->MembersWithin(begin, piece.end_vertex);
  }
  const uint64_t group_end = (begin / batch_.size() + 1) * batch_.size();
  walked_to_ = static_cast<VertexId>(std::min<uint64_t>(group_end, piece.end_vertex));
  size_t count = 0;
  if (active == nullptr) {
    count = walked_to_ - begin;
    std::iota(batch_.begin(), batch_.begin() + count, begin);
  } else {
    active->ForEach(begin, walked_to_, [&](VertexId v) { batch_[count++] = v; });
  }
  return absl::MakeConstSpan(batch_).first(count);
}

/// What there is of a list; false if that is nothing.
absl::StatusOr<bool> IoIterator::TakeNeighbors(VertexId v) {
  if (at_members_) return TakeWhole(v);
  return scan_.lists().compressed() ? DecodeNeighbors(v) : TakeFromPiece(v);
}

bool IoIterator::TakeWhole(VertexId v) {
  current_ = v;
  neighbors_ = absl::MakeConstSpan(scan_.ListOf(v).edges, scan_.lists().Degree(v));
  return !neighbors_.empty();
}

bool IoIterator::TakeFromPiece(VertexId v) {
  const EdgePiece& piece = pieces_.front();
  const EdgeOffset begin = std::max(scan_.lists().Begin(v), piece.begin);
  const EdgeOffset end = std::min(scan_.lists().End(v), piece.end);
  if (begin >= end) return false;
  current_ = v;
  neighbors_ = absl::MakeConstSpan(piece.edges() + (begin - piece.begin), end - begin);
  return true;
}

/// The next block of a list in code.
absl::StatusOr<bool> IoIterator::DecodeNeighbors(VertexId v) {
  if (!decoding_) {
    if (scan_.lists().Degree(v) == 0) return false;
    code_ = CodeOf(scan_.lists(), v, pieces_.front());
  }
  ListDecoder& decoder = share_.is_far() ? far_decoder_ : local_decoder_;
  FARGRAPH_ASSIGN_OR_RETURN(neighbors_, decoder.Next(code_));
  decoding_ = !neighbors_.empty();
  current_ = v;
  return decoding_;
}

}  // namespace fargraph

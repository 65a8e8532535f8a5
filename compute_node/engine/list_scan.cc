#include "compute_node/engine/list_scan.h"

#include <omp.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "common/status_macros.h"
#include "compute_node/engine/walk_at_hand.h"

namespace fargraph {
namespace {

/// What is walked where the direction is not loaded.
const EdgeLists& NoLists() {
  static const EdgeLists lists(VertexArray<EdgeOffset>(1));
  return lists;
}

}  // namespace

ListScan::ListScan(Graph& graph, Direction direction, const VertexSubset* active,
                   std::optional<ChosenTails> tails, std::optional<Soon> soon)
    : graph_(graph),
      lists_(graph.Has(direction) ? graph.Lists(direction) : NoLists()),
      active_(active),
      tails_(tails),
      others_(graph.vertices()),
      chunk_cache_(graph.Has(direction) ? graph.chunk_cache(lists_) : nullptr),
      continues_(active == nullptr && graph.ahead().lists == &lists_),
      started_before_(graph.ahead().started) {
  assert(!tails || (active != nullptr && !active->is_sparse()));
  if (!graph.Has(direction)) {
    parallel_ = false;
    Fail(graph.CheckHas(direction));
    return;
  }
  if (chunk_cache_ != nullptr) chunk_cache_->BeginWalk();
  if (active_ != nullptr && active_->is_sparse()) {
    ChooseWalk(soon);
  } else {
    WalkAllChunks();
  }
  ScanAhead& ahead = graph_.ahead();
  ahead.lists = active == nullptr ? &lists_ : nullptr;
  if (active == nullptr) ahead.chunks = {ChunksToFetch(), omp_get_max_threads()};
  ahead.started = false;
  if (!far_.empty() || !arriving_.empty()) graph_.CountFarScan();
}

ListScan::~ListScan() {
  if (cache_ != nullptr) cache_->Await().IgnoreError();  // which the cache remembers
}

/// Of all vertices, or of many.
void ListScan::WalkAllChunks() {
  const int threads = omp_get_max_threads();
  if (chunk_cache_ != nullptr) KeepUsedChunks();
  at_hand_ = {chunk_cache_ == nullptr ? lists_.local_chunks() : chunk_cache_->at_hand(), threads};
  far_ =
      continues_ ? std::move(graph_.ahead().chunks) : DividedList<size_t>(ChunksToFetch(), threads);
}

void ListScan::KeepUsedChunks() {
  chunk_cache_->ListChunks();
  if (active_ == nullptr) return;  // nothing takes their place meanwhile
  for (const size_t chunk : chunk_cache_->at_hand()) {
    if (tails_ || HasActive(chunk)) chunk_cache_->Use(chunk);
  }
}

/// Of a walk over all chunks.
const std::vector<size_t>& ListScan::ChunksToFetch() const {
  return chunk_cache_ == nullptr ? lists_.far_chunks() : chunk_cache_->elsewhere();
}

/// If so it stays while the walk is under way.
bool ListScan::IsAtHand(size_t chunk) {
  return lists_.Place(chunk).local != nullptr ||
         (chunk_cache_ != nullptr && chunk_cache_->Use(chunk));
}

EdgePiece ListScan::PieceAtHand(size_t chunk) const {
  return lists_.Place(chunk).local != nullptr ? LocalPiece(lists_, chunk)
                                              : chunk_cache_->Piece(chunk);
}

/// Of a sparse active set.
void ListScan::ChooseWalk(std::optional<Soon> soon) {
  const absl::Span<const VertexId> members = active_->members();
  parallel_ = !IsShortWalk(lists_, members);
  const int threads = parallel_ ? omp_get_max_threads() : 1;
  const bool all_plain = lists_.far_chunks().empty() && !lists_.compressed();
  if (all_plain && !lists_.local_chunks().empty()) {
    members_ = {members, threads};
    return;
  }
  cache_ = graph_.cache(lists_);
  if (cache_ == nullptr) {
    others_ = *active_;
  } else {
    const absl::Status status = AskCache(soon);
    if (!status.ok()) Fail(status);
    members_ = {found_members_, threads};
    arriving_ = {arriving_members_, threads};
  }
  WalkTouchedChunks(threads);
}

/// Divides a sparse active set into members that the cache has or gets, and others.
absl::Status ListScan::AskCache(std::optional<Soon> soon) {
  FARGRAPH_ASSIGN_OR_RETURN(const bool can_ask, cache_->BeginWalk(active_->size()));
  if (!can_ask) {
    others_ = *active_;
    return absl::OkStatus();
  }
  std::vector<VertexId> others;
  for (const VertexId v : active_->members()) {
    if (lists_.Degree(v) == 0) continue;
    switch (cache_->Ask(v)) {
      case ListCache::Answer::kHere:
        found_members_.push_back(v);
        break;
      case ListCache::Answer::kArriving:
        arriving_members_.push_back(v);
        break;
      case ListCache::Answer::kNo:
        others.push_back(v);
    }
  }
  others_ = VertexSubset(lists_.vertices(), std::move(others));
  if (soon && !arriving_members_.empty())
    (*soon)([&](absl::Span<const VertexId> vertices) { cache_->AskAhead(vertices); });
  return cache_->Send();
}

/// Those of the others.
void ListScan::WalkTouchedChunks(int threads) {
  others_.Sort();
  active_ = &others_;
  const ChunkTable& chunks = lists_.chunks();
  const absl::Span<const VertexId> members = others_.members();
  for (auto v = members.begin(); v != members.end();) {
    const size_t chunk = chunks.Find(*v);
    if (chunks.ChunkBytes(chunk) > 0) {
      (IsAtHand(chunk) ? touched_at_hand_ : touched_far_).push_back(chunk);
    }
    const VertexId end = chunks.FirstVertex(chunk + 1);
    while (v != members.end() && *v < end) ++v;
  }
  at_hand_ = {touched_at_hand_, threads};
  far_ = {touched_far_, threads};
}

/// Without vertices behind the last that has a list.
VertexId ListScan::EndOfChunk(size_t chunk) const {
  return std::min(lists_.chunks().FirstVertex(chunk + 1), lists_.end_of_lists());
}

bool ListScan::HasActive(size_t chunk) const {
  return active_->Any(lists_.chunks().FirstVertex(chunk), EndOfChunk(chunk));
}

bool ListScan::Take(DividedList<size_t>& chunks, size_t* chunk) {
  for (;;) {
    const absl::Span<const size_t> taken = chunks.Take(1);
    if (taken.empty()) return false;
    *chunk = taken.front();
    if (active_ == nullptr || active_->is_sparse()) return true;
    if (tails_) tails_->choose(lists_.chunks().FirstVertex(*chunk), EndOfChunk(*chunk));
    if (HasActive(*chunk)) return true;
  }
}

/// A far chunk of the next scan.
bool ListScan::TakeAhead(size_t* chunk) {
  const absl::Span<const size_t> taken = graph_.ahead().chunks.Take(1);
  if (taken.empty()) return false;
  graph_.ahead().started.store(true, std::memory_order_relaxed);
  *chunk = taken.front();
  return true;
}

absl::Status ListScan::StartFarChunks(EdgeStream& stream) {
  // What one thread takes into a slot the others cannot take.
  size_t share = active_ == nullptr ? far_.size() : far_.size() / omp_get_num_threads() + 1;
  size_t chunk;
  while (share-- > 0 && stream.HasRoom() && Take(far_, &chunk)) {
    FARGRAPH_RETURN_IF_ERROR(stream.Start(chunk));
  }
  FARGRAPH_RETURN_IF_ERROR(stream.Send());
  if (!continues_) return absl::OkStatus();
  while (stream.HasRoomAhead() && TakeAhead(&chunk)) {
    FARGRAPH_RETURN_IF_ERROR(stream.StartAhead(chunk));
  }
  return absl::OkStatus();
}

absl::StatusOr<absl::Span<const VertexId>> ListScan::TakeMembers() {
  FARGRAPH_RETURN_IF_ERROR(graph_.CheckCancelled());
  if (stopped()) return absl::Span<const VertexId>();
  const absl::Span<const VertexId> members = members_.Take(VertexSubset::kBatch);
  if (!members.empty() || arriving_.empty()) return members;
  FARGRAPH_RETURN_IF_ERROR(cache_->Await());
  return arriving_.Take(VertexSubset::kBatch);
}

/// What has been started ahead is not where the next walk would expect it, so that has to drop it.
void ListScan::Stop() {
  absl::MutexLock lock(&mutex_);
  stopped_.store(true, std::memory_order_relaxed);
  graph_.ahead().lists = nullptr;
  if (started_before_) graph_.ahead().started = true;
}

/// In this order: a thread that finds the walk stopped finds out why, too.
void ListScan::Fail(const absl::Status& status) {
  {
    absl::MutexLock lock(&mutex_);
    status_.Update(status);
  }
  Stop();
}

absl::Status ListScan::status() const {
  absl::MutexLock lock(&mutex_);
  return status_;
}

}  // namespace fargraph

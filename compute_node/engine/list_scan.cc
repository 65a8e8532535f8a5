#include "compute_node/engine/list_scan.h"

namespace fargraph {
namespace {

/// A walk of so few vertices and edges is over before a second thread has woken up: of local lists,
/// and of lists that are far in part, which take more work each.
constexpr size_t kMostSerialLocal = 1024;
constexpr size_t kMostSerialFar = 128;
constexpr EdgeOffset kSerialEdgesPerVertex = 16;

bool IsShort(const EdgeLists& lists, const VertexSubset* active) {
  const size_t most = lists.far_chunks().empty() ? kMostSerialLocal : kMostSerialFar;
  if (active == nullptr || !active->is_sparse() || active->size() > most) return false;
  EdgeOffset edges = 0;
  for (const VertexId v : active->members()) edges += lists.Degree(v);
  return edges <= most * kSerialEdgesPerVertex;
}

}  // namespace

ListScan::ListScan(Graph& graph, Direction direction, const VertexSubset* active, EdgeOffset skip)
    : graph_(graph),
      lists_(graph.Lists(direction)),
      active_(active),
      skip_(skip),
      parallel_(!IsShort(lists_, active)),
      sorted_(graph.vertices()),
      continues_(active == nullptr && graph.ahead().lists == &lists_),
      started_before_(graph.ahead().chunks),
      local_{.chunks = lists_.local_chunks()},
      far_{.chunks = lists_.far_chunks(), .next = continues_ ? started_before_ : 0} {
  graph_.ahead().lists = active == nullptr ? &lists_ : nullptr;
  graph_.ahead().chunks = 0;
  if (active_ != nullptr && active_->is_sparse()) ChooseWalk();
  if (!far_.chunks.empty()) graph_.CountFarScan();
}

/// Of a sparse active set.
void ListScan::ChooseWalk() {
  const bool all_plain = lists_.far_chunks().empty() && !lists_.compressed();
  if (all_plain && !lists_.local_chunks().empty()) {
    members_ = active_->members();
  } else {
    WalkTouchedChunks();
  }
}

/// Confines the claims to the chunks of a sparse active set.
void ListScan::WalkTouchedChunks() {
  sorted_ = *active_;
  sorted_.Sort();
  active_ = &sorted_;
  const ChunkTable& chunks = lists_.chunks();
  const absl::Span<const VertexId> members = sorted_.members();
  for (auto v = members.begin(); v != members.end();) {
    const size_t chunk = chunks.Find(*v);
    if (chunks.ChunkBytes(chunk) > 0) {
      (lists_.Place(chunk).local != nullptr ? touched_local_ : touched_far_).push_back(chunk);
    }
    const VertexId end = chunks.FirstVertex(chunk + 1);
    while (v != members.end() && *v < end) ++v;
  }
  local_.chunks = touched_local_;
  far_.chunks = touched_far_;
}

bool ListScan::Take(Claims& claims, size_t* chunk) {
  for (;;) {
    const size_t position = claims.next.fetch_add(1, std::memory_order_relaxed);
    if (position >= claims.chunks.size()) return false;
    *chunk = claims.chunks[position];
    const ChunkTable& chunks = lists_.chunks();
    if (active_ == nullptr || active_->is_sparse() ||
        active_->Any(chunks.FirstVertex(*chunk), chunks.FirstVertex(*chunk + 1))) {
      return true;
    }
  }
}

/// A far chunk of the next scan.
bool ListScan::TakeAhead(size_t* chunk) {
  const size_t position = graph_.ahead().chunks.fetch_add(1, std::memory_order_relaxed);
  if (position >= far_.chunks.size()) return false;
  *chunk = far_.chunks[position];
  return true;
}

absl::Status ListScan::StartFarChunks(EdgeStream& stream) {
  // What one thread takes into a slot the others cannot take.
  size_t share =
      active_ == nullptr ? far_.chunks.size() : far_.chunks.size() / omp_get_num_threads() + 1;
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

void ListScan::Fail(const absl::Status& status) {
  absl::MutexLock lock(&mutex_);
  status_.Update(status);
  stopped_.store(true, std::memory_order_relaxed);
}

absl::Status ListScan::status() const {
  absl::MutexLock lock(&mutex_);
  return status_;
}

}  // namespace fargraph

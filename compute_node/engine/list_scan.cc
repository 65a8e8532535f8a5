#include "compute_node/engine/list_scan.h"

namespace fargraph {

ListScan::ListScan(Graph& graph, Direction direction, const Bitmap* active)
    : graph_(graph),
      lists_(graph.Lists(direction)),
      active_(active),
      local_{.chunks = lists_.local_chunks()},
      far_{.chunks = lists_.far_chunks()} {}

bool ListScan::Take(Claims& claims, size_t* chunk) {
  for (;;) {
    const size_t position = claims.next.fetch_add(1, std::memory_order_relaxed);
    if (position >= claims.chunks.size()) return false;
    *chunk = claims.chunks[position];
    const ChunkTable& chunks = lists_.chunks();
    if (active_ == nullptr ||
        active_->AnySet(chunks.FirstVertex(*chunk), chunks.FirstVertex(*chunk + 1))) {
      return true;
    }
  }
}

absl::Status ListScan::StartFarChunks(EdgeStream& stream) {
  size_t chunk;
  while (stream.HasRoom() && Take(far_, &chunk)) FARGRAPH_RETURN_IF_ERROR(stream.Start(chunk));
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

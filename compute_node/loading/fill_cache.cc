#include "compute_node/loading/fill_cache.h"

#include <omp.h>

#include <cstddef>

#include "absl/synchronization/mutex.h"
#include "common/status_macros.h"
#include "compute_node/engine/divided_list.h"

namespace fargraph {
namespace {

/// With chunks that this thread takes.
absl::Status FillByStream(ChunkCache& cache, const EdgeLists& lists, DividedList<size_t>& chunks,
                          EdgeStream& stream, const std::atomic<bool>* cancelled) {
  const auto is_done = [&] { return cache.full() || (cancelled != nullptr && cancelled->load()); };
  FARGRAPH_RETURN_IF_ERROR(stream.BeginScan(lists, /*active=*/nullptr, /*skip=*/0,
                                            /*continues=*/false, &cache));
  for (bool has_more = true; has_more || !stream.idle();) {
    while (has_more && stream.HasRoom()) {
      const absl::Span<const size_t> taken = chunks.Take(1);
      has_more = !taken.empty() && !is_done();
      if (!has_more || stream.IsLongList(taken.front())) continue;
      FARGRAPH_RETURN_IF_ERROR(stream.Start(taken.front()));
    }
    FARGRAPH_ASSIGN_OR_RETURN(const absl::Span<const EdgePiece> pieces, stream.Front());
    if (!pieces.empty()) {
      FARGRAPH_RETURN_IF_ERROR(stream.Pop(/*want_rest=*/true));
    } else if (!stream.idle()) {
      FARGRAPH_RETURN_IF_ERROR(stream.Wait());
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status FillCache(ChunkCache& cache, const EdgeLists& lists,
                       absl::Span<const std::unique_ptr<EdgeStream>> streams,
                       const std::atomic<bool>* cancelled) {
  DividedList<size_t> chunks(lists.far_chunks(), /*threads=*/1);
  absl::Mutex mutex;
  absl::Status status;
#pragma omp parallel
  {
    const absl::Status mine =
        FillByStream(cache, lists, chunks, *streams[omp_get_thread_num()], cancelled);
    absl::MutexLock lock(&mutex);
    status.Update(mine);
  }
  return status;
}

}  // namespace fargraph

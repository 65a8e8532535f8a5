#include "compute_node/loading/file_copy.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "common/status_macros.h"

namespace fargraph {
namespace {

/// Bytes that are consecutive in the segment and in the file, up to the next run's.
struct PlacedRun {
  uint64_t segment_offset = 0;
  uint64_t file_offset = 0;
};

std::vector<PlacedRun> PlacedRunsOf(const ChunkTable& chunks, const FarSet& far_set) {
  std::vector<PlacedRun> runs;
  size_t last = 0;
  for (size_t chunk = 0; chunk < chunks.size(); ++chunk) {
    if (!far_set.Contains(chunk)) continue;
    if (runs.empty() || last + 1 != chunk) {
      runs.push_back({far_set.Offset(chunk), chunks.FirstEdge(chunk) * chunks.edge_bytes()});
    }
    last = chunk;
  }
  return runs;
}

}  // namespace

SegmentCopy CopyInFile(const ArrayFile& file, const ChunkTable& chunks, const FarSet& far_set) {
  return [&file, runs = PlacedRunsOf(chunks, far_set)](
             uint64_t offset, absl::Span<std::byte> bytes) -> absl::Status {
    auto run = std::upper_bound(runs.begin(), runs.end(), offset,
                                [](uint64_t wanted, const PlacedRun& candidate) {
                                  return wanted < candidate.segment_offset;
                                });
    for (--run; !bytes.empty(); ++run) {
      const bool is_last = std::next(run) == runs.end();
      const uint64_t there = is_last ? bytes.size() : std::next(run)->segment_offset - offset;
      const uint64_t count = std::min<uint64_t>(bytes.size(), there);
      FARGRAPH_RETURN_IF_ERROR(
          file.Read(run->file_offset + (offset - run->segment_offset), bytes.first(count)));
      offset += count;
      bytes.remove_prefix(count);
    }
    return absl::OkStatus();
  };
}

}  // namespace fargraph

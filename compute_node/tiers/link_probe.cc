#include "compute_node/tiers/link_probe.h"

#include <omp.h>

#include <algorithm>
#include <atomic>

#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

constexpr absl::Duration kMeasureTime = absl::Milliseconds(30);
constexpr absl::Duration kLongestWait = absl::Milliseconds(100);

/// Keeps `depth` reads of `length` bytes in flight, walking over the segment from a start of its
/// own, until the time is over; returns how many completed.
absl::StatusOr<uint64_t> ReadForAWhile(const ProbeLane& lane, const FarSegment& segment,
                                       uint64_t first_position, uint64_t length, uint32_t depth) {
  const uint64_t positions = segment.bytes / length;
  uint64_t position = first_position;
  const auto submit = [&](uint32_t tag) {
    const Extent extent = {.address = segment.address + position++ % positions * length,
                           .length = length,
                           .destination = lane.buffer.data() + tag * length};
    return lane.queue->Submit({&extent, 1}, tag);
  };

  std::vector<uint32_t> arrived(depth);
  for (uint32_t tag = 0; tag < depth; ++tag) FARGRAPH_RETURN_IF_ERROR(submit(tag));
  uint64_t completed = 0;
  const absl::Time end = absl::Now() + kMeasureTime;
  while (lane.queue->in_flight() > 0) {
    FARGRAPH_ASSIGN_OR_RETURN(const size_t count, lane.queue->Poll(absl::MakeSpan(arrived)));
    const bool go_on = absl::Now() < end;
    if (go_on) completed += count;
    for (size_t i = 0; i < count && go_on; ++i) FARGRAPH_RETURN_IF_ERROR(submit(arrived[i]));
    if (count == 0) lane.queue->Wait(kLongestWait);
  }
  return completed;
}

/// Reads per second of all lanes together.
absl::StatusOr<double> ReadsPerSecond(absl::Span<const ProbeLane> lanes, const FarSegment& segment,
                                      uint64_t length, uint32_t depth) {
  std::atomic<uint64_t> completed = 0;
  absl::Mutex mutex;
  absl::Status status;
#pragma omp parallel for num_threads(static_cast <int>(lanes.size())) schedule(static)
  for (size_t lane = 0; lane < lanes.size(); ++lane) {
    const uint64_t start = segment.bytes / length * lane / lanes.size();
    const absl::StatusOr<uint64_t> reads =
        ReadForAWhile(lanes[lane], segment, start, length, depth);
    if (reads.ok()) {
      completed += *reads;
    } else {
      absl::MutexLock lock(&mutex);
      status.Update(reads.status());
    }
  }
  FARGRAPH_RETURN_IF_ERROR(status);
  return static_cast<double>(completed) / absl::ToDoubleSeconds(kMeasureTime);
}

}  // namespace

RequestShape LinkProfile::Shape(uint64_t block_bytes, uint64_t largest_request_bytes) const {
  const double bytes_per_request =
      requests_per_second > 0 ? bytes_per_second / requests_per_second : 0;
  const double gap = std::clamp(bytes_per_request, 0.0, static_cast<double>(largest_request_bytes));
  return {.block_bytes = block_bytes,
          .break_even_gap_bytes = static_cast<uint64_t>(gap),
          .largest_request_bytes = largest_request_bytes};
}

absl::StatusOr<LinkProfile> ProbeLink(absl::Span<const ProbeLane> lanes, const FarSegment& segment,
                                      uint64_t block_bytes, uint64_t chunk_bytes) {
  const uint64_t block = std::min(block_bytes, segment.bytes);
  const uint64_t chunk = std::min(chunk_bytes, segment.bytes);
  const uint32_t depth = lanes[0].buffer.size() / chunk_bytes;

  LinkProfile profile;
  FARGRAPH_ASSIGN_OR_RETURN(const double chunks, ReadsPerSecond(lanes, segment, chunk, depth));
  profile.bytes_per_second = chunks * static_cast<double>(chunk);
  FARGRAPH_ASSIGN_OR_RETURN(profile.requests_per_second,
                            ReadsPerSecond(lanes, segment, block, depth));
  FARGRAPH_ASSIGN_OR_RETURN(const double one_by_one,
                            ReadsPerSecond(lanes.first(1), segment, block, /*depth=*/1));
  profile.read_seconds = one_by_one > 0 ? 1 / one_by_one : 0;
  return profile;
}

}  // namespace fargraph

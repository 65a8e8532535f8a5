#include "compute_node/tiers/link_probe.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "absl/types/span.h"
#include "common/mix_bits.h"
#include "common/status_macros.h"
#include "common/units.h"

namespace fargraph {
namespace {

constexpr uint64_t kSegmentBytes = 32 * kMiB;
constexpr uint64_t kLeastSegmentBytes = 256 * kKiB;
constexpr uint64_t kBufferBytes = 32 * kMiB;
constexpr uint64_t kAlignment = 4 * kKiB;
constexpr uint32_t kMostTags = 128;
/// Smaller chunks gain nothing, and for the milliseconds of a measurement what passes bursts can
/// carry them as well as larger ones. A scan that computes, too, gains by larger ones than a probe
/// that does not: from an SSD, and over tcp, where each chunk takes such a scan some 7 us beside
/// its bytes. Measured, against the best of all sizes: from an SSD PageRank takes 1.16 times as
/// long by 512 KiB, and BFS 1.10 times, but both 1.01 times by 1 MiB; over tcp PageRank 1.6 (on
/// cnr-2000) and 1.34 times (on kron22) by 64 KiB, and 1.07 and 1.01 times by 256 KiB; bfs, bc,
/// mis, sssp and kcore on kron22 and urand22 1.03 times by 256 KiB (cnr-2000: 0.97).
constexpr uint64_t kLeastLinkChunkBytes = 64 * kKiB;
constexpr uint64_t kLeastSocketChunkBytes = 512 * kKiB;
constexpr uint64_t kLeastDeviceChunkBytes = kMiB;
/// Of all threads. A device takes longer for one read than for the next, and reads of a few
/// milliseconds show that badly; and when it has told of them all it idles until threads wake up.
/// Measured on two threads by 1 MiB, from 3.7 to 4 GB/s: PageRank takes 0.98 of the time with 4
/// reads in flight on each instead of 5 at one time, the same at another; spmv 0.98 of that with 3.
constexpr uint64_t kLeastBytesInFlightOnDevice = 6 * kMiB;
constexpr uint64_t kDeviceStride = 17;  // in reads
constexpr int kLeastMeasurements = 2;
constexpr absl::Duration kMeasureTime = absl::Milliseconds(4);
constexpr absl::Duration kSustainedTime = absl::Milliseconds(150);
constexpr absl::Duration kComputeTime = absl::Milliseconds(20);
constexpr absl::Duration kTouchTime = absl::Milliseconds(80);

/// Arrivals per second from the first on, which came through a pipe that was still filling.
class ArrivalRate {
 public:
  ArrivalRate(absl::Time begin, uint32_t depth) : begin_(begin), depth_(depth) {}

  void Count(size_t arrivals, absl::Time now) {
    last_ = now;
    if (first_arrivals_ == 0) {
      first_ = now;
      first_arrivals_ = arrivals;
    } else {
      later_arrivals_ += arrivals;
    }
  }

  double PerSecond() const {
    // About all at once: the wait for them is all there is to go by.
    if (later_arrivals_ < depth_) {
      return static_cast<double>(first_arrivals_ + later_arrivals_) /
             absl::ToDoubleSeconds(last_ - begin_);
    }
    return static_cast<double>(later_arrivals_) / absl::ToDoubleSeconds(last_ - first_);
  }

 private:
  const absl::Time begin_;
  const uint32_t depth_;
  absl::Time first_;
  absl::Time last_;
  uint64_t first_arrivals_ = 0;
  uint64_t later_arrivals_ = 0;
};

/// Computes as a scan does, which looks up its neighbours all over an array, in pieces of some 20
/// us, which are counted: so often a scan looks at what has arrived.
class Computing {
 public:
  explicit Computing(absl::Span<const std::byte> memory)
      : values_(reinterpret_cast<const uint32_t*>(memory.data()),
                memory.size() / sizeof(uint32_t)) {}

  void ComputeAPiece() {
    constexpr int kLookUps = 2000;
    uint32_t sum = 0;
    for (int i = 0; i < kLookUps; ++i) sum += values_[MixBits(++looked_up_) % values_.size()];
    asm volatile("" : : "r"(sum));
    ++pieces_;
  }

  double PiecesPerSecond() const { return pieces_ / absl::ToDoubleSeconds(absl::Now() - begin_); }

 private:
  const absl::Span<const uint32_t> values_;
  const absl::Time begin_ = absl::Now();
  uint64_t looked_up_ = 0;
  int pieces_ = 0;
};

/// Of a thread that does nothing else.
ProbePace ComputeAlone(absl::Span<const std::byte> memory) {
  Computing computing(memory);
  const absl::Time end = absl::Now() + kComputeTime;
  while (absl::Now() < end) computing.ComputeAPiece();
  return {.computed_per_second = computing.PiecesPerSecond()};
}

uint64_t Share(uint64_t bytes, size_t lanes) { return bytes / lanes / kAlignment * kAlignment; }

}  // namespace

absl::StatusOr<std::unique_ptr<LinkProbe>> LinkProbe::Open(FarTier& tier, uint32_t threads,
                                                           absl::Duration time) {
  std::unique_ptr<LinkProbe> probe(new LinkProbe(tier, threads, absl::Now() + time));
  FARGRAPH_RETURN_IF_ERROR(probe->FindSegment());
  FARGRAPH_RETURN_IF_ERROR(probe->AllocateBuffers());
  FARGRAPH_RETURN_IF_ERROR(probe->OpenQueues(/*queue_pairs=*/1));
  FARGRAPH_RETURN_IF_ERROR(probe->TouchSegment());
  return probe;
}

LinkProbe::~LinkProbe() {
  lanes_.clear();
  // A node that cannot free it has been lost, and the segment with it.
  if (owns_segment_) tier_.Free(segment_).IgnoreError();
}

absl::Status LinkProbe::FindSegment() {
  // Files spare a device the writes, and their directory may be one to read only.
  absl::StatusOr<FarSegment> segment =
      is_device() ? tier_.AttachAny(kSegmentBytes) : absl::NotFoundError("not a device");
  if (!segment.ok()) {
    segment = AllocateSegment();
    owns_segment_ = segment.ok();
  }
  if (!segment.ok()) {
    absl::StatusOr<FarSegment> small = tier_.AttachAny(kLeastSegmentBytes);
    if (small.ok()) segment = *std::move(small);
  }
  if (is_device() && absl::IsNotFound(segment.status())) {
    return absl::NotFoundError(
        absl::StrCat("Measuring the SSD: there is no file of ", FormatBytes(kLeastSegmentBytes),
                     " to read, and none could be made: ", segment.status().message()));
  }
  FARGRAPH_ASSIGN_OR_RETURN(segment_, std::move(segment));
  return absl::OkStatus();
}

/// As large as there is room for.
absl::StatusOr<FarSegment> LinkProbe::AllocateSegment() {
  absl::StatusOr<FarSegment> segment = tier_.Allocate("fargraph/probe", kSegmentBytes);
  for (uint64_t bytes = kSegmentBytes / 2;
       absl::IsResourceExhausted(segment.status()) && bytes >= kLeastSegmentBytes; bytes /= 2) {
    segment = tier_.Allocate("fargraph/probe", bytes);
  }
  return segment;
}

absl::Status LinkProbe::AllocateBuffers() {
  // Of reserved huge pages a job may have no more than its budget, which is about its segments.
  FARGRAPH_ASSIGN_OR_RETURN(buffers_,
                            MappedMemory::Allocate(kBufferBytes, MappedMemory::Sharing::kPrivate,
                                                   MappedMemory::Pages::kSmall));
  FARGRAPH_ASSIGN_OR_RETURN(buffers_region_, tier_.RegisterMemory(buffers_.bytes()));
  for (size_t lane = 0; lane < lanes_.size(); ++lane) {
    lanes_[lane].bytes = Share(segment_.bytes, lanes_.size());
    lanes_[lane].address = segment_.address + lane * lanes_[lane].bytes;
    lanes_[lane].buffer = buffers_.data() + lane * Share(kBufferBytes, lanes_.size());
  }
  // There are devices that store zeroes without storing them.
  std::mt19937_64 random;
  std::generate_n(reinterpret_cast<uint64_t*>(buffers_.data()), kBufferBytes / sizeof(uint64_t),
                  random);
  return absl::OkStatus();
}

absl::Status LinkProbe::OpenQueues(uint32_t queue_pairs) {
  if (queue_pairs == queue_pairs_) return absl::OkStatus();
  for (Lane& lane : lanes_) {
    FARGRAPH_ASSIGN_OR_RETURN(lane.queue,
                              tier_.OpenQueue(*buffers_region_, kMostTags, queue_pairs));
  }
  queue_pairs_ = queue_pairs;
  return absl::OkStatus();
}

/// Writes the segment once, or reads one that is not its own: before that neither pages nor blocks
/// are there, and the first touch is no measure of later ones. On a slow link the part that was
/// moved in time is the segment from then on.
absl::Status LinkProbe::TouchSegment() {
  const ReadLoad load = {.bytes = std::min(64 * kKiB, lanes_[0].bytes), .depth = 4};
  const Stay stay = {.time = kTouchTime, .reads = lanes_[0].bytes / load.bytes};
  FARGRAPH_RETURN_IF_ERROR(Move(load, stay, owns_segment_).status());
  for (Lane& lane : lanes_) lane.bytes = std::min(lane.bytes, lane.moves * load.bytes);
  return absl::OkStatus();
}

uint64_t LinkProbe::LeastChunkBytes() const {
  if (is_device()) return kLeastDeviceChunkBytes;
  return tier_.transport_name() == "tcp" ? kLeastSocketChunkBytes : kLeastLinkChunkBytes;
}

SweepLimits LinkProbe::limits() const {
  const auto smallest = std::min_element(
      lanes_.begin(), lanes_.end(), [](const Lane& a, const Lane& b) { return a.bytes < b.bytes; });
  return {.threads = static_cast<uint32_t>(lanes_.size()),
          .largest_read_bytes = std::min(kLargestChunkBytes, smallest->bytes),
          .ring_bytes = Share(kBufferBytes, lanes_.size()),
          .least_read_bytes = std::max(kLeastReadBytes, tier_.block_bytes()),
          .least_tuned_bytes = LeastChunkBytes(),
          .is_device = is_device(),
          .least_bytes_in_flight =
              is_device() ? kLeastBytesInFlightOnDevice * tier_.nodes().size() / lanes_.size() : 0,
          .in_background = tier_.reads_in_background()};
}

absl::StatusOr<std::optional<double>> LinkProbe::ReadsPerSecond(const ReadLoad& load) {
  if (++measurements_ > kLeastMeasurements && absl::Now() + kMeasureTime > end_) {
    return std::nullopt;
  }
  FARGRAPH_RETURN_IF_ERROR(OpenQueues(load.queue_pairs));
  FARGRAPH_ASSIGN_OR_RETURN(const ProbePace pace,
                            Move(load, {.time = kMeasureTime}, /*is_write=*/false));
  return pace.reads_per_second;
}

absl::StatusOr<SustainedPace> LinkProbe::SustainedReads(const ReadLoad& load) {
  FARGRAPH_RETURN_IF_ERROR(OpenQueues(load.queue_pairs));
  const auto read = [&](bool computing) {
    return Move(load, {.time = kSustainedTime, .computing = computing}, /*is_write=*/false);
  };
  const auto compute = [&] {
    return OnAllLanes([&](Lane&) { return ComputeAlone(buffers_.bytes()); });
  };
  FARGRAPH_ASSIGN_OR_RETURN(const ProbePace reading, read(/*computing=*/false));
  FARGRAPH_ASSIGN_OR_RETURN(const ProbePace before, compute());
  FARGRAPH_ASSIGN_OR_RETURN(const ProbePace both, read(/*computing=*/true));
  FARGRAPH_ASSIGN_OR_RETURN(const ProbePace after, compute());
  // Whatever else the machine does only slows them down.
  const double alone = std::max(before.computed_per_second, after.computed_per_second);
  const double lost = 1 - both.computed_per_second / alone;
  const double reads_per_second = std::max(reading.reads_per_second, both.reads_per_second);
  return SustainedPace{
      .reads_per_second = reads_per_second,
      .processor_share = std::clamp(lost * reads_per_second / both.reads_per_second, 0.0, 1.0)};
}

/// Calls work(lane) on one thread for each, all at once, and returns the sum of the paces; where
/// OpenMP has fewer threads to give, what so many have together.
template <typename Work>
absl::StatusOr<ProbePace> LinkProbe::OnAllLanes(Work&& work) {
  absl::Mutex mutex;
  absl::Status status;
  ProbePace sum;
  size_t team = 0;
#pragma omp parallel num_threads(static_cast <int>(lanes_.size()))
  {
#pragma omp single
    team = omp_get_num_threads();
    // All begin together, for a lane that reads alone reads faster.
#pragma omp for schedule(static)
    for (size_t i = 0; i < lanes_.size(); ++i) {
      const absl::StatusOr<ProbePace> pace = work(lanes_[i]);
      const absl::MutexLock lock(&mutex);
      status.Update(pace.status());
      sum.reads_per_second += pace.value_or(ProbePace()).reads_per_second;
      sum.computed_per_second += pace.value_or(ProbePace()).computed_per_second;
    }
  }
  FARGRAPH_RETURN_IF_ERROR(status);
  const double at_once = static_cast<double>(team) / static_cast<double>(lanes_.size());
  return ProbePace{.reads_per_second = sum.reads_per_second * at_once,
                   .computed_per_second = sum.computed_per_second * at_once};
}

absl::StatusOr<ProbePace> LinkProbe::Move(const ReadLoad& load, const Stay& stay, bool is_write) {
  return OnAllLanes([&](Lane& lane) { return MoveOn(lane, load, stay, is_write); });
}

/// Keeps the load in flight, walking round the lane's part of the segment, until it is to stop, and
/// then until all has arrived.
absl::StatusOr<ProbePace> LinkProbe::MoveOn(Lane& lane, const ReadLoad& load, const Stay& stay,
                                            bool is_write) const {
  // Of reads side by side the host makes one before the device sees them.
  const uint64_t stride = lane.queue->block_bytes() > 1 && !is_write ? kDeviceStride : 1;
  uint64_t submitted = 0;
  const auto submit = [&](uint32_t tag) {
    const uint64_t place = lane.moves++ * stride % (lane.bytes / load.bytes);
    const Extent extent = {.address = lane.address + place * load.bytes,
                           .length = load.bytes,
                           .destination = lane.buffer + tag * load.bytes};
    ++submitted;
    return is_write ? lane.queue->SubmitWrite({&extent, 1}, tag)
                    : lane.queue->Submit({&extent, 1}, tag);
  };

  const absl::Time begin = absl::Now();
  for (uint32_t tag = 0; tag < load.depth; ++tag) FARGRAPH_RETURN_IF_ERROR(submit(tag));
  std::array<uint32_t, kMostTags> arrived;
  ArrivalRate rate(begin, load.depth);
  Computing computing(buffers_.bytes());
  while (lane.queue->in_flight() > 0) {
    FARGRAPH_ASSIGN_OR_RETURN(const size_t count, lane.queue->Poll(absl::MakeSpan(arrived)));
    if (count == 0) {
      stay.computing ? computing.ComputeAPiece() : lane.queue->Wait(kLongestWait);
      continue;
    }
    const absl::Time now = absl::Now();
    rate.Count(count, now);
    const bool go_on = now - begin < stay.time;
    for (size_t i = 0; i < count && go_on && submitted < stay.reads; ++i) {
      FARGRAPH_RETURN_IF_ERROR(submit(arrived[i]));
    }
  }
  return ProbePace{.reads_per_second = rate.PerSecond(),
                   .computed_per_second = computing.PiecesPerSecond()};
}

}  // namespace fargraph

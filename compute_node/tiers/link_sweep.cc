#include "compute_node/tiers/link_sweep.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "absl/status/status.h"
#include "common/status_macros.h"
#include "common/units.h"

namespace fargraph {
namespace {

constexpr uint32_t kMostDepth = 32;
constexpr uint32_t kSlotsBesideReads = 3;
constexpr uint32_t kDeviceSlotsBesideReads = 2;  // and one for each read

/// With at least so much of a thread in flight.
uint32_t Deepen(uint32_t depth, uint64_t chunk_bytes, uint64_t least_bytes_in_flight) {
  const uint64_t least = std::min<uint64_t>(kMostDepth, least_bytes_in_flight / chunk_bytes);
  return std::max(depth, static_cast<uint32_t>(least));
}

/// What a thread of the engine spends on a chunk, however small: claiming it, planning, handing it
/// out. Measured: kernels on Kronecker 22 and cnr-2000 over shm with chunks of 32 KiB to 512 KiB.
constexpr double kEngineSecondsPerChunk = 2e-6;
/// And on its bytes: PageRank on Kronecker 22 with all lists local.
constexpr double kEngineSecondsPerByte = 0.4e-9;

/// More depth or another queue pair has to bring this much to be worth its memory.
constexpr double kWorthwhileGain = 1.05;
/// A larger size has to bring this much for the sweep to go on.
constexpr double kLargerSizeGain = 1.01;
constexpr int kSizesWithoutGain = 2;
/// The least share of the best that is as good as the best, and that deserves to be measured again.
constexpr double kAsGood = 0.95;
constexpr double kClose = 0.5;
constexpr int kMostRounds = 3;

struct ByLoad {
  bool operator()(const ReadLoad& a, const ReadLoad& b) const {
    return std::tie(a.bytes, a.depth, a.queue_pairs) < std::tie(b.bytes, b.depth, b.queue_pairs);
  }
};

class Sweeper {
 public:
  Sweeper(const SweepLimits& limits, const MeasureReads& measure)
      : limits_(limits), measure_(measure) {}

  absl::StatusOr<LinkSweep> Sweep() {
    // With these two there is something to conclude from, however slow the link.
    FARGRAPH_RETURN_IF_ERROR(Measure({.bytes = limits_.least_read_bytes}).status());
    FARGRAPH_RETURN_IF_ERROR(Measure({.bytes = least_chunk_bytes_}).status());
    FARGRAPH_RETURN_IF_ERROR(ClimbSizes());
    FARGRAPH_RETURN_IF_ERROR(RefineAroundBest());
    FARGRAPH_RETURN_IF_ERROR(MeasureCloseOnesAgain());
    if (rates_.size() < 2) {
      return absl::DeadlineExceededError(
          "the link was not measured in the time allowed; try again");
    }
    const ReadLoad best = SmallestGoodLoad();
    if (!limits_.in_background) return Conclude({.chunk_bytes = best.bytes, .slots = 1});
    FARGRAPH_ASSIGN_OR_RETURN(ReadLoad chosen, TryMoreQueuePairs(best));
    const uint64_t least_in_flight = std::min(limits_.least_bytes_in_flight, limits_.ring_bytes);
    chosen.depth = Deepen(chosen.depth, chosen.bytes, least_in_flight);
    FARGRAPH_RETURN_IF_ERROR(Measure(chosen).status());
    return Conclude({.chunk_bytes = chosen.bytes,
                     .slots = SlotsFor(chosen.depth, limits_.is_device),
                     .queue_pairs = chosen.queue_pairs});
  }

 private:
  bool Fits(const ReadLoad& load) const {
    return load.bytes <= limits_.largest_read_bytes &&
           load.bytes * load.depth <= limits_.ring_bytes &&
           load.depth <= kMostDepth * load.queue_pairs &&
           SlotsFor(load.depth, limits_.is_device) <= kMostSlots;
  }

  /// The best of all measurements of that load so far; 0 when the time is over.
  absl::StatusOr<double> Measure(const ReadLoad& load) {
    if (out_of_time_) return 0.0;
    FARGRAPH_ASSIGN_OR_RETURN(const std::optional<double> rate, measure_(load));
    out_of_time_ = !rate.has_value();
    if (out_of_time_ || *rate <= 0) return 0.0;
    double& kept = rates_[load];
    kept = std::max(kept, *rate);
    return kept;
  }

  /// As long as more depth brings more. What seems to bring nothing is tried twice: a disturbance
  /// of a few milliseconds must not end the climb.
  absl::Status ClimbDepths(uint64_t bytes) {
    double best = 0;
    for (ReadLoad load = {.bytes = bytes, .depth = 1}; Fits(load); load.depth *= 2) {
      FARGRAPH_ASSIGN_OR_RETURN(double rate, Measure(load));
      if (rate < best * kWorthwhileGain) {
        FARGRAPH_ASSIGN_OR_RETURN(rate, Measure(load));
      }
      if (rate < best * kWorthwhileGain) break;
      best = rate;
    }
    return absl::OkStatus();
  }

  absl::Status ClimbSizes() {
    FARGRAPH_RETURN_IF_ERROR(ClimbDepths(limits_.least_read_bytes));
    double best = 0;
    int without_gain = 0;
    for (uint64_t bytes = kLeastChunkBytes;
         bytes <= limits_.largest_read_bytes && without_gain < kSizesWithoutGain; bytes *= 4) {
      FARGRAPH_RETURN_IF_ERROR(ClimbDepths(bytes));
      if (bytes < least_chunk_bytes_) continue;  // of use to the fit alone
      const double here = BestScore();
      without_gain = here < best * kLargerSizeGain ? without_gain + 1 : 0;
      best = here;
    }
    return absl::OkStatus();
  }

  absl::Status RefineAroundBest() {
    const uint64_t bytes = BestLoad().bytes;
    if (bytes / 2 >= least_chunk_bytes_) FARGRAPH_RETURN_IF_ERROR(ClimbDepths(bytes / 2));
    return ClimbDepths(bytes * 2);
  }

  /// In rounds, so that what disturbs for a while does not meet the same load every time. The
  /// smallest reads too: what they say of the gap between requests counts for every sparse scan.
  absl::Status MeasureCloseOnesAgain() {
    for (int round = 0; round < kMostRounds; ++round) {
      std::vector<ReadLoad> close = {FastestBlockLoad()};
      for (const auto& [load, rate] : rates_) {
        if (Score(load) >= kClose * BestScore()) close.push_back(load);
      }
      for (const ReadLoad& load : close) FARGRAPH_RETURN_IF_ERROR(Measure(load).status());
    }
    return absl::OkStatus();
  }

  absl::StatusOr<ReadLoad> TryMoreQueuePairs(ReadLoad best) {
    for (uint32_t queue_pairs = 2; queue_pairs <= kMostQueuePairs; queue_pairs *= 2) {
      const ReadLoad more = {
          .bytes = best.bytes, .depth = best.depth * 2, .queue_pairs = queue_pairs};
      if (!Fits(more)) break;
      const double rate_before = rates_[best];
      FARGRAPH_ASSIGN_OR_RETURN(const double rate, Measure(more));
      if (rate < rate_before * kWorthwhileGain) break;
      best = more;
    }
    return best;
  }

  /// Bytes per second with the engine's time for them; 0 of what is too small for a chunk.
  double Score(const ReadLoad& load) const {
    if (load.bytes < least_chunk_bytes_) return 0;
    const auto bytes = static_cast<double>(load.bytes);
    const double engine_seconds = kEngineSecondsPerChunk + bytes * kEngineSecondsPerByte;
    return bytes / (1 / rates_.at(load) + engine_seconds / limits_.threads);
  }

  ReadLoad BestLoad() const {
    ReadLoad best = {.bytes = kLeastChunkBytes};
    double best_score = 0;
    for (const auto& [load, rate] : rates_) {
      if (Score(load) <= best_score) continue;
      best_score = Score(load);
      best = load;
    }
    return best;
  }

  ReadLoad FastestBlockLoad() const {
    ReadLoad fastest = {.bytes = limits_.least_read_bytes};
    for (const auto& [load, rate] : rates_) {
      if (load.bytes == limits_.least_read_bytes && rate > rates_.at(fastest)) fastest = load;
    }
    return fastest;
  }

  double BestScore() const {
    double best = 0;
    for (const auto& [load, rate] : rates_) best = std::max(best, Score(load));
    return best;
  }

  /// Loads ascend by size, then by depth.
  ReadLoad SmallestGoodLoad() const {
    const double enough = kAsGood * BestScore();
    for (const auto& [load, rate] : rates_) {
      if (Score(load) >= enough) return LeastGoodDepth(load.bytes);
    }
    return BestLoad();
  }

  /// Whatever the engine takes, what is in flight is to keep the link busy.
  ReadLoad LeastGoodDepth(uint64_t bytes) const {
    const auto first = rates_.lower_bound({.bytes = bytes, .depth = 0, .queue_pairs = 0});
    const auto end = rates_.lower_bound({.bytes = bytes + 1, .depth = 0, .queue_pairs = 0});
    const auto slower = [](const auto& a, const auto& b) { return a.second < b.second; };
    const double enough = kAsGood * std::max_element(first, end, slower)->second;
    return std::find_if(first, end, [=](const auto& a) { return a.second >= enough; })->first;
  }

  LinkSweep Conclude(const LinkTuning& tuning) const {
    LinkSweep sweep = {.tuning = tuning,
                       .is_device = limits_.is_device,
                       .least_bytes_in_flight = limits_.least_bytes_in_flight};
    for (const auto& [load, rate] : rates_) sweep.points.push_back({load, rate});
    sweep.profile = FitLink(sweep.points, limits_.threads);
    return sweep;
  }

  const SweepLimits limits_;
  const uint64_t least_chunk_bytes_ =
      std::min(limits_.least_tuned_bytes, std::bit_floor(limits_.largest_read_bytes));
  const MeasureReads& measure_;
  std::map<ReadLoad, double, ByLoad> rates_;
  bool out_of_time_ = false;
};

}  // namespace

uint32_t SlotsFor(uint32_t depth, bool is_device) {
  return is_device ? 2 * depth + kDeviceSlotsBesideReads : depth + kSlotsBesideReads;
}

uint32_t DepthWith(uint32_t slots, bool is_device) {
  const uint32_t beside = is_device ? kDeviceSlotsBesideReads : kSlotsBesideReads;
  const uint32_t for_reads = std::max(slots, beside) - beside;
  return is_device ? for_reads / 2 : for_reads;
}

absl::StatusOr<LinkSweep> SweepLink(const SweepLimits& limits, const MeasureReads& measure) {
  return Sweeper(limits, measure).Sweep();
}

LinkTuning TuningFor(uint64_t chunk_bytes, const LinkSweep& sweep) {
  LinkTuning tuning = sweep.tuning;
  if (chunk_bytes != tuning.chunk_bytes && tuning.slots > 1) {
    const uint32_t depth = std::min(kMostDepth, sweep.profile.DepthFor(chunk_bytes));
    tuning.slots =
        SlotsFor(Deepen(depth, chunk_bytes, sweep.least_bytes_in_flight), sweep.is_device);
  }
  tuning.chunk_bytes = chunk_bytes;
  return tuning;
}

}  // namespace fargraph

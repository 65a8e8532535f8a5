#include "compute_node/forecast/far_reads.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace fargraph {
namespace {

/// In how many lists a block of a cache is of use, on the mean, before it goes. Measured on the
/// road network of New York, whose blocks had a fifth of the room: bfs 217, bc 262.
constexpr double kListsPerBlock = 220;
constexpr double kCacheBlockBytes = 4096;
/// A step that waits for blocks of a cache brings about so many, some of them for later steps.
constexpr double kBlocksPerWait = 8;

/// How long what is read in one piece is where nearly all gaps between lists are narrower than the
/// break-even gap, since some are wide: so many bytes, and so many such gaps. Measured on kron22,
/// urand22, cnr-2000 and the road network of New York: from an SSD, whose gap is 20 KiB, 20 to 180
/// KiB (k-core and sssp 20 to 60), over tcp (2.5 KiB) 7 to 37 KiB, over shm (0.8 KiB) 3 to 30.
constexpr double kPieceBytes = 8192;
constexpr double kGapsPerPiece = 2.5;

}  // namespace

bool IsPiecemeal(const Effort& effort) { return effort.list_reads < effort.parts; }

FarReads UsualReads(const PlannedRun& run) {
  const double asked_for = run.effort.list_reads * static_cast<double>(run.far_bytes) *
                           std::pow(run.placement.far_ratio, run.reads_exponent - 1);
  if (run.keeps_blocks && IsPiecemeal(run.effort)) {
    const double blocks = asked_for / run.list_bytes / kListsPerBlock;
    return {.bytes = blocks * kCacheBlockBytes,
            .requests = blocks,
            .scans = std::min(run.effort.steps, blocks / kBlocksPerWait),
            .lists = asked_for / run.list_bytes};
  }
  if (asked_for == 0) return {.scans = run.effort.steps};
  const double mean_gap =
      std::max(run.effort.parts / run.effort.list_reads - 1, 0.) * run.list_bytes;
  const double break_even =
      static_cast<double>(std::max<uint64_t>(run.link.BreakEvenGapBytes(), 1));
  const double gap = mean_gap > 0 ? break_even / mean_gap : 0;
  const double gaps = mean_gap > 0 ? asked_for / run.list_bytes : 0;  // as many as lists
  const double bytes = asked_for + gaps * mean_gap * (1 - std::exp(-gap) * (1 + gap));
  const double pieces = std::min(gaps, bytes / (kPieceBytes + kGapsPerPiece * break_even));
  return {.bytes = bytes,
          .requests = std::max(gaps * std::exp(-gap), pieces) +
                      bytes / static_cast<double>(run.chunk_bytes),
          .scans = std::max(run.effort.steps, run.effort.parts),
          .lists = gaps};
}

FarReads ReadsLike(const PastRuns& past, const PlannedRun& run) {
  const double share =
      std::pow(run.placement.far_ratio / past.placement.far_ratio, run.reads_exponent);
  const bool same_form = past.placement.compressed == run.placement.compressed;
  const double form = same_form ? 1 : run.list_bytes / run.list_bytes_otherwise;
  const ReadPattern::Fetch then =
      past.pattern.FetchBy(past.link.BreakEvenGapBytes(), past.chunk_bytes);
  const ReadPattern::Fetch now =
      past.pattern.FetchBy(run.link.BreakEvenGapBytes(), run.chunk_bytes);
  FarReads reads = {.scans = static_cast<double>(past.far_scans)};
  if (then.bytes == 0) return reads;
  // What was counted beyond the pattern are the weights, and cuts at the borders of stripes.
  reads.bytes = form * share * static_cast<double>(past.bytes_fetched) * now.bytes / then.bytes;
  reads.requests = share * static_cast<double>(past.requests) * now.requests / then.requests;
  return reads;
}

}  // namespace fargraph

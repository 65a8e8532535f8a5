#ifndef FARGRAPH_GRAPH_BUILDER_RUN_MERGER_H_
#define FARGRAPH_GRAPH_BUILDER_RUN_MERGER_H_

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "common/status_macros.h"
#include "graph/builder/loser_tree.h"
#include "graph/builder/run_reader.h"

namespace fargraph {

/// Merges ascending runs of unsigned numbers in a file, none of them all ones, with a team of
/// threads: what the buffers hold is cut into parts by number, which threads merge each on its own
/// and visit in their order.
template <typename Word>
class RunMerger {
 public:
  /// Each of `threads` threads merges into a block of `block_words`; at least one of both.
  RunMerger(std::vector<RunReader<Word>> runs, size_t threads, size_t block_words)
      : runs_(std::move(runs)), blocks_(threads, std::vector<Word>(block_words)) {}

  /// Calls visit(block) with all numbers in ascending order, in blocks, until it returns an error.
  /// The calls are made by any thread of the team, one after the other, while others merge.
  template <typename Visit>
  absl::Status Merge(Visit&& visit) {
    FARGRAPH_RETURN_IF_ERROR(RefillRuns());
    for (Slices window = TakeWindow(); !window.empty(); window = TakeWindow()) {
      FARGRAPH_RETURN_IF_ERROR(MergeWindow(window, visit));
      FARGRAPH_RETURN_IF_ERROR(RefillRuns());
    }
    return absl::OkStatus();
  }

 private:
  // Of runs, none of them empty.
  using Slices = std::vector<absl::Span<const Word>>;

  static constexpr Word kEnd = LoserTree<Word>::kEnd;
  // Parts take turns: with many for each thread, few wait for the first to be merged and for the
  // last to be visited.
  static constexpr size_t kPartsPerThread = 8;
  static constexpr size_t kMinPartWords = size_t{1} << 12;
  static constexpr size_t kSamplesPerPart = 32;

  absl::Status RefillRuns() {
    absl::Status status;
#pragma omp parallel for schedule(dynamic) num_threads(static_cast <int>(blocks_.size()))
    for (size_t run = 0; run < runs_.size(); ++run) {
      const absl::Status refilled = runs_[run].Refill();
#pragma omp critical(run_merger)
      status.Update(refilled);
    }
    return status;
  }

  // Takes the numbers before which nothing comes that is not in a buffer yet: those up to the least
  // of the last numbers in the buffers. That buffer will be empty.
  Slices TakeWindow() {
    Word last = kEnd;
    for (const RunReader<Word>& run : runs_) {
      if (!run.all_buffered()) last = std::min(last, run.buffered().back());
    }
    Slices window;
    for (RunReader<Word>& run : runs_) {
      const auto next = run.buffered();
      const auto slice =
          next.first(std::upper_bound(next.begin(), next.end(), last) - next.begin());
      if (!slice.empty()) window.push_back(slice);
      run.Skip(slice.size());
    }
    return window;
  }

  template <typename Visit>
  absl::Status MergeWindow(const Slices& window, Visit&& visit) {
    const std::vector<Word> borders = CutIntoParts(window);
    absl::Status status;
#pragma omp parallel for ordered schedule(dynamic, 1) num_threads(static_cast <int>(blocks_.size()))
    for (size_t part = 1; part < borders.size(); ++part) {
      const auto block = absl::MakeSpan(blocks_[omp_get_thread_num()]);
      LoserTree<Word> tree(Between(window, borders[part - 1], borders[part]));
      size_t count = tree.Take(block);
#pragma omp ordered
      for (; count > 0 && status.ok(); count = tree.Take(block)) status = visit(block.first(count));
    }
    return status;
  }

  // The least number of each part, about equal amounts after an even sample of every slice, and
  // kEnd. Parts may be empty, or larger than a block.
  std::vector<Word> CutIntoParts(const Slices& window) const {
    size_t words = 0;
    for (const auto slice : window) words += slice.size();
    const size_t part_words =
        std::min(std::max(words / (kPartsPerThread * blocks_.size()), kMinPartWords),
                 (blocks_.front().size() + 1) / 2);
    const size_t parts = (words + part_words - 1) / part_words;

    // Of all slices together, at least half is in those that are sampled.
    const size_t stride = std::max<size_t>(words / (kSamplesPerPart * parts + window.size()), 1);
    std::vector<Word> samples;
    for (const auto slice : window) {
      for (size_t i = stride / 2; i < slice.size(); i += stride) samples.push_back(slice[i]);
    }
    std::sort(samples.begin(), samples.end());
    std::vector<Word> borders = {0};
    for (size_t part = 1; part < parts; ++part) {
      borders.push_back(samples[part * samples.size() / parts]);
    }
    borders.push_back(kEnd);
    return borders;
  }

  // The numbers of [begin, end).
  static Slices Between(const Slices& window, Word begin, Word end) {
    Slices part;
    for (const auto slice : window) {
      const auto from = std::lower_bound(slice.begin(), slice.end(), begin);
      const auto to = std::lower_bound(from, slice.end(), end);
      if (from != to) part.emplace_back(&*from, to - from);
    }
    return part;
  }

  std::vector<RunReader<Word>> runs_;
  std::vector<std::vector<Word>> blocks_;  // of each thread
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_BUILDER_RUN_MERGER_H_

#ifndef FARGRAPH_GRAPH_BUILDER_EXTERNAL_SORTER_H_
#define FARGRAPH_GRAPH_BUILDER_EXTERNAL_SORTER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "graph/builder/radix_sort.h"
#include "graph/builder/run_merger.h"
#include "graph/format/write_behind_file.h"

namespace fargraph {

/// Sorts any amount of unsigned numbers, none of them all ones, in little memory: sorted runs of
/// what fits go to a scratch file, and are merged. What fits as a whole never goes to disk. Used by
/// one thread, sorts with all.
template <typename Word>
class ExternalSorter {
 public:
  /// The scratch file is created at `scratch_path` when the first run is written, and unlinked at
  /// once, so that nothing is left however the program ends.
  ExternalSorter(std::string scratch_path, uint64_t memory_bytes)
      : scratch_path_(std::move(scratch_path)),
        memory_bytes_(memory_bytes),
        run_words_(std::max<uint64_t>(memory_bytes / 2 / sizeof(Word), kMinRunWords)) {}

  absl::Status Add(absl::Span<const Word> words) {
    while (!words.empty()) {
      const auto piece = words.subspan(0, run_words_ - words_.size());
      MakeRoomFor(words_.size() + piece.size());
      words_.insert(words_.end(), piece.begin(), piece.end());
      words.remove_prefix(piece.size());
      if (words_.size() == run_words_) FARGRAPH_RETURN_IF_ERROR(WriteRun());
    }
    return absl::OkStatus();
  }

  /// Calls visit(block) with everything that was added, ascending, in blocks, until it returns an
  /// error. The calls are made one after the other, by any of up to `threads` threads that merge
  /// runs. The last call.
  template <typename Visit>
  absl::Status Merge(size_t threads, Visit&& visit) {
    if (run_ends_.empty()) {
      RadixSort(words_, scratch_);
      Release(scratch_);
      return words_.empty() ? absl::OkStatus() : visit(absl::MakeConstSpan(words_));
    }
    if (!words_.empty()) FARGRAPH_RETURN_IF_ERROR(WriteRun());
    Release(words_);
    Release(scratch_);
    return OpenRuns(threads).Merge(std::forward<Visit>(visit));
  }

 private:
  static constexpr uint64_t kMinRunWords = 256;
  static constexpr uint64_t kSmallInputWords = 64 * kKiB;
  // Of a run that is merged, or of a thread that merges.
  static constexpr uint64_t kMinMergeBuffer = 32 * kKiB;
  static constexpr uint64_t kMaxMergeBuffer = 4 * kMiB;

  static void Release(std::vector<Word>& words) { std::vector<Word>().swap(words); }

  // For a small input, or for as many words as a run has.
  void MakeRoomFor(size_t words) {
    if (words <= words_.capacity()) return;
    words_.reserve(words <= kSmallInputWords ? std::min(kSmallInputWords, run_words_) : run_words_);
  }

  absl::Status WriteRun() {
    if (!file_) {
      FARGRAPH_ASSIGN_OR_RETURN(File file, File::Create(scratch_path_));
      std::error_code ignored;
      std::filesystem::remove(scratch_path_, ignored);
      file_.emplace(std::move(file));
    }
    RadixSort(words_, scratch_);
    FARGRAPH_RETURN_IF_ERROR(file_->Append(
        {reinterpret_cast<const std::byte*>(words_.data()), words_.size() * sizeof(Word)}));
    run_ends_.push_back(file_->end());
    words_.clear();
    return absl::OkStatus();
  }

  // A quarter of the memory is for what the threads have merged. Of the rest, one half is the runs'
  // buffers, the other what is read ahead into the page cache.
  RunMerger<Word> OpenRuns(size_t threads) const {
    const uint64_t block_memory = memory_bytes_ / 4;
    const auto team = std::clamp<size_t>(block_memory / kMinMergeBuffer, 1, threads);
    const uint64_t buffer_words =
        MergeBufferWords((memory_bytes_ - block_memory) / 2, run_ends_.size());
    std::vector<RunReader<Word>> runs;
    uint64_t begin = 0;
    for (const uint64_t end : run_ends_) {
      runs.emplace_back(file_->file(), begin, end, buffer_words);
      begin = end;
    }
    return RunMerger<Word>(std::move(runs), team, MergeBufferWords(block_memory, team));
  }

  // Of each of `buffers` in `bytes`.
  static uint64_t MergeBufferWords(uint64_t bytes, size_t buffers) {
    return std::clamp(bytes / buffers, kMinMergeBuffer, kMaxMergeBuffer) / sizeof(Word);
  }

  std::string scratch_path_;
  uint64_t memory_bytes_;
  size_t run_words_;
  std::vector<Word> words_;
  std::vector<Word> scratch_;
  std::optional<WriteBehindFile> file_;
  std::vector<uint64_t> run_ends_;  // in bytes of the scratch file
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_BUILDER_EXTERNAL_SORTER_H_

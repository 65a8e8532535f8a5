#ifndef FARGRAPH_GRAPH_BUILDER_RUN_MERGER_H_
#define FARGRAPH_GRAPH_BUILDER_RUN_MERGER_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "common/file.h"
#include "common/status_macros.h"

namespace fargraph {

/// One ascending run of numbers in a file, read front to back through a buffer. What was read is
/// dropped from the page cache, what comes next is on its way into it.
template <typename Word>
class RunReader {
 public:
  RunReader(const File& file, uint64_t begin, uint64_t end, size_t buffer_words)
      : file_(file), offset_(begin), end_(end), buffer_words_(buffer_words) {}

  /// Moves to the next number; `word` is all ones at the end.
  absl::Status Next(Word& word) {
    if (position_ == buffer_.size()) FARGRAPH_RETURN_IF_ERROR(Fill());
    word = buffer_.empty() ? kEnd : buffer_[position_++];
    return absl::OkStatus();
  }

  static constexpr Word kEnd = static_cast<Word>(-1);

 private:
  absl::Status Fill() {
    buffer_.resize(std::min<uint64_t>(buffer_words_, (end_ - offset_) / sizeof(Word)));
    position_ = 0;
    if (buffer_.empty()) return absl::OkStatus();
    const uint64_t bytes = buffer_.size() * sizeof(Word);
    FARGRAPH_RETURN_IF_ERROR(
        file_.ReadAt(offset_, {reinterpret_cast<std::byte*>(buffer_.data()), bytes}));
    file_.DropCache(offset_, bytes);
    offset_ += bytes;
    if (offset_ < end_) file_.Prefetch(offset_, std::min(bytes, end_ - offset_));
    return absl::OkStatus();
  }

  const File& file_;
  uint64_t offset_;  // in bytes, of what is not in the buffer yet
  uint64_t end_;
  size_t buffer_words_;
  std::vector<Word> buffer_;
  size_t position_ = 0;
};

/// Merges ascending runs with a tree of losers (Knuth, The Art of Computer Programming, volume 3,
/// 5.4.1): each inner node holds the loser of the match between its subtrees, so the next number
/// costs one match per level. No number may be all ones.
template <typename Word>
class RunMerger {
 public:
  explicit RunMerger(std::vector<RunReader<Word>> runs)
      : runs_(std::move(runs)), leaves_(std::bit_ceil(std::max<size_t>(runs_.size(), 1))) {}

  /// Calls visit(block) with all numbers in ascending order, in blocks, until it returns an error.
  template <typename Visit>
  absl::Status Merge(Visit&& visit) {
    FARGRAPH_RETURN_IF_ERROR(PlayAll());
    std::vector<Word> block(kBlockWords);
    while (winner_.word != RunReader<Word>::kEnd) {
      size_t count = 0;
      for (; count < block.size() && winner_.word != RunReader<Word>::kEnd; ++count) {
        block[count] = winner_.word;
        FARGRAPH_RETURN_IF_ERROR(runs_[winner_.run].Next(winner_.word));
        Replay();
      }
      FARGRAPH_RETURN_IF_ERROR(visit(absl::MakeConstSpan(block).subspan(0, count)));
    }
    return absl::OkStatus();
  }

 private:
  static constexpr size_t kBlockWords = size_t{1} << 16;

  struct Player {
    Word word = RunReader<Word>::kEnd;
    size_t run = 0;
  };

  absl::Status PlayAll() {
    std::vector<Player> winners(2 * leaves_);
    for (size_t run = 0; run < leaves_; ++run) {
      winners[leaves_ + run].run = run;
      if (run < runs_.size()) {
        FARGRAPH_RETURN_IF_ERROR(runs_[run].Next(winners[leaves_ + run].word));
      }
    }
    losers_.resize(leaves_);
    for (size_t node = leaves_ - 1; node > 0; --node) {
      const Player& left = winners[2 * node];
      const Player& right = winners[2 * node + 1];
      const bool left_wins = left.word <= right.word;
      winners[node] = left_wins ? left : right;
      losers_[node] = left_wins ? right : left;
    }
    winner_ = winners[1];
    return absl::OkStatus();
  }

  // The winner's run has a new number: plays it against the losers up to the root.
  void Replay() {
    Player player = winner_;
    for (size_t node = (leaves_ + player.run) / 2; node > 0; node /= 2) {
      Player& loser = losers_[node];
      if (loser.word < player.word) std::swap(loser, player);
    }
    winner_ = player;
  }

  std::vector<RunReader<Word>> runs_;
  size_t leaves_;
  std::vector<Player> losers_;
  Player winner_;
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_BUILDER_RUN_MERGER_H_

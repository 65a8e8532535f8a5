#ifndef FARGRAPH_GRAPH_BUILDER_LOSER_TREE_H_
#define FARGRAPH_GRAPH_BUILDER_LOSER_TREE_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/types/span.h"

namespace fargraph {

/// Merges ascending runs of unsigned numbers in memory with a tree of losers (Knuth, The Art of
/// Computer Programming, volume 3, 5.4.1): each inner node holds the loser of the match between its
/// subtrees, so the next number costs one match per level. No number may be all ones. Used by one
/// thread.
template <typename Word>
class LoserTree {
 public:
  /// Larger than any number of a run.
  static constexpr Word kEnd = static_cast<Word>(-1);

  /// What the runs lie in must outlive the tree.
  explicit LoserTree(std::vector<absl::Span<const Word>> runs) : runs_(std::move(runs)) {
    runs_.resize(std::bit_ceil(std::max<size_t>(runs_.size(), 1)));
    PlayAll();
  }

  /// Fills `out` with the numbers that come next, ascending, and returns how many: all that `out`
  /// has room for but at the end.
  size_t Take(absl::Span<Word> out) {
    size_t count = 0;
    for (; count < out.size() && winner_.word != kEnd; ++count) {
      out[count] = winner_.word;
      winner_.word = NextOf(winner_.run);
      Replay();
    }
    return count;
  }

 private:
  struct Player {
    Word word = kEnd;
    size_t run = 0;
  };

  Word NextOf(size_t run) {
    absl::Span<const Word>& rest = runs_[run];
    if (rest.empty()) return kEnd;
    const Word word = rest.front();
    rest.remove_prefix(1);
    return word;
  }

  void PlayAll() {
    std::vector<Player> winners(2 * runs_.size());
    for (size_t run = 0; run < runs_.size(); ++run)
      winners[runs_.size() + run] = {NextOf(run), run};
    losers_.resize(runs_.size());
    for (size_t node = runs_.size() - 1; node > 0; --node) {
      const Player& left = winners[2 * node];
      const Player& right = winners[2 * node + 1];
      const bool left_wins = left.word <= right.word;
      winners[node] = left_wins ? left : right;
      losers_[node] = left_wins ? right : left;
    }
    winner_ = winners[1];
  }

  // The winner's run has a new number: plays it against the losers up to the root.
  void Replay() {
    Player player = winner_;
    for (size_t node = (runs_.size() + player.run) / 2; node > 0; node /= 2) {
      Player& loser = losers_[node];
      ExchangeIf(loser.word < player.word, loser, player);
    }
    winner_ = player;
  }

  // Without a branch: every second match would mispredict it.
  static void ExchangeIf(bool exchange, Player& left, Player& right) {
    const Word words = (left.word ^ right.word) & -static_cast<Word>(exchange);
    const size_t runs = (left.run ^ right.run) & -static_cast<size_t>(exchange);
    left = {left.word ^ words, left.run ^ runs};
    right = {right.word ^ words, right.run ^ runs};
  }

  std::vector<absl::Span<const Word>>
      runs_;  // what is left of each; as many as the tree has leaves
  std::vector<Player> losers_;
  Player winner_;
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_BUILDER_LOSER_TREE_H_

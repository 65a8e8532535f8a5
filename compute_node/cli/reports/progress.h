#ifndef FARGRAPH_COMPUTE_NODE_CLI_REPORTS_PROGRESS_H_
#define FARGRAPH_COMPUTE_NODE_CLI_REPORTS_PROGRESS_H_

#include <cstdint>
#include <mutex>
#include <ostream>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace fargraph {

/// What a command shows while it works: on a terminal one line that is drawn anew a few times a
/// second, elsewhere nothing but the news. Any thread may call.
class Progress {
 public:
  /// On standard error.
  Progress();
  Progress(std::ostream& stream, bool is_terminal) : stream_(stream), is_terminal_(is_terminal) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { Clear(); }

  /// A bar; `total` 0: not known yet.
  void ShowBytes(absl::string_view what, uint64_t done, uint64_t total);
  void ShowEdges(absl::string_view what, uint64_t done, uint64_t total);
  void ShowIteration(uint64_t iteration, uint64_t active);

  /// A line that stays, on a terminal or not.
  void Say(absl::string_view line);

  /// Takes the line away again.
  void Clear();

 private:
  void ShowBar(absl::string_view what, uint64_t done, uint64_t total, absl::string_view amount);
  /// Draws the first and the last line of a phase, and of the others one every now and then.
  void Draw(absl::string_view phase, bool is_last, absl::string_view line);
  void ClearLocked();

  std::ostream& stream_;
  const bool is_terminal_;
  std::mutex mutex_;
  std::string phase_;
  absl::Time last_drawn_ = absl::InfinitePast();
  bool is_drawn_ = false;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_REPORTS_PROGRESS_H_

#include "compute_node/cli/reports/progress.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "common/log/log.h"
#include "common/units.h"

namespace fargraph {
namespace {

constexpr int kBarWidth = 30;
constexpr absl::Duration kInterval = absl::Milliseconds(100);
constexpr absl::string_view kEraseLine = "\r\x1b[K";

std::string Bar(uint64_t done, uint64_t total) {
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const int filled = static_cast<int>(share * kBarWidth);
  return absl::StrFormat("[%s%s] %3d%%", std::string(filled, '#'),
                         std::string(kBarWidth - filled, '.'), static_cast<int>(share * 100));
}

/// "1 234 567" is easier to read than 1234567 in a line that moves.
std::string Grouped(uint64_t number) {
  std::string digits = absl::StrCat(number);
  for (size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ' ');
  return digits;
}

}  // namespace

Progress::Progress() : Progress(std::cerr, isatty(STDERR_FILENO) == 1 && !LogIsJson()) {}

void Progress::ShowBytes(absl::string_view what, uint64_t done, uint64_t total) {
  if (!is_terminal_) return;
  ShowBar(what, done, total, FormatBytes(done));
}

void Progress::ShowEdges(absl::string_view what, uint64_t done, uint64_t total) {
  if (!is_terminal_) return;
  ShowBar(what, done, total, absl::StrCat(Grouped(done), " edges"));
}

void Progress::ShowIteration(uint64_t iteration, uint64_t active) {
  if (!is_terminal_) return;
  Draw("iteration", false,
       absl::StrCat("iteration ", iteration, ", ", Grouped(active), " vertices active"));
}

void Progress::ShowBar(absl::string_view what, uint64_t done, uint64_t total,
                       absl::string_view amount) {
  const bool is_last = done == total && total != 0;
  Draw(what, is_last,
       total == 0 ? absl::StrCat(what, "  ", amount)
                  : absl::StrCat(what, "  ", Bar(done, total), "  ", amount));
}

void Progress::Say(absl::string_view line) {
  const std::lock_guard lock(mutex_);
  ClearLocked();
  stream_ << line << "\n" << std::flush;
}

void Progress::Clear() {
  const std::lock_guard lock(mutex_);
  ClearLocked();
}

void Progress::Draw(absl::string_view phase, bool is_last, absl::string_view line) {
  const std::lock_guard lock(mutex_);
  const absl::Time now = absl::Now();
  if (phase == phase_ && !is_last && now - last_drawn_ < kInterval) return;
  phase_ = std::string(phase);
  last_drawn_ = now;
  stream_ << kEraseLine << line << std::flush;
  is_drawn_ = true;
}

void Progress::ClearLocked() {
  if (is_drawn_) stream_ << kEraseLine << std::flush;
  is_drawn_ = false;
}

}  // namespace fargraph

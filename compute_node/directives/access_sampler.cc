#include "compute_node/directives/access_sampler.h"

#include <chrono>
#include <csignal>
#include <utility>

#include "common/status_macros.h"

namespace fargraph {
namespace {

constexpr std::chrono::milliseconds kTick(2);
constexpr std::chrono::milliseconds kShortestRest(8);
constexpr size_t kMostLooks = 64;

/// Makes a thread that takes none of the signals of the process.
template <typename Body>
std::thread ThreadWithoutSignals(Body body) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::move(body));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

std::optional<Behaviour> SampledAccesses::behaviour() const {
  return Classify(counts, written, kWatchedPageBytes);
}

absl::StatusOr<std::unique_ptr<AccessSampler>> AccessSampler::Start(
    const std::vector<absl::Span<const std::byte>>& arrays) {
  FARGRAPH_ASSIGN_OR_RETURN(std::unique_ptr<PageWatch> watch, PageWatch::Install(arrays));
  return std::unique_ptr<AccessSampler>(new AccessSampler(std::move(watch), arrays.size()));
}

AccessSampler::AccessSampler(std::unique_ptr<PageWatch> watch, size_t arrays)
    : watch_(std::move(watch)), looks_(arrays) {
  thread_ = ThreadWithoutSignals([this] { LookAndRest(); });
}

AccessSampler::~AccessSampler() {
  if (thread_.joinable()) Stop();
}

void AccessSampler::LookAndRest() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (size_t array = 0; array < looks_.size(); ++array) BeginLook(array);
  while (!stop_changed_.wait_for(lock, kTick, [this] { return stop_; })) {
    for (size_t array = 0; array < looks_.size(); ++array) {
      const Looks& looks = looks_[array];
      if (looks.looking) {
        if (!watch_->closed(array)) EndLook(array);
      } else if (Clock::now() - looks.since >= looks.rest_factor * kShortestRest) {
        BeginLook(array);
      }
    }
  }
  for (size_t array = 0; array < looks_.size(); ++array) {
    if (looks_[array].looking) EndLook(array);
  }
}

void AccessSampler::BeginLook(size_t array) {
  looks_[array].looking = true;
  looks_[array].since = Clock::now();
  watch_->Close(array);
}

void AccessSampler::EndLook(size_t array) {
  Looks& looks = looks_[array];
  const std::vector<PageTouch> touches = watch_->Rest(array);
  const Clock::time_point now = Clock::now();
  looks.watched += now - looks.since;
  looks.touches += touches.size();
  looks.counts.push_back(CountAccesses(touches, watch_->pages(array)));
  looks.since = now;
  looks.looking = false;
  if (looks.counts.size() <= kMostLooks) return;
  for (size_t kept = 1; 2 * kept < looks.counts.size(); ++kept) {
    looks.counts[kept] = looks.counts[2 * kept];
  }
  looks.counts.resize((looks.counts.size() + 1) / 2);
  looks.rest_factor *= 2;
}

std::vector<SampledAccesses> AccessSampler::Stop() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  stop_changed_.notify_all();
  thread_.join();
  std::vector<SampledAccesses> sampled(looks_.size());
  for (size_t array = 0; array < looks_.size(); ++array) {
    const Looks& looks = looks_[array];
    for (const AccessCounts& counts : looks.counts) sampled[array].counts += counts;
    sampled[array].written = watch_->written(array);
    const double seconds = std::chrono::duration<double>(looks.watched).count();
    if (seconds > 0) {
      sampled[array].touches_per_second = static_cast<double>(looks.touches) / seconds;
    }
  }
  watch_.reset();
  return sampled;
}

}  // namespace fargraph

#ifndef FARGRAPH_COMMON_TRANSPORT_VERBS_EVENT_THREAD_H_
#define FARGRAPH_COMMON_TRANSPORT_VERBS_EVENT_THREAD_H_

#include <poll.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "common/unique_fd.h"

namespace fargraph::transport::verbs {

/// A thread that calls back when a file descriptor becomes readable, until it hangs up.
class EventThread {
 public:
  struct Source {
    int fd;
    /// Reads all that there is without blocking.
    absl::AnyInvocable<void()> on_readable;
  };

  static absl::StatusOr<std::unique_ptr<EventThread>> Start(std::vector<Source> sources);
  /// Waits until a callback that is going on has returned.
  ~EventThread();
  EventThread(const EventThread&) = delete;
  EventThread& operator=(const EventThread&) = delete;

  /// Has the thread look at its sources again.
  void Wake();

 private:
  EventThread(std::vector<Source> sources, UniqueFd wake_fd);
  void Run();

  std::vector<Source> sources_;
  const UniqueFd wake_fd_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

/// Whether poll found, waiting for POLLIN, that nothing will come any more: the device that events
/// came from is gone. Waits for the descriptor end at once from then on.
inline bool HasHungUp(const pollfd& polled) {
  return polled.revents != 0 && (polled.revents & POLLIN) == 0;
}

/// Makes reads of `fd` return at once, with EAGAIN when there is nothing.
void SetNonBlocking(int fd);

}  // namespace fargraph::transport::verbs

#endif  // FARGRAPH_COMMON_TRANSPORT_VERBS_EVENT_THREAD_H_

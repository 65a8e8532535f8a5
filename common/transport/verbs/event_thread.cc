#include "common/transport/verbs/event_thread.h"

#include <fcntl.h>
#include <sys/eventfd.h>

#include <cerrno>
#include <utility>

#include "common/transport/verbs/errors.h"

namespace fargraph::transport::verbs {

absl::StatusOr<std::unique_ptr<EventThread>> EventThread::Start(std::vector<Source> sources) {
  UniqueFd wake_fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake_fd.valid()) return VerbsError("start a thread for the events of an RDMA device", errno);
  return std::unique_ptr<EventThread>(new EventThread(std::move(sources), std::move(wake_fd)));
}

EventThread::EventThread(std::vector<Source> sources, UniqueFd wake_fd)
    : sources_(std::move(sources)), wake_fd_(std::move(wake_fd)), thread_([this] { Run(); }) {}

EventThread::~EventThread() {
  stop_.store(true);
  Wake();
  thread_.join();
}

void EventThread::Wake() { eventfd_write(wake_fd_.get(), 1); }

void EventThread::Run() {
  std::vector<pollfd> polled = {{wake_fd_.get(), POLLIN, 0}};
  for (const Source& source : sources_) polled.push_back({source.fd, POLLIN, 0});
  while (!stop_.load()) {
    if (poll(polled.data(), polled.size(), -1) < 0) continue;  // a signal
    eventfd_t wakes = 0;
    eventfd_read(wake_fd_.get(), &wakes);
    for (size_t i = 0; i < sources_.size(); ++i) {
      sources_[i].on_readable();
      if (HasHungUp(polled[i + 1])) polled[i + 1].fd = -1;
    }
  }
}

void SetNonBlocking(int fd) { fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }

}  // namespace fargraph::transport::verbs

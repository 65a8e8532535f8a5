#include "common/transport/tcp/server_thread.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/monotonic_time.h"

namespace fargraph::transport::tcp {
namespace {

/// How long a peer may take to say hello.
constexpr absl::Duration kGreetingPatience = absl::Seconds(5);
constexpr int kHousekeepingMilliseconds = 1000;

void SetEvents(int epoll, int operation, TargetConnection* connection) {
  epoll_event event = {};
  event.events = connection->events();
  event.data.ptr = connection;
  epoll_ctl(epoll, operation, connection->fd(), &event);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ServerThread>> ServerThread::Start() {
  UniqueFd epoll(epoll_create1(EPOLL_CLOEXEC));
  UniqueFd wake(eventfd(0, EFD_CLOEXEC));
  epoll_event event = {};
  event.events = EPOLLIN;
  if (!epoll.valid() || !wake.valid() ||
      epoll_ctl(epoll.get(), EPOLL_CTL_ADD, wake.get(), &event) != 0) {
    return absl::InternalError(
        absl::StrCat("cannot start serving tcp connections: ", std::strerror(errno)));
  }
  return std::unique_ptr<ServerThread>(new ServerThread(std::move(epoll), std::move(wake)));
}

ServerThread::ServerThread(UniqueFd epoll, UniqueFd wake)
    : epoll_(std::move(epoll)), wake_(std::move(wake)), thread_([this] { Run(); }) {}

ServerThread::~ServerThread() {
  eventfd_write(wake_.get(), 1);
  thread_.join();
}

void ServerThread::Add(std::unique_ptr<TargetConnection> connection) {
  TargetConnection* key = connection.get();
  absl::MutexLock lock(&mutex_);
  connections_.emplace(key, std::move(connection));
  SetEvents(epoll_.get(), EPOLL_CTL_ADD, key);
}

void ServerThread::Disconnect(const Ticket& ticket) {
  absl::MutexLock lock(&mutex_);
  for (const auto& [key, connection] : connections_) {
    if (connection->HasTicket(ticket)) shutdown(connection->fd(), SHUT_RDWR);
  }
}

void ServerThread::AwaitCopyEnd() const {
  // The thread never blocks while it copies, so this ends soon.
  copying_.AwaitCopyEnd([] { return false; });
}

void ServerThread::Run() {
  std::array<epoll_event, 64> events;
  absl::Time next_housekeeping = MonotonicNow();
  for (;;) {
    const int count =
        epoll_wait(epoll_.get(), events.data(), events.size(), kHousekeepingMilliseconds);
    for (int i = 0; i < count; ++i) {
      if (events[i].data.ptr == nullptr) return;
      Serve(*static_cast<TargetConnection*>(events[i].data.ptr));
    }
    if (MonotonicNow() >= next_housekeeping) {
      CloseLateGreeters();
      next_housekeeping = MonotonicNow() + absl::Milliseconds(kHousekeepingMilliseconds);
    }
  }
}

void ServerThread::Serve(TargetConnection& connection) {
  const uint32_t before = connection.events();
  if (!connection.Serve(copying_)) {
    absl::MutexLock lock(&mutex_);
    connections_.erase(&connection);
  } else if (connection.events() != before) {
    SetEvents(epoll_.get(), EPOLL_CTL_MOD, &connection);
  }
}

void ServerThread::CloseLateGreeters() {
  const absl::Time latest = MonotonicNow() - kGreetingPatience;
  absl::MutexLock lock(&mutex_);
  absl::erase_if(connections_, [&](const auto& entry) {
    return !entry.second->admitted() && entry.second->opened_at() < latest;
  });
}

}  // namespace fargraph::transport::tcp

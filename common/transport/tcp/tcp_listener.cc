#include "common/transport/tcp/tcp_listener.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/host/processors.h"
#include "common/status_macros.h"
#include "common/transport/tcp/socket.h"

namespace fargraph::transport::tcp {
namespace {

/// One thread moves about 3 GB/s: a few carry a link of 100 Gbit/s, and more would take processors
/// from somebody else where there are few.
unsigned ServerThreadCount() {
  constexpr unsigned kFew = 4;
  constexpr unsigned kMost = 16;
  const auto processors = static_cast<unsigned>(UsableProcessors());
  return std::min(processors, std::clamp(processors / kFew, kFew, kMost));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Listener>> TcpListener::Listen(const ListenOptions& options) {
  FARGRAPH_ASSIGN_OR_RETURN(KeyTable keys, KeyTable::Create(options.memory->size()));
  Endpoint endpoint;
  FARGRAPH_ASSIGN_OR_RETURN(UniqueFd socket, ListenOn(options.host, &endpoint));
  UniqueFd wake(eventfd(0, EFD_CLOEXEC));
  if (!wake.valid()) {
    return absl::InternalError(absl::StrCat("cannot start a tcp listener: ", std::strerror(errno)));
  }
  ServerThreads servers(ServerThreadCount());
  for (auto& server : servers) {
    FARGRAPH_ASSIGN_OR_RETURN(server, ServerThread::Start());
  }
  return std::unique_ptr<Listener>(new TcpListener(options, std::move(keys), std::move(endpoint),
                                                   std::move(socket), std::move(wake),
                                                   std::move(servers)));
}

TcpListener::TcpListener(const ListenOptions& options, KeyTable keys, Endpoint endpoint,
                         UniqueFd socket, UniqueFd wake, ServerThreads servers)
    : keys_(std::move(keys)),
      exposure_{options.memory->bytes(), keys_.view(), options.admit},
      endpoint_(std::move(endpoint)),
      socket_(std::move(socket)),
      wake_(std::move(wake)),
      servers_(std::move(servers)),
      acceptor_([this] { AcceptAll(); }) {}

TcpListener::~TcpListener() {
  keys_.RetireAll();
  eventfd_write(wake_.get(), 1);
  acceptor_.join();
}

absl::StatusOr<RemoteKey> TcpListener::Expose(uint64_t offset, uint64_t length, Access access) {
  return keys_.Expose(offset, length, access);
}

absl::Status TcpListener::Revoke(const RemoteKey& key) {
  FARGRAPH_RETURN_IF_ERROR(keys_.Retire(key.rkey));
  for (const auto& server : servers_) server->AwaitCopyEnd();
  keys_.Release(key.rkey);
  return absl::OkStatus();
}

void TcpListener::Disconnect(const Ticket& ticket) {
  for (const auto& server : servers_) server->Disconnect(ticket);
}

void TcpListener::AcceptAll() {
  for (size_t accepted = 0;;) {
    std::array<pollfd, 2> fds = {{{wake_.get(), POLLIN, 0}, {socket_.get(), POLLIN, 0}}};
    poll(fds.data(), fds.size(), -1);
    if (fds[0].revents != 0) return;
    UniqueFd socket(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket.valid()) {
      Tune(socket.get());
      servers_[accepted++ % servers_.size()]->Add(
          std::make_unique<TargetConnection>(exposure_, std::move(socket)));
    } else if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
      // Do not spin on the waiting peer until descriptors, or memory, are free again.
      absl::SleepFor(absl::Milliseconds(10));
    }
  }
}

}  // namespace fargraph::transport::tcp

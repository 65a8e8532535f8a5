#include "common/transport/tcp/socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/address.h"
#include "common/monotonic_time.h"
#include "common/status_macros.h"

namespace fargraph::transport::tcp {
namespace {

/// False at the deadline.
bool AwaitEvent(int socket, short events, absl::Time deadline) {
  pollfd fd = {.fd = socket, .events = events, .revents = 0};
  for (;;) {
    const timespec rest = absl::ToTimespec(
        std::clamp(deadline - MonotonicNow(), absl::ZeroDuration(), absl::Hours(1)));
    const int ready = ppoll(&fd, 1, &rest, nullptr);
    if (ready > 0) return true;
    if (MonotonicNow() >= deadline) return false;
  }
}

/// Connects to one address; the error number, 0 when connected.
int ConnectToAddress(int socket, const addrinfo& address, absl::Time deadline) {
  if (connect(socket, address.ai_addr, address.ai_addrlen) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  if (!AwaitEvent(socket, POLLOUT, deadline)) return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
  return error;
}

/// Congestion control within a host, where there is nothing to congest: it comes with every kernel,
/// and sends at once. With BBR, the default of some hosts, a timer paces what is sent; a job over
/// loopback takes up to a fifth longer.
constexpr absl::string_view kWithinHost = "reno";

/// Whether the peer is on this host: it has the address that we have.
bool IsPeerHere(int socket) {
  sockaddr_storage own = {};
  sockaddr_storage peer = {};
  socklen_t own_size = sizeof own;
  socklen_t peer_size = sizeof peer;
  if (getsockname(socket, reinterpret_cast<sockaddr*>(&own), &own_size) != 0 ||
      getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &peer_size) != 0 ||
      own.ss_family != peer.ss_family) {
    return false;
  }
  if (own.ss_family == AF_INET6) {
    return std::memcmp(&reinterpret_cast<sockaddr_in6&>(own).sin6_addr,
                       &reinterpret_cast<sockaddr_in6&>(peer).sin6_addr, sizeof(in6_addr)) == 0;
  }
  return reinterpret_cast<sockaddr_in&>(own).sin_addr.s_addr ==
         reinterpret_cast<sockaddr_in&>(peer).sin_addr.s_addr;
}

absl::Status PeerFailed(absl::string_view reason) {
  return absl::UnavailableError(absl::StrCat("the memory node does not answer over tcp: ", reason));
}

}  // namespace

absl::StatusOr<UniqueFd> ListenOn(const std::string& host, Endpoint* endpoint) {
  FARGRAPH_ASSIGN_OR_RETURN(const SocketAddresses addresses, LookUp({host, 0}));
  const addrinfo& address = *addresses;
  UniqueFd fd(socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_storage bound = {};
  socklen_t size = sizeof bound;
  if (!fd.valid() || bind(fd.get(), address.ai_addr, address.ai_addrlen) != 0 ||
      listen(fd.get(), SOMAXCONN) != 0 ||
      getsockname(fd.get(), reinterpret_cast<sockaddr*>(&bound), &size) != 0) {
    return absl::FailedPreconditionError(absl::StrCat("cannot listen for tcp connections on \"",
                                                      host, "\": ", std::strerror(errno),
                                                      "; choose an address of this host"));
  }
  const uint16_t port =
      ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&bound)->sin6_port
                                        : reinterpret_cast<sockaddr_in*>(&bound)->sin_port);
  *endpoint = HostPort{.host = host, .port = port}.ToString();
  return fd;
}

absl::StatusOr<UniqueFd> ConnectTo(const Endpoint& endpoint, absl::Time deadline) {
  FARGRAPH_ASSIGN_OR_RETURN(const HostPort peer, ParseHostPort(endpoint));
  const absl::StatusOr<SocketAddresses> addresses = LookUp(peer);
  if (!addresses.ok()) return absl::UnavailableError(addresses.status().message());
  int error = 0;
  for (const addrinfo* address = addresses->get(); address != nullptr; address = address->ai_next) {
    UniqueFd fd(socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    error = fd.valid() ? ConnectToAddress(fd.get(), *address, deadline) : errno;
    if (error != 0) continue;
    Tune(fd.get());
    return fd;
  }
  return absl::UnavailableError(absl::StrCat("nobody answers at the tcp endpoint ", endpoint, ": ",
                                             std::strerror(error),
                                             "; see whether the memory node runs there"));
}

void Tune(int socket) {
  const int on = 1;
  const int idle_seconds = 30;
  const int interval_seconds = 10;
  const int probes = 3;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &idle_seconds, sizeof idle_seconds);
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &interval_seconds, sizeof interval_seconds);
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
  if (IsPeerHere(socket)) {
    setsockopt(socket, IPPROTO_TCP, TCP_CONGESTION, kWithinHost.data(), kWithinHost.size());
  }
}

absl::Status SendAll(int socket, const void* data, size_t size, absl::Time deadline) {
  const auto* next = static_cast<const std::byte*>(data);
  while (size > 0) {
    const ssize_t sent = send(socket, next, size, MSG_NOSIGNAL);
    if (sent > 0) {
      next += sent;
      size -= sent;
    } else if (errno != EAGAIN && errno != EINTR) {
      return PeerFailed(std::strerror(errno));
    } else if (!AwaitEvent(socket, POLLOUT, deadline)) {
      return PeerFailed("it does not take our greeting in time");
    }
  }
  return absl::OkStatus();
}

absl::Status ReceiveAll(int socket, void* data, size_t size, absl::Time deadline) {
  auto* next = static_cast<std::byte*>(data);
  while (size > 0) {
    const ssize_t got = recv(socket, next, size, 0);
    if (got > 0) {
      next += got;
      size -= got;
    } else if (got == 0) {
      return PeerFailed("it has closed the connection");
    } else if (errno != EAGAIN && errno != EINTR) {
      return PeerFailed(std::strerror(errno));
    } else if (!AwaitEvent(socket, POLLIN, deadline)) {
      return PeerFailed("its greeting does not come in time");
    }
  }
  return absl::OkStatus();
}

}  // namespace fargraph::transport::tcp

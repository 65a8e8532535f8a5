#include "common/transport/shm/handshake.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/monotonic_time.h"

namespace fargraph::transport::shm {
namespace {

/// `size` receives the length of the address.
absl::StatusOr<sockaddr_un> AbstractAddress(const Endpoint& endpoint, socklen_t* size) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (endpoint.empty() || endpoint.size() + 1 > sizeof address.sun_path) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", endpoint, "\" is not the endpoint of an shm listener"));
  }
  std::memcpy(address.sun_path + 1, endpoint.data(), endpoint.size());
  *size = offsetof(sockaddr_un, sun_path) + 1 + endpoint.size();
  return address;
}

absl::StatusOr<UniqueFd> MakeSocket() {
  UniqueFd fd(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (fd.valid()) return fd;
  return absl::InternalError(absl::StrCat("cannot open a unix socket: ", std::strerror(errno)));
}

absl::Status Unreachable(const Endpoint& endpoint, absl::string_view reason) {
  return absl::UnavailableError(absl::StrCat("nobody answers at the shm endpoint ", endpoint, ": ",
                                             reason, "; the memory node must run on this host"));
}

absl::Status Send(int socket, const void* message, size_t size, absl::Span<const int> fds) {
  iovec data = {const_cast<void*>(message), size};
  msghdr header = {};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(kPassedFds * sizeof(int))] = {};
  if (!fds.empty()) {
    header.msg_control = control;
    header.msg_controllen = CMSG_SPACE(fds.size() * sizeof(int));
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
    std::memcpy(CMSG_DATA(rights), fds.data(), fds.size() * sizeof(int));
  }
  if (sendmsg(socket, &header, MSG_NOSIGNAL | MSG_DONTWAIT) == static_cast<ssize_t>(size)) {
    return absl::OkStatus();
  }
  return absl::UnavailableError(
      absl::StrCat("cannot send to the shm peer: ", std::strerror(errno)));
}

}  // namespace

absl::StatusOr<UniqueFd> ListenOn(const Endpoint& endpoint) {
  socklen_t size = 0;
  const auto address = AbstractAddress(endpoint, &size);
  if (!address.ok()) return address.status();
  auto fd = MakeSocket();
  if (!fd.ok()) return fd;
  if (bind(fd->get(), reinterpret_cast<const sockaddr*>(&*address), size) != 0 ||
      listen(fd->get(), SOMAXCONN) != 0) {
    return absl::InternalError(
        absl::StrCat("cannot listen on a unix socket: ", std::strerror(errno)));
  }
  return fd;
}

absl::StatusOr<UniqueFd> ConnectTo(const Endpoint& endpoint, absl::Time deadline) {
  socklen_t size = 0;
  const auto address = AbstractAddress(endpoint, &size);
  if (!address.ok()) return address.status();
  auto fd = MakeSocket();
  if (!fd.ok()) return fd;
  while (connect(fd->get(), reinterpret_cast<const sockaddr*>(&*address), size) != 0) {
    // A full backlog says EAGAIN, and there is nothing to poll for.
    const bool busy = errno == EAGAIN || errno == EINTR;
    if (!busy || MonotonicNow() >= deadline) return Unreachable(endpoint, std::strerror(errno));
    absl::SleepFor(absl::Milliseconds(1));
  }
  return fd;
}

absl::Status SendHello(int socket, const Hello& hello) {
  return Send(socket, &hello, sizeof hello, {});
}

absl::Status SendWelcome(int socket, const Welcome& welcome, absl::Span<const int> fds) {
  return Send(socket, &welcome, sizeof welcome, fds);
}

absl::StatusOr<Hello> ReceiveHello(int socket) {
  Hello hello;
  const ssize_t got = recv(socket, &hello, sizeof hello, MSG_DONTWAIT);
  if (got != sizeof hello || hello.magic != kMagic) {
    return absl::InvalidArgumentError("the peer does not speak the shm protocol");
  }
  return hello;
}

absl::StatusOr<Welcome> ReceiveWelcome(int socket, std::array<UniqueFd, kPassedFds>& fds) {
  Welcome welcome;
  iovec data = {&welcome, sizeof welcome};
  alignas(cmsghdr) char control[CMSG_SPACE(kPassedFds * sizeof(int))] = {};
  msghdr header = {};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  const ssize_t got = recvmsg(socket, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (got < 0) {
    return absl::UnavailableError(
        absl::StrCat("the shm peer does not answer: ", std::strerror(errno)));
  }

  size_t received = 0;
  for (cmsghdr* part = CMSG_FIRSTHDR(&header); part != nullptr; part = CMSG_NXTHDR(&header, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count && received < kPassedFds; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(part) + i * sizeof(int), sizeof fd);
      fds[received++] = UniqueFd(fd);
    }
  }
  if ((header.msg_flags & MSG_CTRUNC) != 0) {
    return absl::ResourceExhaustedError(
        "this process has too many files open for another queue pair over shm; raise ulimit -n");
  }
  const bool complete = welcome.answer != Welcome::Answer::kAdmitted || received == kPassedFds;
  if (got == 0) return absl::UnavailableError("the shm peer has closed the connection");
  if (got != sizeof welcome || welcome.magic != kMagic || !complete) {
    return absl::InvalidArgumentError("the peer does not speak the shm protocol");
  }
  return welcome;
}

}  // namespace fargraph::transport::shm

#include "common/transport/shm/shm_listener.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "common/monotonic_time.h"
#include "common/status_macros.h"

namespace fargraph::transport::shm {
namespace {

/// How long a peer may take to say hello.
constexpr absl::Duration kGreetingPatience = absl::Seconds(5);
constexpr int kHousekeepingMilliseconds = 1000;

absl::StatusOr<Endpoint> MakeEndpoint() {
  std::array<std::byte, 16> name;
  FARGRAPH_RETURN_IF_ERROR(FillRandom(absl::MakeSpan(name)));
  return absl::StrCat("fargraph-", absl::BytesToHexString(absl::string_view(
                                       reinterpret_cast<const char*>(name.data()), name.size())));
}

absl::StatusOr<UniqueFd> OpenReadOnly(int memfd) {
  UniqueFd fd(open(absl::StrCat("/proc/self/fd/", memfd).c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.valid()) return fd;
  return absl::FailedPreconditionError(
      absl::StrCat("cannot share the key table through /proc/self/fd (is /proc mounted?): ",
                   std::strerror(errno)));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Listener>> ShmListener::Listen(const ListenOptions& options) {
  if (options.memory->fd() < 0) {
    return absl::InvalidArgumentError("the shm transport can only expose shareable memory");
  }
  FARGRAPH_ASSIGN_OR_RETURN(KeyTable keys, KeyTable::Create(options.memory->size()));
  FARGRAPH_ASSIGN_OR_RETURN(UniqueFd key_table_fd, OpenReadOnly(keys.fd()));
  FARGRAPH_ASSIGN_OR_RETURN(Endpoint endpoint, MakeEndpoint());
  FARGRAPH_ASSIGN_OR_RETURN(UniqueFd socket, ListenOn(endpoint));
  UniqueFd wake_fd(eventfd(0, EFD_CLOEXEC));
  if (!wake_fd.valid()) {
    return absl::InternalError(
        absl::StrCat("cannot start an shm listener: ", std::strerror(errno)));
  }
  return std::unique_ptr<Listener>(new ShmListener(options, std::move(keys), std::move(endpoint),
                                                   std::move(socket), std::move(key_table_fd),
                                                   std::move(wake_fd)));
}

ShmListener::ShmListener(const ListenOptions& options, KeyTable keys, Endpoint endpoint,
                         UniqueFd socket, UniqueFd key_table_fd, UniqueFd wake_fd)
    : options_(options),
      keys_(std::move(keys)),
      endpoint_(std::move(endpoint)),
      socket_(std::move(socket)),
      key_table_fd_(std::move(key_table_fd)),
      wake_fd_(std::move(wake_fd)),
      thread_([this] { Serve(); }) {}

ShmListener::~ShmListener() {
  keys_.RetireAll();
  for (const auto& peer : Peers()) Break(*peer);
  // A peer stopped in mid-copy keeps the memory's pages alive by its own mapping.
  AwaitCopies(std::nullopt).IgnoreError();
  eventfd_write(wake_fd_.get(), 1);
  thread_.join();
}

absl::StatusOr<RemoteKey> ShmListener::Expose(uint64_t offset, uint64_t length, Access access) {
  return keys_.Expose(offset, length, access);
}

absl::Status ShmListener::Revoke(const RemoteKey& key) {
  FARGRAPH_RETURN_IF_ERROR(keys_.Retire(key.rkey));
  FARGRAPH_RETURN_IF_ERROR(AwaitCopies(key.rkey));
  keys_.Release(key.rkey);
  return absl::OkStatus();
}

void ShmListener::Disconnect(const Ticket& ticket) {
  for (const auto& peer : Peers()) {
    if (peer->ticket == ticket) Break(*peer);
  }
}

absl::Status ShmListener::AwaitCopies(std::optional<uint64_t> rkey) const {
  const absl::Time deadline = MonotonicNow() + kRevokePatience;
  const std::vector<std::shared_ptr<Peer>> peers = Peers();
  for (const auto& peer : peers) {
    // A copy under another key does not touch what is behind this one; a copy that begins now does
    // not find this one any more.
    bool is_harmless = false;
    const bool ended = peer->page()->copying.AwaitCopyEnd([&] {
      is_harmless = peer->gone.load(std::memory_order_acquire) ||
                    (rkey && peer->page()->rkey.load(std::memory_order_acquire) != *rkey);
      return is_harmless || peer->stopped.load() || MonotonicNow() > deadline;
    });
    if (ended || is_harmless) continue;
    for (const auto& other : peers) {
      if (other->ticket != peer->ticket) continue;
      other->stopped.store(true);
      Break(*other);
    }
    return absl::UnavailableError(
        "cannot revoke a key at once: a process that was stopped in the middle of a copy still "
        "uses the memory; continue or kill it, and revoke again");
  }
  return absl::OkStatus();
}

std::vector<std::shared_ptr<ShmListener::Peer>> ShmListener::Peers() const {
  std::vector<std::shared_ptr<Peer>> admitted;
  absl::MutexLock lock(&mutex_);
  for (const auto& peer : peers_) {
    if (peer->page() != nullptr) admitted.push_back(peer);
  }
  return admitted;
}

void ShmListener::Break(Peer& peer) {
  peer.page()->disconnected.store(1, std::memory_order_release);
  // Any message wakes a sleeping peer. A shutdown would too, but we could no longer tell whether
  // the peer is still there.
  const char wake = 0;
  send(peer.socket.get(), &wake, sizeof wake, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void ShmListener::Serve() {
  for (;;) {
    std::vector<std::shared_ptr<Peer>> peers;
    {
      absl::MutexLock lock(&mutex_);
      peers = peers_;
    }
    std::vector<pollfd> fds = {{wake_fd_.get(), POLLIN, 0}, {socket_.get(), POLLIN, 0}};
    for (const auto& peer : peers) fds.push_back({peer->socket.get(), POLLIN, 0});
    poll(fds.data(), fds.size(), kHousekeepingMilliseconds);

    if (fds[0].revents != 0) break;
    if (fds[1].revents != 0) Accept();
    for (size_t i = 0; i < peers.size(); ++i) {
      const bool greeted = peers[i]->page() != nullptr;
      // A greeted peer sends nothing more: what wakes us is its end.
      const bool keep = fds[2 + i].revents == 0
                            ? greeted || MonotonicNow() - peers[i]->connected_at < kGreetingPatience
                            : !greeted && Greet(*peers[i]);
      if (!keep) Drop(peers[i]);
    }
  }
  absl::MutexLock lock(&mutex_);
  peers_.clear();
}

void ShmListener::Accept() {
  UniqueFd socket(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!socket.valid()) {
    // Do not spin on the waiting peer until descriptors, or memory, are free again.
    if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
      absl::SleepFor(absl::Milliseconds(10));
    return;
  }
  absl::MutexLock lock(&mutex_);
  peers_.push_back(std::make_shared<Peer>(std::move(socket)));
}

bool ShmListener::Greet(Peer& peer) {
  const auto hello = ReceiveHello(peer.socket.get());
  auto page = MappedMemory::Allocate(sizeof(PeerPage), MappedMemory::Sharing::kShareable,
                                     MappedMemory::Pages::kSmall);
  if (!hello.ok() || !page.ok()) return false;
  const int page_fd = page->fd();
  {
    // From here on Revoke and Disconnect count this peer in. A ticket that loses its admission
    // before a Disconnect is caught by the one or by the other.
    absl::MutexLock lock(&mutex_);
    peer.ticket = hello->ticket;
    peer.page_memory = *std::move(page);
  }
  Welcome welcome;
  if (hello->version != kVersion) {
    welcome.answer = Welcome::Answer::kOtherVersion;
  } else if (!options_.admit(hello->ticket)) {
    welcome.answer = Welcome::Answer::kRefused;
  }
  if (welcome.answer != Welcome::Answer::kAdmitted) {
    SendWelcome(peer.socket.get(), welcome, {}).IgnoreError();
    return false;
  }
  const std::array<int, kPassedFds> fds = {options_.memory->fd(), key_table_fd_.get(), page_fd};
  return SendWelcome(peer.socket.get(), welcome, fds).ok();
}

void ShmListener::Drop(const std::shared_ptr<Peer>& peer) {
  peer->gone.store(true, std::memory_order_release);
  absl::MutexLock lock(&mutex_);
  peers_.erase(std::find(peers_.begin(), peers_.end(), peer));
}

}  // namespace fargraph::transport::shm

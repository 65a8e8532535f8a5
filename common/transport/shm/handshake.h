#ifndef FARGRAPH_COMMON_TRANSPORT_SHM_HANDSHAKE_H_
#define FARGRAPH_COMMON_TRANSPORT_SHM_HANDSHAKE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "common/transport/copy_marker.h"
#include "common/transport/transport.h"
#include "common/unique_fd.h"

/// How two processes of one host meet. The listener's endpoint is the name of an abstract unix
/// socket (SOCK_SEQPACKET). The initiator sends a Hello; the listener answers with a Welcome that,
/// when it admits the ticket, carries three file descriptors: the exposed memory, the key table
/// (read-only), and a PeerPage of this queue pair's own. After that the socket
/// stays open so that each side sees the other's end; the listener sends one byte to wake an
/// initiator that it disconnects.
///
/// Once connected, both sides trust each other: the initiator maps all of the memory and keeps to
/// the key table by itself.
namespace fargraph::transport::shm {

inline constexpr uint32_t kMagic = 0x4D534746;  // "FGSM"
inline constexpr uint32_t kVersion = 2;

struct Hello {
  uint32_t magic = kMagic;
  uint32_t version = kVersion;
  Ticket ticket = {};
};

struct Welcome {
  enum class Answer : uint32_t { kAdmitted, kRefused, kOtherVersion };
  uint32_t magic = kMagic;
  uint32_t version = kVersion;
  Answer answer = Answer::kAdmitted;
};

enum PassedFd : size_t { kMemoryFd, kKeyTableFd, kPeerPageFd, kPassedFds };

/// Shared by the two ends of one queue pair.
struct PeerPage {
  CopyMarker copying;                  ///< the initiator's
  std::atomic<uint64_t> rkey;          ///< what `copying` copies under; set before it enters
  std::atomic<uint32_t> disconnected;  ///< set by the listener to break the queue pair
};

/// A socket that listens on the abstract name `endpoint`.
absl::StatusOr<UniqueFd> ListenOn(const Endpoint& endpoint);

/// A socket connected to the listener there. Unavailable when there is none by `deadline`, a moment
/// of MonotonicNow().
absl::StatusOr<UniqueFd> ConnectTo(const Endpoint& endpoint, absl::Time deadline);

/// Sends one message without blocking.
absl::Status SendHello(int socket, const Hello& hello);
absl::Status SendWelcome(int socket, const Welcome& welcome, absl::Span<const int> fds);

/// Takes the message that has arrived. InvalidArgument when it is not one.
absl::StatusOr<Hello> ReceiveHello(int socket);
/// As above; Unavailable when the listener has gone. The descriptors are valid when the answer is
/// kAdmitted.
absl::StatusOr<Welcome> ReceiveWelcome(int socket, std::array<UniqueFd, kPassedFds>& fds);

}  // namespace fargraph::transport::shm

#endif  // FARGRAPH_COMMON_TRANSPORT_SHM_HANDSHAKE_H_

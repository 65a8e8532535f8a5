#ifndef FARGRAPH_COMMON_TRANSPORT_TCP_TARGET_CONNECTION_H_
#define FARGRAPH_COMMON_TRANSPORT_TCP_TARGET_CONNECTION_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/span.h"
#include "common/monotonic_time.h"
#include "common/transport/copy_marker.h"
#include "common/transport/key_table.h"
#include "common/transport/tcp/protocol.h"
#include "common/transport/tcp/segment_list.h"
#include "common/unique_fd.h"

namespace fargraph::transport::tcp {

/// What a listener's connections serve.
struct Exposure {
  absl::Span<std::byte> memory;
  KeyTableView keys;
  std::function<bool(const Ticket&)> admit;
};

/// The target's end of one queue pair: receives requests, gathers replies straight from the exposed
/// memory. One thread serves it; nothing that the peer sends, or does not, makes it block.
class TargetConnection {
 public:
  /// `exposure` must outlive the connection; `socket` is non-blocking.
  TargetConnection(const Exposure& exposure, UniqueFd socket)
      : exposure_(exposure), socket_(std::move(socket)) {}

  int fd() const { return socket_.get(); }
  absl::Time opened_at() const { return opened_at_; }

  /// Whether the peer has shown this ticket. Any thread.
  bool HasTicket(const Ticket& ticket) const {
    return has_ticket_.load(std::memory_order_acquire) && ticket_ == ticket;
  }
  bool admitted() const { return state_ != State::kGreeting; }

  /// Moves on what can be moved without blocking, up to a turn's fair share. `copying` is the
  /// serving thread's. False when the connection is over.
  bool Serve(CopyMarker& copying);

  /// The epoll events on which to call Serve again.
  uint32_t events() const;

 private:
  enum class State : uint8_t {
    kGreeting,  ///< the peer has not been admitted
    kServing,
    kFailed,  ///< the last reply is queued; what the peer sends is thrown away until it hangs up
  };
  struct Reply {
    RequestHeader request;
    bool has_payload = false;  ///< a read that is answered with its bytes, or with zeros once ...
    bool revoked = false;      ///< ... its key has been revoked between its first byte and its last
  };
  struct ReplyHeaders {
    ReplyHeader first;
    ReplyHeader last;
  };

  static constexpr size_t kMaxReplies = 256;
  static constexpr size_t kInboundBytes = 16 << 10;

  bool Greet();
  bool ReceiveRequests(CopyMarker& copying);
  bool SendReplies(CopyMarker& copying);

  /// Receives more into inbound_; false with *over set at the connection's end, or when nothing has
  /// come.
  bool FillInbound(bool* over);
  void Begin(const RequestHeader& request);
  /// False as FillInbound.
  bool ReceivePayload(CopyMarker& copying, bool* over);
  void QueueReply(const RequestHeader& request, Outcome outcome);
  void Fail(const RequestHeader& request, Outcome outcome);
  /// Adds the queued replies from the oldest on; looks their keys up.
  void Gather(SegmentList& segments);
  void StopAtRevoked(uint64_t number);
  void DropSentReplies();
  bool IsAllowed(const RequestHeader& request) const;

  size_t inbound_size() const { return inbound_end_ - inbound_begin_; }
  bool can_take_requests() const {
    return state_ == State::kServing && replies_end_ - replies_begin_ < kMaxReplies;
  }
  Reply& reply(uint64_t number) { return replies_[number % kMaxReplies]; }
  ReplyHeaders& headers(uint64_t number) { return headers_[number % kMaxReplies]; }
  static uint64_t SizeOf(const Reply& reply);

  const Exposure& exposure_;
  const UniqueFd socket_;
  const absl::Time opened_at_ = MonotonicNow();
  Ticket ticket_ = {};
  std::atomic<bool> has_ticket_{false};
  State state_ = State::kGreeting;

  std::array<std::byte, kInboundBytes> inbound_;  ///< received and not yet understood
  size_t inbound_begin_ = 0;
  size_t inbound_end_ = 0;

  RequestHeader write_;        ///< the write whose payload is coming in
  uint64_t payload_left_ = 0;  ///< bytes of it still to come

  std::array<Reply, kMaxReplies> replies_;  ///< a ring, like headers_
  std::array<ReplyHeaders, kMaxReplies> headers_;
  uint64_t replies_begin_ = 0;  ///< number of the oldest reply not sent to its end
  uint64_t replies_end_ = 0;
  uint64_t sent_bytes_ = 0;  ///< of the oldest reply
};

}  // namespace fargraph::transport::tcp

#endif  // FARGRAPH_COMMON_TRANSPORT_TCP_TARGET_CONNECTION_H_

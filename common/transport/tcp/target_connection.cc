#include "common/transport/tcp/target_connection.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace fargraph::transport::tcp {
namespace {

/// What one connection may move before the others have their turn.
constexpr uint64_t kBytesPerTurn = 2 << 20;

/// Stands in for bytes that may not be read any more.
constexpr std::array<std::byte, 64 << 10> kZeros = {};

bool WouldBlock() { return errno == EAGAIN || errno == EINTR; }

/// Makes a revocation wait for what the scope does to exposed memory.
class CopyScope {
 public:
  explicit CopyScope(CopyMarker& marker) : marker_(marker) { marker_.Enter(); }
  ~CopyScope() { marker_.Leave(); }
  CopyScope(const CopyScope&) = delete;
  CopyScope& operator=(const CopyScope&) = delete;

 private:
  CopyMarker& marker_;
};

}  // namespace

bool TargetConnection::Serve(CopyMarker& copying) {
  if (state_ == State::kGreeting && !Greet()) return false;
  if (state_ == State::kGreeting) return true;
  return ReceiveRequests(copying) && SendReplies(copying);
}

uint32_t TargetConnection::events() const {
  // Requests that were received already, but not taken for want of room for their replies, have no
  // event of their own; the next chance to send stands in for it.
  const bool has_work = replies_begin_ < replies_end_ ||
                        (can_take_requests() && inbound_size() >= sizeof(RequestHeader));
  const bool wants_input = state_ != State::kServing || can_take_requests();
  return (wants_input ? EPOLLIN : 0u) | (has_work ? EPOLLOUT : 0u);
}

bool TargetConnection::Greet() {
  bool over = false;
  while (inbound_size() < sizeof(Hello)) {
    if (!FillInbound(&over)) return !over;
  }
  Hello hello;
  std::memcpy(&hello, inbound_.data() + inbound_begin_, sizeof hello);
  inbound_begin_ += sizeof hello;
  if (hello.magic != kHelloMagic) return false;

  // The ticket is published first: whoever withdraws its admission and then disconnects it, does
  // the one before `admit` or the other after.
  ticket_ = hello.ticket;
  has_ticket_.store(true, std::memory_order_release);
  Welcome welcome;
  if (hello.version != kVersion) {
    welcome.answer = Answer::kOtherVersion;
  } else if (!exposure_.admit(hello.ticket)) {
    welcome.answer = Answer::kRefused;
  }
  // The first bytes on a new connection: there is room for them.
  const bool sent = send(fd(), &welcome, sizeof welcome, MSG_NOSIGNAL) == sizeof welcome;
  state_ = State::kServing;
  return sent && welcome.answer == Answer::kAdmitted;
}

bool TargetConnection::FillInbound(bool* over) {
  std::memmove(inbound_.data(), inbound_.data() + inbound_begin_, inbound_size());
  inbound_end_ -= std::exchange(inbound_begin_, 0);
  const ssize_t got =
      recv(fd(), inbound_.data() + inbound_end_, inbound_.size() - inbound_end_, MSG_DONTWAIT);
  *over = got == 0 || (got < 0 && !WouldBlock());
  if (got <= 0) return false;
  inbound_end_ += got;
  return true;
}

bool TargetConnection::ReceiveRequests(CopyMarker& copying) {
  bool over = false;
  bool has_drained = false;  // the socket, as far as we know
  for (uint64_t budget = kBytesPerTurn / SegmentList::kMaxBytes; budget > 0;) {
    if (state_ == State::kFailed) {
      inbound_begin_ = inbound_end_ = 0;
      return FillInbound(&over) || !over;
    }
    if (payload_left_ > 0) {
      if (!ReceivePayload(copying, &over)) return !over;
      --budget;
    } else if (!can_take_requests()) {
      return true;
    } else if (inbound_size() < sizeof(RequestHeader)) {
      if (has_drained || !FillInbound(&over)) return !over;
      has_drained = inbound_end_ < inbound_.size();
    } else {
      RequestHeader request;
      std::memcpy(&request, inbound_.data() + inbound_begin_, sizeof request);
      inbound_begin_ += sizeof request;
      Begin(request);
    }
  }
  return true;
}

void TargetConnection::Begin(const RequestHeader& request) {
  if (!IsValid(request)) {
    Fail(request, Outcome::kInvalidRequest);
  } else if (!IsAllowed(request)) {
    Fail(request, Outcome::kAccessError);
  } else if (request.operation == Operation::kRead) {
    QueueReply(request, Outcome::kDone);
  } else {
    write_ = request;
    payload_left_ = request.length;
  }
}

bool TargetConnection::ReceivePayload(CopyMarker& copying, bool* over) {
  const CopyScope scope(copying);
  if (!IsAllowed(write_)) {
    payload_left_ = 0;
    Fail(write_, Outcome::kAccessError);
    return true;
  }
  std::byte* destination =
      exposure_.memory.data() + write_.address + (write_.length - payload_left_);
  uint64_t taken = std::min<uint64_t>(inbound_size(), payload_left_);
  if (taken > 0) {
    std::memcpy(destination, inbound_.data() + inbound_begin_, taken);
    inbound_begin_ += taken;
  } else {
    const ssize_t got =
        recv(fd(), destination, std::min(payload_left_, SegmentList::kMaxBytes), MSG_DONTWAIT);
    *over = got == 0 || (got < 0 && !WouldBlock());
    if (got <= 0) return false;
    taken = got;
  }
  payload_left_ -= taken;
  if (payload_left_ == 0) QueueReply(write_, Outcome::kDone);
  return true;
}

void TargetConnection::QueueReply(const RequestHeader& request, Outcome outcome) {
  const uint64_t number = replies_end_++;
  reply(number) = {
      .request = request,
      .has_payload = outcome == Outcome::kDone && request.operation == Operation::kRead};
  headers(number) = {.first = {.outcome = outcome, .length = request.length},
                     .last = {.outcome = outcome, .length = request.length}};
}

void TargetConnection::Fail(const RequestHeader& request, Outcome outcome) {
  QueueReply(request, outcome);
  state_ = State::kFailed;
}

bool TargetConnection::SendReplies(CopyMarker& copying) {
  for (uint64_t budget = kBytesPerTurn / SegmentList::kMaxBytes;
       budget > 0 && replies_begin_ < replies_end_; --budget) {
    const CopyScope scope(copying);
    SegmentList segments(sent_bytes_);
    Gather(segments);
    const msghdr message = segments.Message();
    const ssize_t sent = sendmsg(fd(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0) return WouldBlock();
    sent_bytes_ += sent;
    DropSentReplies();
    if (static_cast<uint64_t>(sent) < segments.bytes()) break;
  }
  return true;
}

void TargetConnection::Gather(SegmentList& segments) {
  for (uint64_t number = replies_begin_; number < replies_end_ && !segments.full(); ++number) {
    if (reply(number).has_payload && !IsAllowed(reply(number).request)) StopAtRevoked(number);
    const Reply& next = reply(number);
    const ReplyHeaders& enclosing = headers(number);
    segments.Add(&enclosing.first, sizeof enclosing.first);
    if (!next.has_payload) continue;
    bool complete = true;
    if (next.revoked) {
      for (uint64_t left = next.request.length; left > 0 && complete;) {
        const uint64_t piece = std::min<uint64_t>(left, kZeros.size());
        complete = segments.Add(kZeros.data(), piece);
        left -= piece;
      }
    } else {
      complete = segments.Add(exposure_.memory.data() + next.request.address, next.request.length);
    }
    if (complete) segments.Add(&enclosing.last, sizeof enclosing.last);
  }
}

void TargetConnection::StopAtRevoked(uint64_t number) {
  // Where the first header has gone out, its promise of bytes is kept with zeros, and taken back
  // by the last.
  const bool promised = number == replies_begin_ && sent_bytes_ > 0;
  reply(number).revoked = promised;
  reply(number).has_payload = promised;
  (promised ? headers(number).last : headers(number).first).outcome = Outcome::kAccessError;
  replies_end_ = number + 1;
  payload_left_ = 0;
  state_ = State::kFailed;
}

void TargetConnection::DropSentReplies() {
  while (replies_begin_ < replies_end_ && sent_bytes_ >= SizeOf(reply(replies_begin_))) {
    sent_bytes_ -= SizeOf(reply(replies_begin_++));
  }
}

uint64_t TargetConnection::SizeOf(const Reply& reply) {
  return reply.has_payload ? 2 * sizeof(ReplyHeader) + reply.request.length : sizeof(ReplyHeader);
}

bool TargetConnection::IsAllowed(const RequestHeader& request) const {
  const auto opcode = request.operation == Operation::kRead ? WorkRequest::Opcode::kRead
                                                            : WorkRequest::Opcode::kWrite;
  return exposure_.keys.Allows(request.rkey, request.address, request.length, opcode);
}

}  // namespace fargraph::transport::tcp

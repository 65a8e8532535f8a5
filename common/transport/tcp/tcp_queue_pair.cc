#include "common/transport/tcp/tcp_queue_pair.h"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "common/monotonic_time.h"
#include "common/transport/tcp/segment_list.h"

namespace fargraph::transport::tcp {
namespace {

/// One Poll stops after so much, so that what it hands out is still in the processor's cache.
constexpr uint64_t kBytesPerPoll = 1 << 20;

bool IsRead(const WorkRequest& request) { return request.opcode == WorkRequest::Opcode::kRead; }

uint64_t RequestSize(const WorkRequest& request) {
  return sizeof(RequestHeader) + (IsRead(request) ? 0 : request.length);
}

uint64_t ReplySize(const WorkRequest& request) {
  return IsRead(request) ? 2 * sizeof(ReplyHeader) + request.length : sizeof(ReplyHeader);
}

RequestHeader Encode(const WorkRequest& request) {
  return {.operation = IsRead(request) ? Operation::kRead : Operation::kWrite,
          .length = static_cast<uint32_t>(request.length),
          .address = request.remote_address,
          .rkey = request.rkey};
}

}  // namespace

TcpQueuePair::TcpQueuePair(UniqueFd socket, const LocalMemoryTable& local_memory,
                           CompletionQueue& completion_queue, size_t capacity,
                           absl::Duration silence_limit)
    : PolledQueuePair(local_memory, completion_queue, capacity),
      socket_(std::move(socket)),
      silence_limit_(silence_limit),
      headers_(capacity),
      replies_(capacity) {}

void TcpQueuePair::OnPost() {
  for (; encoded_ < ring().posted(); ++encoded_) {
    headers_[ring().SlotOf(encoded_)] = Encode(ring()[encoded_]);
  }
  if (Send()) still_since_ = absl::InfiniteFuture();
}

void TcpQueuePair::Advance(size_t limit) {
  const bool sent = Send();
  const bool received = Receive(limit);
  FailIfSilent(sent || received);
}

bool TcpQueuePair::Send() {
  bool moved = false;
  while (can_send_ && sending_ < ring().posted()) {
    SegmentList segments(sent_bytes_);
    for (uint64_t number = sending_; number < ring().posted() && !segments.full(); ++number) {
      const WorkRequest& request = ring()[number];
      segments.Add(&headers_[ring().SlotOf(number)], sizeof(RequestHeader));
      if (!IsRead(request)) segments.Add(request.local_address, request.length);
    }
    const msghdr message = segments.Message();
    const ssize_t sent = sendmsg(socket_.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0) {
      // A broken connection shows when receiving, behind the replies that have still come.
      if (errno != EAGAIN && errno != EINTR) can_send_ = false;
      break;
    }
    moved = true;
    sent_bytes_ += sent;
    while (sending_ < ring().posted() && sent_bytes_ >= RequestSize(ring()[sending_])) {
      sent_bytes_ -= RequestSize(ring()[sending_++]);
    }
    if (static_cast<uint64_t>(sent) < segments.bytes()) break;
  }
  return moved;
}

bool TcpQueuePair::Receive(size_t limit) {
  const uint64_t stop = ring().finished() + limit;
  uint64_t total = 0;
  while (ring().has_pending() && ring().finished() < stop && total < kBytesPerPoll) {
    SegmentList segments(received_bytes_);
    for (uint64_t number = ring().finished(); number < ring().posted() && !segments.full();
         ++number) {
      const WorkRequest& request = ring()[number];
      ReplyHeaders& reply = replies_[ring().SlotOf(number)];
      segments.Add(&reply.first, sizeof reply.first);
      if (!IsRead(request)) continue;
      if (segments.Add(request.local_address, request.length)) {
        segments.Add(&reply.last, sizeof reply.last);
      }
    }
    msghdr message = segments.Message();
    const ssize_t received = recvmsg(socket_.get(), &message, MSG_DONTWAIT);
    if (received < 0 && (errno == EAGAIN || errno == EINTR)) break;
    if (received <= 0) {
      ring().Fail(CompletionStatus::kRetryExceeded);
      break;
    }
    total += received;
    received_bytes_ += received;
    Settle();
    if (static_cast<uint64_t>(received) < segments.bytes()) break;
  }
  return total > 0;
}

void TcpQueuePair::Settle() {
  while (ring().has_pending() && received_bytes_ >= sizeof(ReplyHeader)) {
    const uint64_t number = ring().finished();
    const WorkRequest& request = ring()[number];
    const ReplyHeaders& reply = replies_[ring().SlotOf(number)];
    const bool complete = received_bytes_ >= ReplySize(request);
    Outcome outcome = reply.first.outcome;
    bool sound = reply.first.length == request.length && number < sending_;
    if (complete && IsRead(request) && outcome == Outcome::kDone) {
      outcome = reply.last.outcome;
      sound = sound && reply.last.length == request.length;
    }
    if (outcome != Outcome::kDone || !sound) {
      ring().Fail(outcome == Outcome::kAccessError ? CompletionStatus::kRemoteAccessError
                                                   : CompletionStatus::kRetryExceeded);
      return;
    }
    if (!complete) return;
    received_bytes_ -= ReplySize(request);
    ring().Finish();
  }
}

void TcpQueuePair::FailIfSilent(bool moved) {
  if (moved || !ring().has_pending()) {
    still_since_ = absl::InfiniteFuture();
    return;
  }
  const absl::Time now = MonotonicNow();
  if (still_since_ == absl::InfiniteFuture()) still_since_ = now;
  if (now - still_since_ > silence_limit_) ring().Fail(CompletionStatus::kRetryExceeded);
}

pollfd TcpQueuePair::WaitFor() const {
  const bool unsent = can_send_ && sending_ < ring().posted();
  return {.fd = socket_.get(),
          .events = static_cast<short>(unsent ? POLLIN | POLLOUT : POLLIN),
          .revents = 0};
}

void TcpQueuePair::CheckPeer() {
  if (ring().has_pending()) return;  // Poll receives, and meets the end of the connection
  // Nothing has been asked for, so all that can have come is the connection's end.
  char byte;
  const ssize_t got = recv(socket_.get(), &byte, sizeof byte, MSG_PEEK | MSG_DONTWAIT);
  if (got >= 0 || (errno != EAGAIN && errno != EINTR)) {
    ring().Fail(CompletionStatus::kRetryExceeded);
  }
}

}  // namespace fargraph::transport::tcp

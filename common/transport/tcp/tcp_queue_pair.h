#ifndef FARGRAPH_COMMON_TRANSPORT_TCP_TCP_QUEUE_PAIR_H_
#define FARGRAPH_COMMON_TRANSPORT_TCP_TCP_QUEUE_PAIR_H_

#include <cstdint>
#include <vector>

#include "absl/time/time.h"
#include "common/transport/polled_queue.h"
#include "common/transport/tcp/protocol.h"
#include "common/unique_fd.h"

namespace fargraph::transport::tcp {

/// One connection. Requests leave in batches when they are posted and, where the socket is full,
/// when the queue is polled; replies are received straight into the requests' local memory.
class TcpQueuePair final : public PolledQueuePair {
 public:
  /// `socket` is connected and admitted. The peer counts as dead when requests are outstanding and
  /// nothing moves for `silence_limit`, while somebody polls.
  TcpQueuePair(UniqueFd socket, const LocalMemoryTable& local_memory,
               CompletionQueue& completion_queue, size_t capacity, absl::Duration silence_limit);

 private:
  /// The two headers that enclose a read's bytes; a write has the first alone. They lie next to
  /// each other so that the last of one request and the first of the next are received as one.
  struct ReplyHeaders {
    ReplyHeader first;
    ReplyHeader last;
  };

  void OnPost() override;
  void Advance(size_t limit) override;
  bool CanAdvance() const override { return false; }
  pollfd WaitFor() const override;
  void CheckPeer() override;

  /// Sends what the socket takes; true if anything moved.
  bool Send();
  /// Receives what has come, for about `limit` requests; true if anything moved.
  bool Receive(size_t limit);
  /// Finishes the requests whose replies are complete.
  void Settle();
  void FailIfSilent(bool moved);

  const UniqueFd socket_;
  const absl::Duration silence_limit_;
  std::vector<RequestHeader> headers_;  ///< by the request's slot
  std::vector<ReplyHeaders> replies_;   ///< by the request's slot
  uint64_t encoded_ = 0;                ///< number of the first request without a header
  uint64_t sending_ = 0;                ///< number of the first request not sent to its end
  uint64_t sent_bytes_ = 0;             ///< of that request
  uint64_t received_bytes_ = 0;         ///< of the first pending request's reply
  bool can_send_ = true;
  absl::Time still_since_ = absl::InfiniteFuture();  ///< when a Poll first found nothing moving
};

}  // namespace fargraph::transport::tcp

#endif  // FARGRAPH_COMMON_TRANSPORT_TCP_TCP_QUEUE_PAIR_H_

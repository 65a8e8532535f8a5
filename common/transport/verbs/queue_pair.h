#ifndef FARGRAPH_COMMON_TRANSPORT_VERBS_QUEUE_PAIR_H_
#define FARGRAPH_COMMON_TRANSPORT_VERBS_QUEUE_PAIR_H_

#include <infiniband/verbs.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "common/transport/transport.h"
#include "common/transport/verbs/completion_queue.h"
#include "common/transport/verbs/handles.h"
#include "common/transport/verbs/in_flight.h"
#include "common/transport/verbs/local_regions.h"

namespace fargraph::transport::verbs {

/// The initiator's side of a reliable connection. One thread, but for OnDisconnected and
/// OnDeviceLost.
class VerbsQueuePair final : public QueuePair {
 public:
  /// Of the requests that succeed, the hardware reports every kSignalPeriod-th and the last of each
  /// batch.
  static constexpr size_t kSignalPeriod = 16;

  struct Shape {
    size_t capacity = 0;            ///< requests
    uint64_t max_piece_bytes = 0;   ///< longer requests are split into several work requests
    size_t pieces_per_request = 0;  ///< of the longest request
    uint8_t read_depth = 0;         ///< reads that the hardware keeps outstanding

    /// Work requests of all that is outstanding: the capacity in short requests, or one long one.
    size_t work_requests() const { return std::max(capacity, pieces_per_request); }
    /// What the hardware queue has to hold: these, and a nudge.
    size_t queue_depth() const { return work_requests() + 1; }
  };

  /// Takes over an established connection whose queue pair reports to `completion_queue`.
  /// `connection`'s context is set to the new object.
  VerbsQueuePair(CmId connection, Endpoint peer, const Shape& shape,
                 const LocalRegions& local_regions, VerbsCompletionQueue& completion_queue);
  ~VerbsQueuePair() override;
  VerbsQueuePair(const VerbsQueuePair&) = delete;
  VerbsQueuePair& operator=(const VerbsQueuePair&) = delete;

  /// Migrates the connection to `channel`, whose reader calls OnDisconnected and OnDeviceLost.
  absl::Status ReportEventsTo(rdma_event_channel* channel);

  absl::StatusOr<size_t> Post(absl::Span<const WorkRequest> requests) override;
  size_t outstanding() const override { return in_flight_.outstanding(); }
  size_t capacity() const override { return in_flight_.capacity(); }

  uint32_t number() const { return number_; }
  size_t queue_depth() const { return shape_.queue_depth(); }
  uint8_t read_depth() const { return shape_.read_depth; }
  /// How many successes the hardware has reported; the others were inferred.
  uint64_t signals() const { return signals_; }

  bool HasFinished();
  size_t TakeFinished(absl::Span<Completion> completions);
  void OnWorkCompletion(const ibv_wc& work_completion);

  /// To be called after every second of waiting in which the hardware has reported nothing. Posts a
  /// nudge, unless one is outstanding or nothing else is: a write of no bytes, which rings the
  /// doorbell once more. Soft-RoCE forgets to go on with the next work request where the last
  /// answer comes just as it decides to wait for it, and runs no timer then, for all that it has
  /// sent is answered (rxe_req.c and rxe_comp.c in Linux 6.1, `wait_psn`). After a minute the
  /// device counts as gone.
  void OnSilence();

  /// The peer has gone: what is outstanding, and what is posted from now on, will be flushed. Any
  /// thread may call.
  void OnDisconnected();
  /// The device has gone, and reports nothing any more: what is outstanding fails when the queue
  /// pair's thread looks the next time. Any thread may call.
  void OnDeviceLost();

 private:
  /// Has what is outstanding fail at the next look.
  void GiveUp(absl::string_view why);
  /// Fails what is outstanding if the device has gone.
  void NoticeLoss();
  void Nudge();
  absl::Status Broken() const;
  absl::Status Check(absl::Span<const WorkRequest> requests);
  /// Work requests that `request` takes.
  size_t PiecesOf(const WorkRequest& request) const;
  /// Fills the chain from element `used` on with the pieces of a request; returns how many elements
  /// are used then.
  size_t Chain(const WorkRequest& request, uint64_t number, size_t used);
  /// Posts the first `used` elements; returns how many the hardware has taken, or may have. An
  /// error breaks the queue pair.
  size_t RingDoorbell(size_t used);

  const Endpoint peer_;
  const Shape shape_;
  VerbsCompletionQueue& completion_queue_;
  LocalRegionChecker local_regions_;
  InFlight in_flight_;
  bool broken_ = false;  ///< a completion or a post has said so, or the device has gone
  uint64_t signals_ = 0;
  std::atomic<bool> lost_{false};  ///< the device has gone

  /// Work requests linked into one chain, each with its scatter entry.
  std::vector<ibv_send_wr> chain_;
  std::vector<ibv_sge> scatter_;
  size_t unsignalled_ = 0;  ///< since the last signalled one
  bool nudging_ = false;    ///< a nudge is outstanding
  int silent_seconds_ = 0;  ///< with requests outstanding, since the hardware's last report

  absl::Mutex mutex_;
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;
  /// After what OnDisconnected uses: its destruction waits until that has returned.
  CmId connection_;
  const uint32_t number_;
};

}  // namespace fargraph::transport::verbs

#endif  // FARGRAPH_COMMON_TRANSPORT_VERBS_QUEUE_PAIR_H_

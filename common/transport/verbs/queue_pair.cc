#include "common/transport/verbs/queue_pair.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "common/transport/verbs/errors.h"
#include "glog/logging.h"

namespace fargraph::transport::verbs {
namespace {

/// The wr_id of a nudge. No request has this number.
constexpr uint64_t kNudge = ~uint64_t{0};

/// Many threads that share a slow link wait for seconds.
constexpr int kMostSilentSeconds = 60;

ibv_wr_opcode HardwareOpcode(WorkRequest::Opcode opcode) {
  return opcode == WorkRequest::Opcode::kRead ? IBV_WR_RDMA_READ : IBV_WR_RDMA_WRITE;
}

CompletionStatus FailureOf(ibv_wc_status status) {
  switch (status) {
    case IBV_WC_REM_ACCESS_ERR:
    case IBV_WC_REM_INV_REQ_ERR:
    case IBV_WC_REM_INV_RD_REQ_ERR:
    case IBV_WC_REM_OP_ERR:
    case IBV_WC_REM_ABORT_ERR:
      return CompletionStatus::kRemoteAccessError;
    case IBV_WC_RETRY_EXC_ERR:
    case IBV_WC_RNR_RETRY_EXC_ERR:
    case IBV_WC_RESP_TIMEOUT_ERR:
      return CompletionStatus::kRetryExceeded;
    default:
      return CompletionStatus::kFlushed;
  }
}

}  // namespace

VerbsQueuePair::VerbsQueuePair(CmId connection, Endpoint peer, const Shape& shape,
                               const LocalRegions& local_regions,
                               VerbsCompletionQueue& completion_queue)
    : peer_(std::move(peer)),
      shape_(shape),
      completion_queue_(completion_queue),
      local_regions_(local_regions),
      in_flight_(shape.capacity, shape.work_requests()),
      chain_(shape.work_requests()),
      scatter_(chain_.size()),
      connection_(std::move(connection)),
      number_(connection_->qp->qp_num) {
  for (size_t i = 0; i < chain_.size(); ++i) {
    chain_[i].sg_list = &scatter_[i];
    chain_[i].num_sge = 1;
    chain_[i].next = i + 1 < chain_.size() ? &chain_[i + 1] : nullptr;
  }
  connection_->context = this;
  completion_queue_.Add(*this);
}

VerbsQueuePair::~VerbsQueuePair() {
  {
    absl::MutexLock lock(&mutex_);
    closing_ = true;
  }
  rdma_disconnect(connection_.get());
  rdma_destroy_qp(connection_.get());
  completion_queue_.Remove(*this);
}

absl::Status VerbsQueuePair::ReportEventsTo(rdma_event_channel* channel) {
  if (rdma_migrate_id(connection_.get(), channel) == 0) return absl::OkStatus();
  return VerbsError(absl::StrCat("watch the RDMA connection to ", peer_), errno);
}

absl::StatusOr<size_t> VerbsQueuePair::Post(absl::Span<const WorkRequest> requests) {
  NoticeLoss();
  if (broken_) return Broken();
  // Callers offer what there was no room for again and again.
  const size_t room = std::min(requests.size(), in_flight_.room());
  FARGRAPH_RETURN_IF_ERROR(Check(requests.first(room)));

  const uint64_t first = in_flight_.posted();
  size_t used = 0;
  for (size_t i = 0; i < room; ++i) {
    if (used + PiecesOf(requests[i]) > in_flight_.work_request_room()) break;
    used = Chain(requests[i], first + i, used);
  }
  const size_t taken = used > 0 ? RingDoorbell(used) : 0;
  const size_t accepted = taken > 0 ? chain_[taken - 1].wr_id - first + 1 : 0;
  for (const WorkRequest& request : requests.first(accepted)) {
    in_flight_.Push(request.wr_id, PiecesOf(request));
  }
  if (broken_) {
    // Of a request cut in half the device reports nothing, or that it has arrived.
    OnDisconnected();
    in_flight_.FailRest(CompletionStatus::kRetryExceeded);
    if (accepted == 0) return Broken();
  }
  return accepted;
}

absl::Status VerbsQueuePair::Broken() const {
  return absl::UnavailableError(
      absl::StrCat("the RDMA connection to ", peer_, " is broken; connect again"));
}

absl::Status VerbsQueuePair::Check(absl::Span<const WorkRequest> requests) {
  for (const WorkRequest& request : requests) {
    if (request.length == 0 || request.length > kMaxRequestBytes) {
      return absl::InvalidArgumentError(absl::StrCat("a request of ", request.length,
                                                     " bytes is not possible; 1 to ",
                                                     kMaxRequestBytes, " are"));
    }
    if (!local_regions_.Contains(request.lkey, request.local_address, request.length)) {
      return absl::InvalidArgumentError(
          absl::StrCat("the local memory of a request of ", request.length,
                       " bytes does not lie in the memory region that its lkey names"));
    }
  }
  return absl::OkStatus();
}

size_t VerbsQueuePair::PiecesOf(const WorkRequest& request) const {
  if (request.length <= shape_.max_piece_bytes) return 1;
  return (request.length + shape_.max_piece_bytes - 1) / shape_.max_piece_bytes;
}

size_t VerbsQueuePair::Chain(const WorkRequest& request, uint64_t number, size_t used) {
  for (uint64_t offset = 0; offset < request.length; offset += shape_.max_piece_bytes) {
    scatter_[used].addr = reinterpret_cast<uintptr_t>(request.local_address) + offset;
    scatter_[used].length =
        static_cast<uint32_t>(std::min(request.length - offset, shape_.max_piece_bytes));
    scatter_[used].lkey = request.lkey;

    ibv_send_wr& element = chain_[used];
    element.wr_id = number;
    element.opcode = HardwareOpcode(request.opcode);
    element.send_flags = 0;
    element.wr.rdma.remote_addr = request.remote_address + offset;
    element.wr.rdma.rkey = static_cast<uint32_t>(request.rkey);
    ++used;
  }
  // A report about the last piece says that the whole request has arrived.
  if (++unsignalled_ == kSignalPeriod) {
    chain_[used - 1].send_flags = IBV_SEND_SIGNALED;
    unsignalled_ = 0;
  }
  return used;
}

size_t VerbsQueuePair::RingDoorbell(size_t used) {
  ibv_send_wr& last = chain_[used - 1];
  ibv_send_wr* const behind = std::exchange(last.next, nullptr);
  last.send_flags = IBV_SEND_SIGNALED;
  unsignalled_ = 0;
  ibv_send_wr* rejected = nullptr;
  const int error = ibv_post_send(connection_->qp, chain_.data(), &rejected);
  last.next = behind;
  if (error == 0) return used;
  LOG(WARNING) << "The RDMA connection to " << peer_
               << " broke: cannot post work requests: " << std::strerror(error);
  broken_ = true;
  return rejected == nullptr ? used : static_cast<size_t>(rejected - chain_.data());
}

bool VerbsQueuePair::HasFinished() {
  NoticeLoss();
  return in_flight_.HasFinished();
}

size_t VerbsQueuePair::TakeFinished(absl::Span<Completion> completions) {
  NoticeLoss();
  return in_flight_.Take(completions);
}

void VerbsQueuePair::NoticeLoss() {
  if (!lost_.load(std::memory_order_relaxed)) return;
  in_flight_.FailRest(broken_ ? CompletionStatus::kFlushed : CompletionStatus::kRetryExceeded);
  broken_ = true;
}

void VerbsQueuePair::OnSilence() {
  if (broken_ || !in_flight_.HasUnfinished()) return;
  if (++silent_seconds_ > kMostSilentSeconds) {
    GiveUp("this host's device has reported nothing for a minute");
  } else if (!nudging_) {
    Nudge();
  }
}

void VerbsQueuePair::Nudge() {
  ibv_send_wr nudge = {};
  nudge.wr_id = kNudge;
  nudge.opcode = IBV_WR_RDMA_WRITE;
  nudge.send_flags = IBV_SEND_SIGNALED;
  ibv_send_wr* rejected = nullptr;
  nudging_ = ibv_post_send(connection_->qp, &nudge, &rejected) == 0;
}

void VerbsQueuePair::OnWorkCompletion(const ibv_wc& work_completion) {
  silent_seconds_ = 0;
  if (work_completion.wr_id == kNudge) {
    nudging_ = false;
    return;
  }
  if (work_completion.status == IBV_WC_SUCCESS) {
    ++signals_;
    in_flight_.Succeed(work_completion.wr_id);
    return;
  }
  CompletionStatus failure = FailureOf(work_completion.status);
  if (!broken_) {
    LOG(WARNING) << "The RDMA connection to " << peer_
                 << " broke: " << ibv_wc_status_str(work_completion.status);
    // Flushed without a failed request before it: the peer has disconnected.
    if (work_completion.status == IBV_WC_WR_FLUSH_ERR) failure = CompletionStatus::kRetryExceeded;
    broken_ = true;
  }
  in_flight_.Fail(work_completion.wr_id, failure);
}

void VerbsQueuePair::OnDisconnected() {
  absl::MutexLock lock(&mutex_);
  if (!closing_) rdma_disconnect(connection_.get());
}

void VerbsQueuePair::OnDeviceLost() { GiveUp("this host's device has gone"); }

void VerbsQueuePair::GiveUp(absl::string_view why) {
  LOG(WARNING) << "The RDMA connection to " << peer_ << " broke: " << why;
  OnDisconnected();
  lost_.store(true, std::memory_order_relaxed);
}

}  // namespace fargraph::transport::verbs

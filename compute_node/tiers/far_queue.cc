#include "compute_node/tiers/far_queue.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "compute_node/tiers/far_memory.h"
#include "compute_node/tiers/far_space.h"
#include "graph/striping/stripes.h"

namespace fargraph {
namespace {

using transport::Completion;
using transport::CompletionStatus;
using transport::WorkRequest;

/// A request carries its node and its tag through the transport.
uint64_t MakeWrId(size_t node, uint32_t tag) { return uint64_t{node} << 32 | tag; }
size_t NodeOf(uint64_t wr_id) { return wr_id >> 32; }
uint32_t TagOf(uint64_t wr_id) { return static_cast<uint32_t>(wr_id); }

}  // namespace

FarQueue::FarQueue(const FarMemory& memory, uint32_t lkey, uint32_t tags, uint32_t queue_pairs)
    : memory_(memory),
      lkey_(lkey),
      queue_pairs_(queue_pairs),
      requests_left_(tags),
      published_bytes_(memory.traffic_->AddCounter()) {}

absl::Status FarQueue::Submit(absl::Span<const Extent> extents, uint32_t tag) {
  return Enqueue(WorkRequest::Opcode::kRead, extents, tag);
}

absl::Status FarQueue::SubmitWrite(absl::Span<const Extent> extents, uint32_t tag) {
  return Enqueue(WorkRequest::Opcode::kWrite, extents, tag);
}

absl::Status FarQueue::Enqueue(WorkRequest::Opcode opcode, absl::Span<const Extent> extents,
                               uint32_t tag) {
  assert(requests_left_[tag] == 0 && !extents.empty());
  for (const Extent& extent : extents) {
    const FarMemory::Segment& segment = memory_.segments_[SegmentOf(extent.address)];
    const uint64_t begin = OffsetOf(extent.address);
    for (uint64_t done = 0; done < extent.length;) {
      const uint64_t most = std::min(extent.length - done, transport::kMaxRequestBytes);
      const StripeRun run = FirstRun(begin + done, most, segment.parts.size());
      const FarMemory::Part& part = segment.parts[run.part];
      channels_[NextChannelTo(part.node)].requests.push_back(
          {.opcode = opcode,
           .local_address = extent.destination + done,
           .length = run.length,
           .lkey = lkey_,
           .remote_address = part.region.key.address + run.offset,
           .rkey = part.region.key.rkey,
           .wr_id = MakeWrId(part.node, tag)});
      ++requests_left_[tag];
      done += run.length;
    }
    traffic_.bytes += extent.length;
  }
  traffic_.requests += requests_left_[tag];
  published_bytes_->store(traffic_.bytes, std::memory_order_relaxed);
  ++in_flight_;
  return absl::OkStatus();
}

size_t FarQueue::NextChannelTo(size_t node) {
  if (++turn_ >= queue_pairs_) turn_ = 0;
  return node * queue_pairs_ + turn_;
}

absl::Status FarQueue::PostWaiting() {
  for (Channel& channel : channels_) {
    if (channel.posted == channel.requests.size()) continue;
    const absl::StatusOr<size_t> accepted =
        channel.queue_pair->Post(absl::MakeConstSpan(channel.requests).subspan(channel.posted));
    if (!accepted.ok()) return NodeFailed(channel.node, accepted.status().message());
    channel.posted += *accepted;
    if (2 * channel.posted >= channel.requests.size()) {  // seldom enough to cost nothing
      channel.requests.erase(channel.requests.begin(), channel.requests.begin() + channel.posted);
      channel.posted = 0;
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<size_t> FarQueue::Poll(absl::Span<uint32_t> tags) {
  assert(tags.size() >= requests_left_.size());
  FARGRAPH_RETURN_IF_ERROR(PostWaiting());
  size_t done = 0;
  const size_t count = completion_queue_->Poll(absl::MakeSpan(completions_));
  for (const Completion& completion : absl::MakeConstSpan(completions_).first(count)) {
    if (completion.status != CompletionStatus::kSuccess) {
      return NodeFailed(NodeOf(completion.wr_id),
                        transport::CompletionStatusName(completion.status));
    }
    if (--requests_left_[TagOf(completion.wr_id)] == 0) tags[done++] = TagOf(completion.wr_id);
  }
  in_flight_ -= done;
  if (count > 0) FARGRAPH_RETURN_IF_ERROR(PostWaiting());
  return done;
}

void FarQueue::Wait(absl::Duration timeout) { completion_queue_->Wait(timeout); }

absl::Status FarQueue::NodeFailed(size_t node, absl::string_view reason) const {
  const FarMemory::Node& failed = memory_.nodes_[node];
  FARGRAPH_RETURN_IF_ERROR(failed.lease->CheckNotEnded());  // which breaks the connections
  // What a transport advises, behind the semicolon, is for its caller, not for the user.
  const absl::string_view cause = reason.substr(0, reason.find(';'));
  return absl::UnavailableError(absl::StrCat("memory node ", failed.client->address(),
                                             " was lost in the middle of the job (", cause,
                                             "); see that it is running, and run the job again"));
}

}  // namespace fargraph

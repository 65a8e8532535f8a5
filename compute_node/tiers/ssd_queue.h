#ifndef FARGRAPH_COMPUTE_NODE_TIERS_SSD_QUEUE_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_SSD_QUEUE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/units.h"
#include "compute_node/tiers/async_io.h"
#include "compute_node/tiers/direct_file.h"
#include "compute_node/tiers/tier.h"

namespace fargraph {

class SsdArray;

/// One thread's way to an array of SSDs, by asynchronous direct IO (Graphene, FAST '17, section 3).
/// Made by SsdArray::OpenQueue. Extents are cut at stripe borders and at the largest request, and
/// have address, length and destination in whole blocks. Every device has a lane of its own, with
/// room for so many requests under way; the others wait there, so that a slow device keeps none
/// from a fast one. What has arrived is always taken first, so that a wait for room ends whatever
/// the number of buffers. Destruction waits for what is under way.
class SsdQueue : public TierQueue {
 public:
  /// Requests under way to a device of an array of so many, where so many threads have a queue
  /// each: what one device can use, or a share of it that still keeps a device busy, for the host
  /// has room for few contexts of any depth, and a device has no use for more than a thousand of
  /// all threads.
  static constexpr uint32_t LaneDepth(size_t devices, uint32_t threads = 1) {
    const uint32_t of_a_thread = devices < 4 ? 128 / static_cast<uint32_t>(devices) : 32;
    return std::min(of_a_thread, std::max(kLeastLaneDepth, kMostOfAllThreads / threads));
  }
  static constexpr uint32_t Depth(size_t devices, uint32_t threads = 1) {
    return LaneDepth(devices, threads) * static_cast<uint32_t>(devices);
  }
  /// A chunk of one mebibyte in whole blocks, which would else end in a request for one block. With
  /// larger ones submitting would take as long as reading: the device splits them anyway.
  static constexpr uint64_t kMostRequestBytes = kMiB + 64 * kKiB;

  /// `io`: made for Depth(devices and threads of the array) requests. `tags`: as in TierQueue. The
  /// array outlives the queue.
  SsdQueue(const SsdArray& array, std::unique_ptr<AsyncIo> io, uint32_t tags);

  uint64_t block_bytes() const override;
  absl::Status Submit(absl::Span<const Extent> extents, uint32_t tag) override;
  absl::Status SubmitWrite(absl::Span<const Extent> extents, uint32_t tag) override;

  /// An error names the file: DataLoss when the device cannot read, or the file has become shorter.
  absl::StatusOr<size_t> Poll(absl::Span<uint32_t> tags) override;
  void Wait(absl::Duration timeout) override;
  size_t in_flight() const override { return in_flight_; }
  TierTraffic traffic() const override { return traffic_; }

 private:
  static constexpr uint32_t kLeastLaneDepth = 4;
  static constexpr uint32_t kMostOfAllThreads = 1024;

  /// What is left to move of a piece of an extent.
  struct Transfer {
    uint64_t address = 0;  ///< in the array
    const DirectFile* file = nullptr;
    size_t lane = 0;
    bool is_write = false;
    uint64_t offset = 0;
    uint64_t length = 0;
    std::byte* memory = nullptr;
    uint32_t tag = 0;
  };
  struct Request {
    iocb control;
    Transfer transfer;
  };
  /// The way to one device.
  struct Lane {
    std::vector<Transfer> waiting;  ///< from next_waiting, for a free request
    size_t next_waiting = 0;
    std::vector<Request*> free;
  };

  absl::Status Enqueue(bool is_write, absl::Span<const Extent> extents, uint32_t tag);
  absl::Status TakeEvents();
  absl::StatusOr<bool> Finish(Request& request, int64_t result) const;
  absl::Status Recover(const Transfer& left, const absl::Status& failure) const;
  void Prepare(Request& request);
  void PrepareWaiting(Lane& lane);
  void Send();

  const SsdArray& array_;
  std::vector<Request> requests_;
  std::unique_ptr<AsyncIo> io_;  // goes before what it refers to
  std::vector<Lane> lanes_;
  std::vector<iocb*> prepared_;           ///< which the host has not accepted yet
  std::vector<io_event> events_;          ///< room for all requests
  size_t event_count_ = 0;                ///< of those, not seen by Poll yet
  size_t under_way_ = 0;                  ///< requests that the host has accepted
  std::vector<uint32_t> transfers_left_;  ///< by tag
  size_t in_flight_ = 0;
  TierTraffic traffic_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_SSD_QUEUE_H_

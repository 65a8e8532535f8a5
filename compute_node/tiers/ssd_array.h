#ifndef FARGRAPH_COMPUTE_NODE_TIERS_SSD_ARRAY_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_SSD_ARRAY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compute_node/tiers/direct_file.h"
#include "compute_node/tiers/far_memory.h"
#include "compute_node/tiers/ssd_queue.h"

namespace fargraph {

/// An array of SSDs, each a directory, as one address space. A segment is striped over a file
/// without name in each of them, or is a file that is there already. All files go with the object.
/// Segments are made by one thread while no queue is in use. Errors name the directory or file.
class SsdArray {
 public:
  /// `directories`: none if nothing but files that are there already is opened. NotFound when one
  /// is not there or cannot be written to; FailedPrecondition when its file system has no direct
  /// IO.
  static absl::StatusOr<std::unique_ptr<SsdArray>> Open(std::vector<std::string> directories);

  SsdArray(const SsdArray&) = delete;
  SsdArray& operator=(const SsdArray&) = delete;

  const std::vector<std::string>& directories() const { return directories_; }
  /// What addresses, lengths and buffers of a queue have to be multiples of: the largest of the
  /// devices' blocks, those of opened files included.
  uint64_t block_bytes() const { return block_bytes_; }

  /// A new segment of `bytes` (at least 1), up to whole blocks. ResourceExhausted when an SSD is
  /// full.
  absl::StatusOr<FarSegment> Allocate(const std::string& name, uint64_t bytes);

  /// The bytes of a file from `offset` on, which is a multiple of 4096, as a segment to read.
  absl::StatusOr<FarSegment> OpenFile(const std::string& path, uint64_t offset, uint64_t bytes);

  /// Gives the room back.
  void Free(const FarSegment& segment);

  /// `tags`: as in TierQueue. This object must outlive the queue. Any thread may open one.
  absl::StatusOr<std::unique_ptr<SsdQueue>> OpenQueue(uint32_t tags) const;

 private:
  friend class SsdQueue;

  /// Stripe s lies in files[s % files.size()].
  struct Segment {
    std::vector<DirectFile> files;
    uint64_t file_offset = 0;  ///< of the first stripe in each of them
  };

  explicit SsdArray(std::vector<std::string> directories) : directories_(std::move(directories)) {}
  FarSegment AddSegment(std::string name, uint64_t bytes, Segment segment);

  const std::vector<std::string> directories_;
  uint64_t block_bytes_ = 0;
  std::vector<Segment> segments_;  ///< segment i begins at address i * kSegmentSpan
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_SSD_ARRAY_H_

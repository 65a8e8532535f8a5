#ifndef FARGRAPH_COMPUTE_NODE_TIERS_SSD_ARRAY_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_SSD_ARRAY_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compute_node/tiers/direct_file.h"
#include "compute_node/tiers/far_tier.h"
#include "compute_node/tiers/ssd_queue.h"

namespace fargraph {

/// What reads of SSDs begin and end on.
enum class SsdBlocks {
  kOfDevice,      ///< its physical ones, which cost it least
  kOfFileSystem,  ///< the smallest that direct IO takes: a trace of them can be planned in any
};

/// An array of SSDs, each a directory. A segment is striped over a file without name in each of
/// them, which goes with the object, or over files that are there already. Only edges and weights:
/// an SSD wears when it is written. Errors name the directory or file.
///
/// What a device fails to give (an error, or a file that has become shorter) is read from the
/// segment's copy, where there is one; the first time somebody is warned.
class SsdArray : public FarTier {
 public:
  /// `directories`: none if nothing but files that are there already is opened. `threads` (at least
  /// 1): that have a queue each, and share what they can have under way to a device. NotFound when
  /// one is not there, or can neither be written to nor has a file; ResourceExhausted when it is
  /// full and has none; FailedPrecondition when its file system has no direct IO.
  static absl::StatusOr<std::unique_ptr<SsdArray>> Open(const std::vector<std::string>& directories,
                                                        SsdBlocks blocks = SsdBlocks::kOfDevice,
                                                        uint32_t threads = 1);

  SsdArray(const SsdArray&) = delete;
  SsdArray& operator=(const SsdArray&) = delete;

  std::string transport_name() const override { return "ssd"; }
  std::vector<FarNode> nodes() const override { return nodes_; }
  std::vector<std::string> directories() const;
  /// How many a segment may be striped over, at least 1.
  size_t devices() const { return nodes_.empty() ? 1 : nodes_.size(); }
  uint32_t threads() const { return threads_; }
  /// The largest of the devices' blocks, those of opened files included.
  uint64_t block_bytes() const override { return block_bytes_; }

  /// What the fullest directory has free for this user, times the directories: segments are striped
  /// over all. In bytes.
  absl::StatusOr<uint64_t> FreeBytes() const;
  /// What a segment may take of that beyond its bytes: in every directory a stripe and a block.
  uint64_t SlackBytes() const;
  /// True if the array is that directory alone, so that AttachFile finds its files.
  bool ReadsFilesOf(const std::string& directory) const;

  absl::StatusOr<FarSegment> Allocate(const std::string& name, uint64_t bytes) override;
  /// Nothing stays after the job, or is seen by others.
  absl::Status Seal(const FarSegment&, bool) override { return absl::OkStatus(); }
  absl::StatusOr<FarSegment> Attach(const std::string& name, uint64_t bytes) override;
  absl::StatusOr<std::vector<std::string>> FindSegments(const std::string&) override {
    return std::vector<std::string>();
  }
  /// The bytes of a file from `offset` on, which is a multiple of 4096, as a sealed segment:
  /// nothing is copied. NotFound unless the array is the file's directory alone; else errors of
  /// DirectFile.
  absl::StatusOr<FarSegment> AttachFile(const std::string& path, uint64_t offset, uint64_t bytes);
  /// The same of a segment that is striped over these files, wherever they are. Before queues are
  /// opened.
  absl::StatusOr<FarSegment> OpenFiles(const std::vector<std::string>& paths, uint64_t offset,
                                       uint64_t bytes);
  /// The first bytes of the largest file in the directory, where there is only one. NotFound also
  /// when there is a hole among them, which is read without the device.
  absl::StatusOr<FarSegment> AttachAny(uint64_t bytes) override;
  void SetCopy(const FarSegment& segment, const SegmentCopy& copy) override;
  absl::Status Free(const FarSegment& segment) override;

  absl::StatusOr<std::unique_ptr<transport::MemoryRegion>> RegisterMemory(
      absl::Span<std::byte> memory) override;
  absl::StatusOr<std::unique_ptr<TierQueue>> OpenQueue(const transport::MemoryRegion& buffer,
                                                       uint32_t tags,
                                                       uint32_t queue_pairs = 1) override;
  /// The same, since no memory needs to be registered. This object must outlive the queue.
  absl::StatusOr<std::unique_ptr<SsdQueue>> OpenQueue(uint32_t tags) const;

 private:
  friend class SsdQueue;

  /// Stripe s lies in files[s % files.size()].
  struct Segment {
    std::vector<DirectFile> files;
    uint64_t file_offset = 0;  ///< of the first stripe in each of them
    uint64_t bytes = 0;
    SegmentCopy copy;  ///< empty where there is none
  };

  explicit SsdArray(uint32_t threads) : threads_(threads) {}
  FarSegment AddSegment(std::string name, Segment segment);
  FarSegment AddFiles(std::vector<DirectFile> files, uint64_t offset, uint64_t bytes);
  /// Reads from the copy what could not be read for the reason of `failure`, which is the answer
  /// where there is no copy.
  absl::Status ReadCopy(const Segment& segment, uint64_t offset, absl::Span<std::byte> bytes,
                        const absl::Status& failure) const;

  const uint32_t threads_;
  std::vector<FarNode> nodes_;
  uint64_t block_bytes_ = 1;
  mutable std::atomic<bool> warned_ = false;
  std::vector<Segment> segments_;  ///< segment i begins at address kSsdSpace + i * kSegmentSpan
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_SSD_ARRAY_H_

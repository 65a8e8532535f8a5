#include "compute_node/tiers/ssd_array.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "compute_node/tiers/far_space.h"
#include "compute_node/tiers/striping.h"

namespace fargraph {
namespace {

/// The kernel needs no registration.
class Memory : public transport::MemoryRegion {
 public:
  uint32_t lkey() const override { return 0; }
};

std::string DeviceId(const DirectFile& file) {
  struct stat info {};
  return fstat(file.descriptor(), &info) == 0 ? absl::StrCat(info.st_dev) : "";
}

}  // namespace

absl::StatusOr<std::unique_ptr<SsdArray>> SsdArray::Open(
    const std::vector<std::string>& directories) {
  std::unique_ptr<SsdArray> array(new SsdArray());
  for (const std::string& directory : directories) {
    FARGRAPH_ASSIGN_OR_RETURN(const DirectFile file,
                              DirectFile::CreateUnnamed(directory, /*bytes=*/1));
    array->nodes_.push_back({.address = directory, .node_id = DeviceId(file)});
    array->block_bytes_ = std::max(array->block_bytes_, file.block_bytes());
  }
  std::sort(array->nodes_.begin(), array->nodes_.end(),
            [](const FarNode& a, const FarNode& b) { return a.address < b.address; });
  return array;
}

absl::StatusOr<FarSegment> SsdArray::Allocate(const std::string& name, uint64_t bytes) {
  Segment segment;
  const uint64_t part_bytes = WholeBlocks(0, PartBytes(bytes, nodes_.size()), block_bytes_).length;
  for (const FarNode& node : nodes_) {
    FARGRAPH_ASSIGN_OR_RETURN(DirectFile file, DirectFile::CreateUnnamed(node.address, part_bytes));
    segment.files.push_back(std::move(file));
  }
  return AddSegment(name, bytes, std::move(segment));
}

absl::StatusOr<FarSegment> SsdArray::Attach(const std::string& name, uint64_t) {
  return absl::NotFoundError(absl::StrCat("no SSD keeps ", name));
}

absl::StatusOr<FarSegment> SsdArray::AttachFile(const std::string& path, uint64_t offset,
                                                uint64_t bytes) {
  std::error_code error;
  const std::filesystem::path directory = std::filesystem::path(path).parent_path();
  const bool is_here = nodes_.size() == 1 &&
                       std::filesystem::equivalent(directory, nodes_[0].address, error) && !error;
  if (!is_here) return absl::NotFoundError(absl::StrCat(path, " is in no directory of the array"));
  return OpenFile(path, offset, bytes);
}

absl::StatusOr<FarSegment> SsdArray::OpenFile(const std::string& path, uint64_t offset,
                                              uint64_t bytes) {
  Segment segment = {.file_offset = offset};
  FARGRAPH_ASSIGN_OR_RETURN(DirectFile file, DirectFile::OpenForReading(path));
  block_bytes_ = std::max(block_bytes_, file.block_bytes());
  segment.files.push_back(std::move(file));
  return AddSegment(path, bytes, std::move(segment));
}

absl::Status SsdArray::Free(const FarSegment& segment) {
  segments_[SegmentOf(segment.address)].files.clear();
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<transport::MemoryRegion>> SsdArray::RegisterMemory(
    absl::Span<std::byte>) {
  return std::make_unique<Memory>();
}

absl::StatusOr<std::unique_ptr<TierQueue>> SsdArray::OpenQueue(const transport::MemoryRegion&,
                                                               uint32_t tags, uint32_t) {
  return OpenQueue(tags);
}

absl::StatusOr<std::unique_ptr<SsdQueue>> SsdArray::OpenQueue(uint32_t tags) const {
  FARGRAPH_ASSIGN_OR_RETURN(std::unique_ptr<AsyncIo> io, OpenAsyncIo(SsdQueue::kDepth));
  return std::make_unique<SsdQueue>(*this, std::move(io), tags);
}

FarSegment SsdArray::AddSegment(std::string name, uint64_t bytes, Segment segment) {
  FarSegment added = {
      .name = std::move(name), .address = segments_.size() * kSegmentSpan, .bytes = bytes};
  segments_.push_back(std::move(segment));
  return added;
}

}  // namespace fargraph

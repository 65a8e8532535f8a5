#include "compute_node/tiers/ssd_array.h"

#include <algorithm>
#include <utility>

#include "common/status_macros.h"
#include "compute_node/tiers/far_space.h"
#include "compute_node/tiers/striping.h"

namespace fargraph {
namespace {

uint64_t RoundUp(uint64_t bytes, uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

absl::StatusOr<std::unique_ptr<SsdArray>> SsdArray::Open(std::vector<std::string> directories) {
  std::unique_ptr<SsdArray> array(new SsdArray(std::move(directories)));
  for (const std::string& directory : array->directories_) {
    FARGRAPH_ASSIGN_OR_RETURN(const DirectFile file,
                              DirectFile::CreateUnnamed(directory, /*bytes=*/1));
    array->block_bytes_ = std::max(array->block_bytes_, file.block_bytes());
  }
  return array;
}

absl::StatusOr<FarSegment> SsdArray::Allocate(const std::string& name, uint64_t bytes) {
  Segment segment;
  const uint64_t part_bytes = RoundUp(PartBytes(bytes, directories_.size()), block_bytes_);
  for (const std::string& directory : directories_) {
    FARGRAPH_ASSIGN_OR_RETURN(DirectFile file, DirectFile::CreateUnnamed(directory, part_bytes));
    segment.files.push_back(std::move(file));
  }
  return AddSegment(name, bytes, std::move(segment));
}

absl::StatusOr<FarSegment> SsdArray::OpenFile(const std::string& path, uint64_t offset,
                                              uint64_t bytes) {
  Segment segment = {.file_offset = offset};
  FARGRAPH_ASSIGN_OR_RETURN(DirectFile file, DirectFile::OpenForReading(path));
  block_bytes_ = std::max(block_bytes_, file.block_bytes());
  segment.files.push_back(std::move(file));
  return AddSegment(path, bytes, std::move(segment));
}

void SsdArray::Free(const FarSegment& segment) {
  segments_[SegmentOf(segment.address)].files.clear();
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

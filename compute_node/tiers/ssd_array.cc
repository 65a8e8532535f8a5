#include "compute_node/tiers/ssd_array.h"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/files/file.h"
#include "common/status_macros.h"
#include "compute_node/tiers/far_space.h"
#include "glog/logging.h"
#include "graph/striping/stripes.h"

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

struct DirectoryFile {
  std::string path;
  uint64_t bytes = 0;
};

/// Of a directory without files: one without name.
DirectoryFile LargestFile(const std::string& directory) {
  DirectoryFile largest;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    if (!entry.is_regular_file(error)) continue;
    const uint64_t bytes = entry.file_size(error);
    if (!error && bytes > largest.bytes) largest = {entry.path().string(), bytes};
  }
  return largest;
}

/// Some file of a directory, to see what its device is like. A job that only reads needs one that
/// is there, on a device that is full as on one that it may not write to.
absl::StatusOr<DirectFile> OpenSample(const std::string& directory) {
  absl::StatusOr<DirectFile> created = DirectFile::CreateUnnamed(directory, /*bytes=*/1);
  const bool cannot_write =
      absl::IsNotFound(created.status()) || absl::IsResourceExhausted(created.status());
  if (!cannot_write) return created;
  const DirectoryFile largest = LargestFile(directory);
  return largest.bytes > 0 ? DirectFile::OpenForReading(largest.path) : std::move(created);
}

/// Among the first bytes of a file that has no fewer.
bool HasHole(const DirectFile& file, uint64_t bytes) {
  const off_t hole = lseek(file.descriptor(), 0, SEEK_HOLE);  // the end, where there is none
  return hole >= 0 && static_cast<uint64_t>(hole) < bytes;
}

}  // namespace

absl::StatusOr<std::unique_ptr<SsdArray>> SsdArray::Open(
    const std::vector<std::string>& directories, SsdBlocks blocks, uint32_t threads) {
  std::unique_ptr<SsdArray> array(new SsdArray(threads));
  for (const std::string& directory : directories) {
    FARGRAPH_ASSIGN_OR_RETURN(const DirectFile file, OpenSample(directory));
    array->nodes_.push_back({.address = directory, .node_id = DeviceId(file)});
    array->block_bytes_ =
        std::max(array->block_bytes_,
                 blocks == SsdBlocks::kOfDevice ? file.physical_block_bytes() : file.block_bytes());
  }
  std::sort(array->nodes_.begin(), array->nodes_.end(),
            [](const FarNode& a, const FarNode& b) { return a.address < b.address; });
  return array;
}

absl::StatusOr<uint64_t> SsdArray::FreeBytes() const {
  uint64_t least = ~uint64_t{0};
  for (const FarNode& node : nodes_) {
    struct statvfs info {};
    if (statvfs(node.address.c_str(), &info) != 0) {
      return FileError(errno, "Asking for the free space of", node.address);
    }
    least = std::min<uint64_t>(least, info.f_bavail * info.f_frsize);
  }
  return least * nodes_.size();
}

std::vector<std::string> SsdArray::directories() const {
  std::vector<std::string> directories;
  for (const FarNode& node : nodes_) directories.push_back(node.address);
  return directories;
}

uint64_t SsdArray::SlackBytes() const { return (kStripeBytes + block_bytes_) * nodes_.size(); }

bool SsdArray::ReadsFilesOf(const std::string& directory) const {
  std::error_code error;
  return nodes_.size() == 1 && std::filesystem::equivalent(directory, nodes_[0].address, error) &&
         !error;
}

absl::StatusOr<FarSegment> SsdArray::Allocate(const std::string& name, uint64_t bytes) {
  Segment segment = {.bytes = bytes};
  const uint64_t part_bytes = WholeBlocks(0, PartBytes(bytes, nodes_.size()), block_bytes_).length;
  for (const FarNode& node : nodes_) {
    FARGRAPH_ASSIGN_OR_RETURN(DirectFile file, DirectFile::CreateUnnamed(node.address, part_bytes));
    segment.files.push_back(std::move(file));
  }
  return AddSegment(name, std::move(segment));
}

absl::StatusOr<FarSegment> SsdArray::Attach(const std::string& name, uint64_t) {
  return absl::NotFoundError(absl::StrCat("no SSD keeps ", name));
}

absl::StatusOr<FarSegment> SsdArray::AttachFile(const std::string& path, uint64_t offset,
                                                uint64_t bytes) {
  if (!ReadsFilesOf(std::filesystem::path(path).parent_path())) {
    return absl::NotFoundError(absl::StrCat(path, " is in no directory of the array"));
  }
  return OpenFiles({path}, offset, bytes);
}

absl::StatusOr<FarSegment> SsdArray::OpenFiles(const std::vector<std::string>& paths,
                                               uint64_t offset, uint64_t bytes) {
  std::vector<DirectFile> files;
  for (const std::string& path : paths) {
    FARGRAPH_ASSIGN_OR_RETURN(DirectFile file, DirectFile::OpenForReading(path));
    files.push_back(std::move(file));
  }
  return AddFiles(std::move(files), offset, bytes);
}

absl::StatusOr<FarSegment> SsdArray::AttachAny(uint64_t bytes) {
  const DirectoryFile largest =
      nodes_.size() == 1 ? LargestFile(nodes_[0].address) : DirectoryFile();
  if (largest.bytes < bytes) {
    return absl::NotFoundError(absl::StrCat("the SSDs hold no file of ", bytes, " bytes"));
  }
  FARGRAPH_ASSIGN_OR_RETURN(DirectFile file, DirectFile::OpenForReading(largest.path));
  if (HasHole(file, bytes)) {
    return absl::NotFoundError(
        absl::StrCat(largest.path, " has a hole among its first ", bytes, " bytes"));
  }
  std::vector<DirectFile> files;
  files.push_back(std::move(file));
  return AddFiles(std::move(files), /*offset=*/0, bytes);
}

void SsdArray::SetCopy(const FarSegment& segment, const SegmentCopy& copy) {
  segments_[SegmentOf(segment.address)].copy = copy;
}

absl::Status SsdArray::ReadCopy(const Segment& segment, uint64_t offset,
                                absl::Span<std::byte> bytes, const absl::Status& failure) const {
  if (!segment.copy) return failure;
  if (!warned_.exchange(true)) {
    const absl::string_view cause = failure.message().substr(0, failure.message().find(';'));
    LOG(WARNING) << cause << ". What SSDs do not give is read in the graph's own files instead.";
  }
  // The last block may end behind the segment.
  const uint64_t there = std::min<uint64_t>(bytes.size(), segment.bytes - offset);
  return segment.copy(offset, bytes.first(there));
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
  FARGRAPH_ASSIGN_OR_RETURN(std::unique_ptr<AsyncIo> io,
                            OpenAsyncIo(SsdQueue::Depth(devices(), threads_)));
  return std::make_unique<SsdQueue>(*this, std::move(io), tags);
}

FarSegment SsdArray::AddFiles(std::vector<DirectFile> files, uint64_t offset, uint64_t bytes) {
  for (const DirectFile& file : files) block_bytes_ = std::max(block_bytes_, file.block_bytes());
  std::string name = files.front().path();
  return AddSegment(std::move(name),
                    {.files = std::move(files), .file_offset = offset, .bytes = bytes});
}

FarSegment SsdArray::AddSegment(std::string name, Segment segment) {
  FarSegment added = {.name = std::move(name),
                      .address = kSsdSpace + segments_.size() * kSegmentSpan,
                      .bytes = segment.bytes};
  segments_.push_back(std::move(segment));
  return added;
}

}  // namespace fargraph

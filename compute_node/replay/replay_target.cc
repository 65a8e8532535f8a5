#include "compute_node/replay/replay_target.h"

#include <sys/stat.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "compute_node/tiers/direct_file.h"

namespace fargraph {
namespace {

absl::Status Unfit(const std::string& path, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("Replaying on ", path, ": ", why));
}

absl::Status CheckKind(const std::string& path) {
  struct stat status {};
  const bool there = stat(path.c_str(), &status) == 0;  // if not, opening it says why
  if (!there || S_ISREG(status.st_mode) || S_ISBLK(status.st_mode)) return absl::OkStatus();
  return Unfit(path, "it is neither a file nor a block device; name one of these");
}

absl::Status CheckContent(const std::string& path, uint64_t bytes) {
  FARGRAPH_ASSIGN_OR_RETURN(const DirectFile file, DirectFile::OpenForReading(path));
  const off_t size = lseek(file.descriptor(), 0, SEEK_END);
  if (size >= 0 && static_cast<uint64_t>(size) < bytes) {
    return Unfit(path, absl::StrCat("the trace needs ", bytes, " bytes, and it has ", size,
                                    "; name a larger file or device"));
  }
  const off_t hole = lseek(file.descriptor(), 0, SEEK_HOLE);  // the end, where there is none
  if (hole >= 0 && static_cast<uint64_t>(hole) < bytes) {
    return Unfit(path, absl::StrCat("it has a hole at byte ", hole,
                                    ", which is read without the device; fill it with data"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ReplayTarget> ReplayTarget::Open(const std::string& path, uint64_t bytes) {
  FARGRAPH_RETURN_IF_ERROR(CheckKind(path));
  FARGRAPH_RETURN_IF_ERROR(CheckContent(path, bytes));
  FARGRAPH_ASSIGN_OR_RETURN(std::unique_ptr<SsdArray> array, SsdArray::Open({}));
  FARGRAPH_ASSIGN_OR_RETURN(FarSegment segment, array->OpenFiles({path}, /*offset=*/0, bytes));
  return ReplayTarget(std::move(array), std::move(segment));
}

absl::StatusOr<BlockReader> ReplayTarget::MakeReader(const ReplayOptions& options, uint32_t depth,
                                                     const std::atomic<bool>* cancelled) const {
  if (options.block_bytes % array_->block_bytes() != 0) {
    return Unfit(segment_.name,
                 absl::StrCat("it has blocks of ", FormatBytes(array_->block_bytes()),
                              "; plan in these or in larger ones (--block_size)"));
  }
  FARGRAPH_ASSIGN_OR_RETURN(std::unique_ptr<TierQueue> queue, array_->OpenQueue(depth));
  return BlockReader::Create(std::move(queue), {.address = segment_.address,
                                                .block_bytes = options.block_bytes,
                                                .most_blocks = options.most_blocks,
                                                .depth = depth,
                                                .cancelled = cancelled});
}

}  // namespace fargraph

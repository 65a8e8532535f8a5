#include "graph/format/write_behind_file.h"

#include <algorithm>

#include "common/status_macros.h"
#include "common/units.h"

namespace fargraph {
namespace {

// What may be on its way to the device: enough to keep it busy, little for a small memory cgroup.
constexpr uint64_t kInFlightBytes = 16 * kMiB;
constexpr uint64_t kPieceBytes = 4 * kMiB;

}  // namespace

absl::Status WriteBehindFile::Append(absl::Span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto piece = bytes.subspan(0, kPieceBytes);
    FARGRAPH_RETURN_IF_ERROR(file_.WriteAt(end_, piece));
    file_.StartWriteback(end_, piece.size());
    end_ += piece.size();
    bytes.remove_prefix(piece.size());
    if (end_ - dropped_ >= kInFlightBytes + kPieceBytes) {
      FARGRAPH_RETURN_IF_ERROR(file_.DropWritten(dropped_, kPieceBytes));
      dropped_ += kPieceBytes;
    }
  }
  return absl::OkStatus();
}

}  // namespace fargraph

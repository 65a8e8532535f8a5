#include "compute_node/loading/far_upload.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/status_macros.h"
#include "graph/format/array_format.h"

namespace fargraph {
namespace {

constexpr absl::string_view kRatio = "/ratio=";

/// Uploads with this prefix hold the same array; the size of the chunks and a far ratio follow.
std::string ArrayPrefix(const GraphFiles& files, Direction direction, absl::string_view array) {
  const bool reverse = direction == Direction::kIn && !files.manifest().symmetric;
  return absl::StrCat("fargraph/", files.manifest().content_id, "/", reverse ? "in." : "out.",
                      array, "/chunk=");
}

/// Of one width, so they compare as numbers.
std::string FormatRatio(double far_ratio) { return absl::StrFormat("%.6f", far_ratio); }

/// Of all uploads with the prefix, ascending.
absl::StatusOr<std::vector<std::string>> RatiosOf(const std::string& prefix, FarTier& tier) {
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<std::string> names, tier.FindSegments(prefix));
  std::vector<std::string> ratios;
  for (const std::string& name : names) ratios.emplace_back(absl::StripPrefix(name, prefix));
  std::sort(ratios.begin(), ratios.end());
  return ratios;
}

}  // namespace

std::string UploadPrefix(const GraphFiles& files, Direction direction, absl::string_view array,
                         uint64_t chunk_bytes) {
  return absl::StrCat(ArrayPrefix(files, direction, array), chunk_bytes, kRatio);
}

absl::StatusOr<std::set<uint64_t>> UploadedChunkSizes(const GraphFiles& files, Direction direction,
                                                      absl::string_view array, double far_ratio,
                                                      FarTier& tier) {
  const std::string prefix = ArrayPrefix(files, direction, array);
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<std::string> names, tier.FindSegments(prefix));
  std::set<uint64_t> sizes;
  for (const std::string& name : names) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(absl::StripPrefix(name, prefix), absl::MaxSplits(kRatio, 1));
    uint64_t chunk_bytes = 0;
    if (parts.second >= FormatRatio(far_ratio) && absl::SimpleAtoi(parts.first, &chunk_bytes)) {
      sizes.insert(chunk_bytes);
    }
  }
  return sizes;
}

absl::StatusOr<double> UploadedRatio(const std::string& prefix, FarTier& tier) {
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<std::string> ratios, RatiosOf(prefix, tier));
  double largest = 0;
  if (!ratios.empty() && !absl::SimpleAtod(ratios.back(), &largest)) return 0.0;
  return largest;
}

absl::StatusOr<FarUpload> AttachUpload(const std::string& prefix, const ChunkTable& chunks,
                                       double far_ratio, FarTier& tier) {
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<std::string> ratios, RatiosOf(prefix, tier));
  for (const std::string& ratio : ratios) {
    double uploaded_ratio = 0;
    if (ratio < FormatRatio(far_ratio) || !absl::SimpleAtod(ratio, &uploaded_ratio)) continue;
    FarSet far_set(chunks, uploaded_ratio);
    absl::StatusOr<FarSegment> segment = tier.Attach(prefix + ratio, far_set.bytes());
    if (segment.ok()) {
      return FarUpload{*std::move(segment), std::move(far_set), UploadOrigin::kEarlierJob};
    }
    if (!absl::IsNotFound(segment.status())) return std::move(segment).status();
  }
  return absl::NotFoundError("no upload that is enough");
}

absl::StatusOr<FarUpload> AttachFile(const ArrayFile* file, const ChunkTable& chunks,
                                     SsdArray& ssds) {
  if (file == nullptr) return absl::NotFoundError("no file holds the array as the job reads it");
  FARGRAPH_ASSIGN_OR_RETURN(FarSegment segment,
                            ssds.AttachFile(file->path(), kArrayDataOffset, file->bytes()));
  return FarUpload{std::move(segment), FarSet(chunks, /*far_ratio=*/1), UploadOrigin::kGraphFile};
}

absl::StatusOr<FarUpload> AttachStripes(const StripedArray* stripes, const ChunkTable& chunks,
                                        SsdArray& ssds) {
  if (stripes == nullptr) return absl::NotFoundError("the array is not striped over the SSDs");
  FARGRAPH_ASSIGN_OR_RETURN(FarSegment segment,
                            ssds.OpenFiles(stripes->paths(), kArrayDataOffset, stripes->bytes()));
  return FarUpload{std::move(segment), FarSet(chunks, /*far_ratio=*/1), UploadOrigin::kStripes};
}

absl::StatusOr<FarUpload> FindRoomForUpload(const std::string& prefix, FarSet chunks,
                                            double far_ratio, FarTier& tier) {
  FARGRAPH_ASSIGN_OR_RETURN(FarSegment segment,
                            tier.Allocate(prefix + FormatRatio(far_ratio), chunks.bytes()));
  return FarUpload{std::move(segment), std::move(chunks), UploadOrigin::kThisJob};
}

}  // namespace fargraph

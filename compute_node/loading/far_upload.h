#ifndef FARGRAPH_COMPUTE_NODE_LOADING_FAR_UPLOAD_H_
#define FARGRAPH_COMPUTE_NODE_LOADING_FAR_UPLOAD_H_

#include <cstdint>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compute_node/placement/chunk_table.h"
#include "compute_node/placement/far_set.h"
#include "compute_node/tiers/far_tier.h"
#include "compute_node/tiers/ssd_array.h"
#include "graph/graph_files.h"
#include "graph/striping/striped_array.h"

/// Uploads: far chunks of an array on a tier, packed, under a name that follows from the graph's
/// content, the array, the size of its chunks and the far ratio, so that later jobs find them.
namespace fargraph {

/// Who has put the bytes of an upload where they are.
enum class UploadOrigin {
  kThisJob,  ///< or is going to: there is only room yet
  kEarlierJob,
  kGraphFile,  ///< the graph's own file, which nobody has checked yet
  kStripes,    ///< of a placed graph, the same
};

/// Where an upload lies, and which chunks it holds: perhaps more than this job needs.
struct FarUpload {
  FarSegment segment;
  FarSet chunks;
  UploadOrigin origin = UploadOrigin::kThisJob;
};

/// Uploads with this prefix hold an array in chunks of that size; a far ratio follows. `array`:
/// "edges", "weights" or "codes".
std::string UploadPrefix(const GraphFiles& files, Direction direction, absl::string_view array,
                         uint64_t chunk_bytes);

/// The chunk sizes in which the tier holds enough of an array for this far ratio, sealed.
absl::StatusOr<std::set<uint64_t>> UploadedChunkSizes(const GraphFiles& files, Direction direction,
                                                      absl::string_view array, double far_ratio,
                                                      FarTier& tier);

/// The largest far ratio of a sealed upload; 0 if there is none.
absl::StatusOr<double> UploadedRatio(const std::string& prefix, FarTier& tier);

/// The sealed upload with the smallest far ratio that is enough. NotFound if there is none.
absl::StatusOr<FarUpload> AttachUpload(const std::string& prefix, const ChunkTable& chunks,
                                       double far_ratio, FarTier& tier);

/// The graph's own file, where the SSDs are its directory: an upload of all chunks. `file`: that
/// holds the array as it is scanned, if there is one. NotFound otherwise.
absl::StatusOr<FarUpload> AttachFile(const ArrayFile* file, const ChunkTable& chunks,
                                     SsdArray& ssds);

/// The array in stripes, an upload of all chunks as well. `stripes`: on these SSDs, if there are
/// any. NotFound otherwise.
absl::StatusOr<FarUpload> AttachStripes(const StripedArray* stripes, const ChunkTable& chunks,
                                        SsdArray& ssds);

/// Room for these chunks. ResourceExhausted where there is too little.
absl::StatusOr<FarUpload> FindRoomForUpload(const std::string& prefix, FarSet chunks,
                                            double far_ratio, FarTier& tier);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_LOADING_FAR_UPLOAD_H_

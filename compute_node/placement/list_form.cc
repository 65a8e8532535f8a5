#include "compute_node/placement/list_form.h"

#include <algorithm>

#include "graph/codec/block_codec.h"
#include "graph/ids.h"

namespace fargraph {
namespace {

// What one core does in a second, in edges. Kernels that compute less on an edge wait for the link
// even more. PageRank in single precision computes on 0.5 billion of a Kronecker graph of 4 million
// vertices, on 0.2 billion of a uniform one.
constexpr double kComputedPerSecond = 0.4e9;

/// Fetching and computing overlap.
double SecondsPerEdge(double fetched_bytes, double compute_seconds, const LinkProfile& link) {
  return std::max(fetched_bytes / link.bytes_per_second, compute_seconds / link.threads);
}

}  // namespace

bool CodesAreFaster(double far_share, const GraphFiles& files, const LinkProfile& link) {
  const double code_bytes = static_cast<double>(files.Codes(Direction::kOut).bytes()) /
                            static_cast<double>(std::max<uint64_t>(1, files.manifest().edges));
  const double raw = SecondsPerEdge(far_share * sizeof(VertexId), 1 / kComputedPerSecond, link);
  const double coded =
      SecondsPerEdge(far_share * code_bytes, 1 / kComputedPerSecond + 1 / kDecodedPerSecond, link);
  return coded < raw;
}

}  // namespace fargraph

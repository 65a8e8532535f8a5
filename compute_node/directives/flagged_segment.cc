#include "compute_node/directives/flagged_segment.h"

#include <cmath>

namespace fargraph {

void ChooseFarChunks(double far_ratio, std::vector<FlaggedSegment>& segments) {
  double bytes_to_move = 0;
  for (const FlaggedSegment& segment : segments) {
    bytes_to_move += far_ratio * static_cast<double>(segment.flag.bytes);
  }
  for (const Sensitivity group :
       {Sensitivity::kStreamed, Sensitivity::kIndexed, Sensitivity::kSequentialWrite}) {
    for (FlaggedSegment& segment : segments) {
      if (segment.knowledge.sensitivity != group) continue;
      const double chunks = std::round(bytes_to_move / static_cast<double>(segment.chunk_bytes));
      segment.far_chunks = std::min(segment.chunks, static_cast<uint64_t>(std::max(0.0, chunks)));
      bytes_to_move -= static_cast<double>(segment.FarBytes());
    }
  }
}

}  // namespace fargraph

#ifndef FARGRAPH_COMPUTE_NODE_PIPELINE_STREAM_STATS_H_
#define FARGRAPH_COMPUTE_NODE_PIPELINE_STREAM_STATS_H_

#include <cstdint>

#include "compute_node/pipeline/read_pattern.h"

namespace fargraph {

/// What a stream has done since it was made.
struct StreamStats {
  uint64_t bytes_fetched = 0;
  uint64_t bytes_useful = 0;  ///< of those, bytes of lists that somebody asked for
  uint64_t requests = 0;
  ReadPattern pattern;       ///< of lists without their weights
  double stall_seconds = 0;  ///< time in which the thread had nothing to compute on

  StreamStats& operator+=(const StreamStats& other);
  StreamStats operator-(const StreamStats& earlier) const;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PIPELINE_STREAM_STATS_H_

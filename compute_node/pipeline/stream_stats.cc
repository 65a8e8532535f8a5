#include "compute_node/pipeline/stream_stats.h"

namespace fargraph {

StreamStats& StreamStats::operator+=(const StreamStats& other) {
  bytes_fetched += other.bytes_fetched;
  bytes_useful += other.bytes_useful;
  requests += other.requests;
  pattern += other.pattern;
  stall_seconds += other.stall_seconds;
  return *this;
}

StreamStats StreamStats::operator-(const StreamStats& earlier) const {
  return {.bytes_fetched = bytes_fetched - earlier.bytes_fetched,
          .bytes_useful = bytes_useful - earlier.bytes_useful,
          .requests = requests - earlier.requests,
          .pattern = pattern - earlier.pattern,
          .stall_seconds = stall_seconds - earlier.stall_seconds};
}

}  // namespace fargraph

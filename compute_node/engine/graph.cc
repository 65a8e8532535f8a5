#include "compute_node/engine/graph.h"

namespace fargraph {

StreamStats Graph::stats() const {
  StreamStats total;
  for (const auto& stream : parts_.streams) total += stream->stats();
  return total;
}

}  // namespace fargraph

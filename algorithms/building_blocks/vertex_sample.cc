#include "algorithms/building_blocks/vertex_sample.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace fargraph {

std::vector<VertexId> SampleVertices(VertexId vertices, size_t samples) {
  constexpr uint64_t kSeed = 64;
  if (vertices <= samples) {
    std::vector<VertexId> all(vertices);
    std::iota(all.begin(), all.end(), VertexId{0});
    return all;
  }
  std::vector<VertexId> drawn;
  std::mt19937_64 random(kSeed);
  while (drawn.size() < samples) {
    const VertexId v = random() % vertices;
    const auto place = std::lower_bound(drawn.begin(), drawn.end(), v);
    if (place == drawn.end() || *place != v) drawn.insert(place, v);
  }
  return drawn;
}

}  // namespace fargraph

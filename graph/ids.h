#ifndef FARGRAPH_GRAPH_IDS_H_
#define FARGRAPH_GRAPH_IDS_H_

#include <cstdint>
#include <limits>

namespace fargraph {

/// A vertex of a converted graph: 0 to vertices - 1, without holes. 32 bits unless built with
/// FARGRAPH_64BIT_IDS.
#ifdef FARGRAPH_64BIT_IDS
using VertexId = uint64_t;
#else
using VertexId = uint32_t;
#endif

/// A position in an edge array, in edges.
using EdgeOffset = uint64_t;

inline constexpr VertexId kNoVertex = std::numeric_limits<VertexId>::max();

enum class Direction : uint8_t {
  kOut,  ///< the neighbours that a vertex points to
  kIn,   ///< the neighbours that point to it
};

/// How a graph holds the weights of its edges.
enum class WeightType : uint8_t {
  kNone,
  kInt32,
  kFloat32,
  kUint8,  ///< int32 weights that are all from 0 to 255
};

/// Of a weight.
constexpr uint64_t WeightBytes(WeightType type) {
  switch (type) {
    case WeightType::kNone:
      return 0;
    case WeightType::kInt32:
    case WeightType::kFloat32:
      return 4;
    case WeightType::kUint8:
      return 1;
  }
  return 0;
}

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_IDS_H_

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

enum class WeightType : uint8_t { kNone, kInt32, kFloat32 };

/// Of a weight of either type.
inline constexpr uint64_t kWeightBytes = 4;

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_IDS_H_

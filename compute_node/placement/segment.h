#ifndef FARGRAPH_COMPUTE_NODE_PLACEMENT_SEGMENT_H_
#define FARGRAPH_COMPUTE_NODE_PLACEMENT_SEGMENT_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "graph/bitmap.h"

/// Data segments: the arrays of a graph program, and what decides which of them may go far
/// (Wang et al., "Excavating the Potential of Graph Workload on RDMA-based Far Memory
/// Architecture", IPDPS 2022).
namespace fargraph {

/// In which order a program touches an array.
enum class Access : uint8_t {
  kStreamed,    ///< scanned, or fetched list by list ahead of its use
  kIndexed,     ///< one small read for every active vertex
  kSequential,  ///< from front to back, once an iteration
  kRandom,      ///< any element at any time
};

/// What a program does with an array while it runs; filling it beforehand does not count.
struct Behaviour {
  Access access = Access::kRandom;
  bool written = true;

  bool operator==(const Behaviour&) const = default;
};

inline constexpr Behaviour kStreamedReadOnly = {.access = Access::kStreamed, .written = false};
inline constexpr Behaviour kIndexedReadOnly = {.access = Access::kIndexed, .written = false};
inline constexpr Behaviour kSequentialReadWrite = {.access = Access::kSequential, .written = true};
inline constexpr Behaviour kRandomReadWrite = {.access = Access::kRandom, .written = true};

/// How much a program suffers when an array is far: the paper's four groups, in the order in which
/// they go far.
enum class Sensitivity : uint8_t {
  kStreamed = 1,         ///< scanned or fetched by list, never written: edges, weights
  kIndexed = 2,          ///< one small read per active vertex, never written: offsets, degrees
  kSequentialWrite = 3,  ///< touched in order and written: last iteration's ranks
  kRandomWrite = 4,      ///< any element any time: stays local
};

/// As plans print it: "1 streamed".
absl::string_view SensitivityName(Sensitivity sensitivity);

/// The group of arrays that are used in this way.
Sensitivity SensitivityOf(const Behaviour& behaviour);

/// Where the runtime can keep an array.
enum class Residence : uint8_t {
  kLocal,
  kLocalOrFar,    ///< any part of it, chunk by chunk
  kFarIfShort,    ///< local; as a whole far, with buffers in its place, where the budget is short
                  ///< of what is local when all that is kLocalOrFar is far
  kLocalIfRoom,   ///< a local copy of what may be far, which saves reads: kept in place of as many
                  ///< bytes of the rest
  kCacheIfRoom,   ///< room for such copies that are chosen while the job runs: after those, as
                  ///< much as there is; none while all is local
  kLocalWithFar,  ///< local, and only there while another array is far: read buffers
};

/// One array of a job.
struct DataSegment {
  std::string name;
  uint64_t bytes = 0;
  Behaviour behaviour;
  Residence residence = Residence::kLocal;
  uint64_t buffer_bytes = 0;  ///< what it takes here while it is far, if it is kFarIfShort
  uint64_t spare_bytes = 0;   ///< of its bytes, those that few runs touch: a budget has room for
                              ///< them, the peak that is expected does not count them
};

/// A segment of one T per vertex.
template <typename T>
DataSegment VertexSegment(std::string name, uint64_t vertices, const Behaviour& behaviour) {
  return {.name = std::move(name), .bytes = vertices * sizeof(T), .behaviour = behaviour};
}

/// A segment of one bit per vertex, which any thread sets and tests.
inline DataSegment VertexBits(std::string name, uint64_t vertices) {
  return {.name = std::move(name), .bytes = Bitmap::StorageBytes(vertices)};
}

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PLACEMENT_SEGMENT_H_

#ifndef FARGRAPH_GRAPH_CODEC_BLOCK_LAYOUT_H_
#define FARGRAPH_GRAPH_CODEC_BLOCK_LAYOUT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "graph/codec/block_codec.h"
#include "graph/ids.h"

/// What encoder and decoders share: the lengths that a control byte stands for.
namespace fargraph {

/// Bytes of a difference by its two bits in the control byte, the lowest two for the first of the
/// group. 64-bit ids: differences of three and four bytes are what graphs of more than 2^32
/// vertices consist of.
inline constexpr std::array<uint8_t, 4> kDifferenceBytes =
    sizeof(VertexId) == 4 ? std::array<uint8_t, 4>{1, 2, 3, 4} : std::array<uint8_t, 4>{1, 3, 4, 8};

/// Data bytes of a whole group by its control byte. The unused fields of the last control byte are
/// zero, and so count as one byte each that is not there.
inline constexpr std::array<uint8_t, 256> kGroupBytes = [] {
  std::array<uint8_t, 256> bytes{};
  for (size_t control = 0; control < bytes.size(); ++control) {
    for (size_t i = 0; i < kGroupEdges; ++i) {
      bytes[control] += kDifferenceBytes[(control >> (2 * i)) & 3];
    }
  }
  return bytes;
}();

/// For 32-bit ids, by control byte: from which byte of a group's data each byte of its four
/// differences comes; kNoPlace for those that are zero.
inline constexpr uint8_t kNoPlace = 0x80;
struct alignas(16) DifferencePlaces {
  std::array<uint8_t, 16> of_byte;
};
inline constexpr std::array<DifferencePlaces, 256> kDifferencePlaces = [] {
  std::array<DifferencePlaces, 256> places{};
  for (size_t control = 0; control < places.size(); ++control) {
    uint8_t next = 0;
    for (size_t i = 0; i < kGroupEdges; ++i) {
      const size_t bytes = kDifferenceBytes[(control >> (2 * i)) & 3];
      for (size_t byte = 0; byte < 4; ++byte) {
        places[control].of_byte[4 * i + byte] = byte < bytes ? next++ : kNoPlace;
      }
    }
  }
  return places;
}();

/// The distance from `vertex` to `neighbor`, modulo the range of ids, small in either direction.
constexpr VertexId ZigZag(VertexId vertex, VertexId neighbor) {
  const VertexId distance = neighbor - vertex;
  const auto negative = static_cast<VertexId>(distance >> (8 * sizeof(VertexId) - 1));
  return static_cast<VertexId>(distance << 1) ^ static_cast<VertexId>(0 - negative);
}

constexpr VertexId UndoZigZag(VertexId vertex, VertexId zigzag) {
  return vertex + ((zigzag >> 1) ^ static_cast<VertexId>(0 - (zigzag & 1)));
}

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_CODEC_BLOCK_LAYOUT_H_

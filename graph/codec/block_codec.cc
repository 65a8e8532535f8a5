#include "graph/codec/block_codec.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "graph/codec/block_decoders.h"
#include "graph/codec/block_layout.h"

namespace fargraph {
namespace {

/// The two bits that stand for the shortest length that holds `difference`.
uint32_t LengthField(VertexId difference) {
  uint32_t field = 0;
  for (size_t shorter = 0; shorter + 1 < kDifferenceBytes.size(); ++shorter) {
    field += (difference >> (8 * kDifferenceBytes[shorter])) != 0;
  }
  return field;
}

}  // namespace

size_t EncodeBlock(VertexId vertex, absl::Span<const VertexId> neighbors, std::byte* code) {
  std::byte* const controls = code;
  std::byte* data = code + DecodedEdges(neighbors.size()) / kGroupEdges;
  std::fill(controls, data, std::byte{0});

  VertexId difference = ZigZag(vertex, neighbors[0]);
  for (size_t i = 0;;) {
    const uint32_t field = LengthField(difference);
    controls[i / kGroupEdges] |= std::byte(field << (2 * (i % kGroupEdges)));
    std::memcpy(data, &difference, sizeof(difference));  // what comes next writes over the rest
    data += kDifferenceBytes[field];
    if (++i == neighbors.size()) return data - code;
    difference = neighbors[i] - neighbors[i - 1];
  }
}

size_t DecodeBlock(VertexId vertex, absl::Span<const std::byte> code, size_t edges,
                   VertexId* neighbors) {
  static const BlockDecoder::Decode best = BlockDecoders().front().decode;
  return best(vertex, code, edges, neighbors);
}

}  // namespace fargraph

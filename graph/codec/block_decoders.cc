#include "graph/codec/block_decoders.h"

#include <array>
#include <cstring>
#include <limits>

#include "graph/codec/block_codec.h"
#include "graph/codec/block_layout.h"

namespace fargraph {
namespace {

/// The bytes of a difference within the word that begins with it.
constexpr std::array<VertexId, 4> kDifferenceMasks = [] {
  std::array<VertexId, 4> masks{};
  for (size_t field = 0; field < masks.size(); ++field) {
    masks[field] =
        std::numeric_limits<VertexId>::max() >> (8 * (sizeof(VertexId) - kDifferenceBytes[field]));
  }
  return masks;
}();

}  // namespace

size_t DecodeBlockPortable(VertexId vertex, absl::Span<const std::byte> code, size_t edges,
                           VertexId* neighbors) {
  const size_t decoded = DecodedEdges(edges);
  const size_t groups = decoded / kGroupEdges;
  if (code.size() <= groups) return 0;
  const std::byte* const end = code.data() + code.size();
  const std::byte* data = code.data() + groups;
  VertexId sum = 0;
  for (size_t group = 0; group < groups; ++group) {
    if (data >= end) return 0;
    const auto control = static_cast<uint32_t>(code[group]);
    for (size_t i = 0; i < kGroupEdges; ++i) {
      const uint32_t field = (control >> (2 * i)) & 3;
      VertexId difference;
      std::memcpy(&difference, data, sizeof(difference));
      difference &= kDifferenceMasks[field];
      data += kDifferenceBytes[field];
      sum = group + i == 0 ? UndoZigZag(vertex, difference) : sum + difference;
      neighbors[group * kGroupEdges + i] = sum;
    }
  }
  const size_t bytes = data - code.data() - (decoded - edges);
  return bytes <= code.size() ? bytes : 0;
}

std::vector<BlockDecoder> BlockDecoders() {
  std::vector<BlockDecoder> decoders = VectorBlockDecoders();
  decoders.push_back({"portable", DecodeBlockPortable});
  return decoders;
}

}  // namespace fargraph

// Feeds arbitrary bytes to every decoder: as a code, which all must take or refuse alike without
// leaving their buffers, and as differences, which must survive coding.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#include "absl/types/span.h"
#include "graph/codec/block_codec.h"
#include "graph/codec/block_decoders.h"

namespace {

using fargraph::BlockDecoder;
using fargraph::VertexId;

struct Decoded {
  size_t bytes;
  std::vector<VertexId> neighbors;  // empty without bytes

  bool operator==(const Decoded&) const = default;
};

Decoded Decode(const BlockDecoder& decoder, VertexId vertex,
               absl::Span<const std::byte> padded_code, size_t edges) {
  Decoded result = {.neighbors = std::vector<VertexId>(fargraph::DecodedEdges(edges))};
  const auto code = padded_code.first(padded_code.size() - fargraph::kCodeSlackBytes);
  result.bytes = decoder.decode(vertex, code, edges, result.neighbors.data());
  result.neighbors.resize(result.bytes > 0 ? edges : 0);
  return result;
}

void CheckDecodersAgree(VertexId vertex, absl::Span<const std::byte> bytes, size_t edges) {
  static const std::vector<BlockDecoder> decoders = fargraph::BlockDecoders();
  std::vector<std::byte> padded(bytes.size() + fargraph::kCodeSlackBytes);
  std::copy(bytes.begin(), bytes.end(), padded.begin());
  const Decoded expected = Decode(decoders.back(), vertex, padded, edges);
  for (const BlockDecoder& decoder : decoders) {
    if (Decode(decoder, vertex, padded, edges) != expected) std::abort();
  }
}

void CheckRoundTrip(VertexId vertex, absl::Span<const std::byte> bytes) {
  std::vector<VertexId> neighbors(bytes.size() / sizeof(VertexId));
  if (neighbors.empty()) return;
  std::memcpy(neighbors.data(), bytes.data(), neighbors.size() * sizeof(VertexId));
  std::sort(neighbors.begin(), neighbors.end());

  std::vector<std::byte> code(fargraph::MaxBlockBytes(neighbors.size()));
  code.resize(fargraph::EncodeBlock(vertex, neighbors, code.data()));
  CheckDecodersAgree(vertex, code, neighbors.size());
  const size_t code_bytes = code.size();
  code.resize(code_bytes + fargraph::kCodeSlackBytes);
  const Decoded decoded = Decode(fargraph::BlockDecoders().back(), vertex, code, neighbors.size());
  if (decoded.bytes != code_bytes || decoded.neighbors != neighbors) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  struct {
    uint32_t vertex;
    uint16_t edges;
  } head;
  if (size < sizeof(head)) return 0;
  std::memcpy(&head, data, sizeof(head));
  const absl::Span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data) + sizeof(head),
                                          size - sizeof(head));
  CheckDecodersAgree(head.vertex, bytes, 1 + head.edges % fargraph::kBlockEdges);
  CheckRoundTrip(head.vertex, bytes);
  return 0;
}

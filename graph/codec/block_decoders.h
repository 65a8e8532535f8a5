#ifndef FARGRAPH_GRAPH_CODEC_BLOCK_DECODERS_H_
#define FARGRAPH_GRAPH_CODEC_BLOCK_DECODERS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "graph/ids.h"

/// The implementations behind DecodeBlock, whose contract each of them keeps, one per set of
/// instructions. All give the same neighbours and accept the same codes.
namespace fargraph {

struct BlockDecoder {
  using Decode = size_t (*)(VertexId vertex, absl::Span<const std::byte> code, size_t edges,
                            VertexId* neighbors);

  std::string instructions;  ///< "portable", "AVX2", ...
  Decode decode = nullptr;
};

/// Those that this processor can run, the best first and the portable one last.
std::vector<BlockDecoder> BlockDecoders();

size_t DecodeBlockPortable(VertexId vertex, absl::Span<const std::byte> code, size_t edges,
                           VertexId* neighbors);

/// Those with vector instructions, the best first; none for 64-bit ids.
std::vector<BlockDecoder> VectorBlockDecoders();

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_CODEC_BLOCK_DECODERS_H_

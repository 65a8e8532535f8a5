#ifndef FARGRAPH_GRAPH_CODEC_BLOCK_CODEC_H_
#define FARGRAPH_GRAPH_CODEC_BLOCK_CODEC_H_

#include <cstddef>

#include "absl/types/span.h"
#include "graph/ids.h"

/// The code of compressed neighbour lists: byte-oriented differences in the manner of StreamVByte
/// (Lemire, Kurz, Rupp: Stream VByte: Faster Byte-Oriented Integer Compression, IPL 2018). Control
/// bytes stand before the data, so the place of a group depends on additions alone, and a list has
/// no header: its reader knows vertex, degree and size from the index. docs/file-format.md gives
/// the bytes.
///
/// A list is coded in blocks of kBlockEdges neighbours, the last one shorter. Each block decodes
/// alone. The first neighbour of a block is stored by its distance from the list's vertex: as short
/// as its number in random graphs, far shorter where ids have locality (docs/decisions/0008).
namespace fargraph {

/// Longer blocks decode no faster and leave the kernel less of the L1 cache; shorter ones cost
/// bytes and speed.
inline constexpr size_t kBlockEdges = 1024;

/// Neighbours under one control byte. A decoder writes whole groups.
inline constexpr size_t kGroupEdges = 4;

/// About what one core decodes within a job, in neighbours; block_codec_benchmark 1.6 billion with
/// AVX2.
inline constexpr double kDecodedPerSecond = 1.2e9;

/// A decoder may read this far beyond the code that it is given.
inline constexpr size_t kCodeSlackBytes = kGroupEdges * sizeof(VertexId);

/// `edges` rounded up to whole groups: what DecodeBlock writes.
constexpr size_t DecodedEdges(size_t edges) {
  return (edges + kGroupEdges - 1) / kGroupEdges * kGroupEdges;
}

/// An upper bound of the bytes of a block.
constexpr size_t MaxBlockBytes(size_t edges) {
  return DecodedEdges(edges) / kGroupEdges + edges * sizeof(VertexId);
}

/// Codes a block of the list of `vertex`: at least one neighbour, ascending, duplicates allowed.
/// `code` has room for MaxBlockBytes(neighbors.size()). Returns the number of bytes. Any thread.
size_t EncodeBlock(VertexId vertex, absl::Span<const VertexId> neighbors, std::byte* code);

/// Decodes the block of `edges` neighbours, at least one, with which `code` begins, with the best
/// instructions that this processor has. Returns the block's bytes, or 0 when it does not end
/// within `code`: then that is damaged or a part, and `neighbors` holds anything.
///
/// kCodeSlackBytes after `code` must be readable; what they hold does not matter. `neighbors` has
/// room for DecodedEdges(edges); what is written beyond `edges` means nothing. Neither reads nor
/// writes elsewhere, whatever `code` holds. Any thread.
size_t DecodeBlock(VertexId vertex, absl::Span<const std::byte> code, size_t edges,
                   VertexId* neighbors);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_CODEC_BLOCK_CODEC_H_

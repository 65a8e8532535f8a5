#ifndef FARGRAPH_COMPUTE_NODE_DIRECTIVES_FLAGGED_SEGMENT_H_
#define FARGRAPH_COMPUTE_NODE_DIRECTIVES_FLAGGED_SEGMENT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/memory/mapped_memory.h"
#include "compute_node/fargraph.h"
#include "compute_node/placement/segment.h"
#include "compute_node/tiers/far_tier.h"

namespace fargraph {

/// A segment that a program has flagged as transferable, in chunks. Of `chunks` chunks `far_chunks`
/// are far, evenly spread: chunk i is far where i * far_chunks / chunks steps up, which also counts
/// the far chunks before it.
struct FlaggedSegment {
  /// kWriting: its bytes may still be on their way. kStarted: it is being read.
  enum class ChunkState : uint8_t { kUnwritten, kWriting, kWritten, kStarted };

  /// What is known of how the program uses it.
  struct Knowledge {
    std::optional<Sensitivity> sensitivity;  ///< nullopt while it is being sampled
    std::string source;                      ///< where it is from
  };

  TransferableSegment flag;
  Knowledge knowledge;
  uint64_t chunk_bytes = 0;
  uint64_t chunks = 0;
  uint64_t far_chunks = 0;
  MappedMemory local;
  FarSegment far;
  std::vector<ChunkState> states;

  uint64_t FarChunksBefore(uint64_t chunk) const { return chunk * far_chunks / chunks; }
  bool IsFar(uint64_t chunk) const { return FarChunksBefore(chunk + 1) > FarChunksBefore(chunk); }
  uint64_t FarAddress(uint64_t chunk) const {
    return far.address + FarChunksBefore(chunk) * chunk_bytes;
  }
  std::byte* LocalBytes(uint64_t chunk) const {
    return local.data() + (chunk - FarChunksBefore(chunk)) * chunk_bytes;
  }
  uint64_t BytesOf(uint64_t chunk) const {
    return std::min(chunk_bytes, flag.bytes - chunk * chunk_bytes);
  }
  uint64_t FarBytes() const { return std::min(far_chunks * chunk_bytes, flag.bytes); }
};

/// Chooses the chunks that are far: `far_ratio` of all bytes, the most insensitive group of
/// segments first, and of the last one a part.
void ChooseFarChunks(double far_ratio, std::vector<FlaggedSegment>& segments);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_DIRECTIVES_FLAGGED_SEGMENT_H_

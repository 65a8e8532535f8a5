#ifndef FARGRAPH_COMPUTE_NODE_PIPELINE_READ_PATTERN_H_
#define FARGRAPH_COMPUTE_NODE_PIPELINE_READ_PATTERN_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace fargraph {

/// What scans asked for of far chunks, whatever the link: from the gaps in between follows how many
/// requests another link would merge it to.
struct ReadPattern {
  struct Gaps {
    uint64_t count = 0;
    uint64_t bytes = 0;
  };
  /// Gaps of class i are as large as 4 << i bytes and smaller than twice that.
  static constexpr size_t kGapClasses = 20;

  uint64_t whole_bytes = 0;            ///< of chunks of which at least half was asked for
  uint64_t chunks = 0;                 ///< other ones of which something was
  uint64_t run_bytes = 0;              ///< what was asked for of those
  std::array<Gaps, kGapClasses> gaps;  ///< in those, between what was asked for

  /// Lists of a chunk, with gaps that are about alike before and between them.
  void AddLists(const Gaps& between, uint64_t list_bytes);
  /// What was asked for of one chunk.
  void AddChunk(const ReadPattern& lists, uint64_t chunk_bytes);

  ReadPattern& operator+=(const ReadPattern& other);
  ReadPattern operator-(const ReadPattern& earlier) const;

  struct Fetch {
    double bytes = 0;
    double requests = 0;
  };
  /// What is fetched when gaps below `gap_bytes` are read, and whole chunks have `chunk_bytes`.
  Fetch FetchBy(uint64_t gap_bytes, uint64_t chunk_bytes) const;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PIPELINE_READ_PATTERN_H_

#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_LIST_DECODER_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_LIST_DECODER_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "common/status_macros.h"
#include "compute_node/placement/edge_lists.h"
#include "graph/codec/block_codec.h"
#include "graph/ids.h"

namespace fargraph {

/// A part of the code of one list, with kCodeSlackBytes to read behind it.
struct ListCode {
  VertexId vertex = 0;
  EdgeOffset degree = 0;  ///< of the whole list
  absl::Span<const std::byte> code;
  bool begins = true;  ///< the list begins with it
  bool ends = true;    ///< the list ends with it
};

/// What a piece of code has of the list of v, which is not empty.
inline ListCode CodeOf(const EdgeLists& lists, VertexId v, const EdgePiece& piece) {
  const ElementRange list = lists.Stored(v, piece.chunk);
  const uint64_t begin = std::max(list.begin, piece.begin);
  const uint64_t end = std::max(begin, std::min(list.end, piece.end));
  return {.vertex = v,
          .degree = lists.Degree(v),
          .code = {piece.elements + (begin - piece.begin), end - begin},
          .begins = list.begin == begin,
          .ends = list.end == end};
}

/// Decodes lists for one thread, a block at a time, into a buffer that stays in the L1 cache. The
/// code of a long list comes in parts that may end within a block.
class ListDecoder {
 public:
  /// Calls compute(position, neighbours) for each block of the list that ends in this part, with
  /// the position of its first neighbour, until it returns false; returns whether it never did. The
  /// parts of a list come in order, and unless the rest is unwanted before those of the next.
  /// DataLoss where it is not the code of a list.
  template <typename Compute>
  absl::StatusOr<bool> Decode(ListCode list, Compute&& compute);

  /// The same for those who ask: the next block of the list that ends in this part, which is
  /// removed from `list`; empty when there is none. Valid until the next call.
  absl::StatusOr<absl::Span<const VertexId>> Next(ListCode& list);

 private:
  absl::Status Damaged(const ListCode& list) const {
    return absl::DataLossError(absl::StrCat(
        "Decoding the neighbours of vertex ", list.vertex,
        ": their code is damaged; check the graph with --verify_files, and if it is whole, "
        "upload it again"));
  }

  /// Decodes the block of `edges` neighbours that goes on with `code`, of which it removes what
  /// belongs to the block; false when the block does not end in it.
  bool DecodeBlockOf(VertexId vertex, size_t edges, absl::Span<const std::byte>& code);

  std::array<VertexId, kBlockEdges> neighbors_;
  std::vector<std::byte> begun_;  ///< of a block that the parts so far did not end
  EdgeOffset decoded_ = 0;        ///< neighbours of the list in the parts so far
};

template <typename Compute>
absl::StatusOr<bool> ListDecoder::Decode(ListCode list, Compute&& compute) {
  for (;;) {
    const EdgeOffset position = list.begins ? 0 : decoded_;
    FARGRAPH_ASSIGN_OR_RETURN(const absl::Span<const VertexId> neighbors, Next(list));
    if (neighbors.empty()) return true;
    if (!compute(position, neighbors)) return false;
  }
}

inline absl::StatusOr<absl::Span<const VertexId>> ListDecoder::Next(ListCode& list) {
  if (std::exchange(list.begins, false)) {
    begun_.clear();
    decoded_ = 0;
  }
  if (decoded_ == list.degree) {
    if (!list.ends || !list.code.empty()) return Damaged(list);
    return absl::Span<const VertexId>();
  }
  const size_t edges = std::min<EdgeOffset>(list.degree - decoded_, kBlockEdges);
  if (!DecodeBlockOf(list.vertex, edges, list.code)) {
    if (list.ends || begun_.size() >= MaxBlockBytes(edges)) return Damaged(list);
    return absl::Span<const VertexId>();
  }
  decoded_ += edges;
  return absl::MakeConstSpan(neighbors_).first(edges);
}

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_LIST_DECODER_H_

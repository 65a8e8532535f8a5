#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_LIST_SHARE_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_LIST_SHARE_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compute_node/engine/list_scan.h"
#include "compute_node/pipeline/edge_stream.h"

namespace fargraph {

/// What one thread of a team computes on in a walk, piece by piece; it makes it for itself. Takes
/// chunks until none is left, and then what was started ahead by threads of the walk before that
/// are not in this one. While far chunks are under way it hands out those that have arrived, then
/// local ones, and sleeps only when there is neither.
class ListShare {
 public:
  explicit ListShare(ListScan& scan);

  /// Has the first far chunks under way, for those who have something else to do before Next.
  absl::Status Start();

  /// The next pieces, valid until the next call; none when there are none left, or the walk has
  /// been stopped. `want_rest`: as in EdgeStream::Pop, of the last list of those before.
  absl::StatusOr<absl::Span<const EdgePiece>> Next(bool want_rest);

  /// True if the last pieces came from far.
  bool is_far() const { return is_far_; }

  /// Waits for what is under way, as far as it belongs to this walk, and drops it: for those who
  /// did not ask until there was none left.
  void Abandon();

 private:
  absl::StatusOr<absl::Span<const EdgePiece>> TakeNext(bool want_rest);
  void LoseStreamAfter(const absl::Status& status);
  absl::Status Begin();
  absl::Status StartFirst();
  absl::Status DropRest();
  absl::Status UseStream(size_t number);

  ListScan& scan_;
  const size_t team_;
  size_t number_;                 ///< of the stream
  bool begun_ = false;            ///< with the first stream
  EdgeStream* stream_ = nullptr;  ///< nullptr where all is local
  EdgePiece at_hand_;             ///< the last one that no stream had
  bool is_far_ = false;           ///< pieces of the stream have been handed out
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_LIST_SHARE_H_

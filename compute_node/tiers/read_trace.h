#ifndef FARGRAPH_COMPUTE_NODE_TIERS_READ_TRACE_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_READ_TRACE_H_

#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "common/files/output_file.h"
#include "compute_node/tiers/tier.h"

namespace fargraph {

/// What a job reads of its lists, as a block trace in SPC format (replay/spc_trace.h), a line a
/// read: its segment as the unit, an even number on memory nodes and an odd one on SSDs; the blocks
/// of 512 bytes that hold it; and for its time that at which its iteration began. So reads of the
/// same time are those that can be planned together.
///
/// Any thread may call Add; the others are for one thread.
class ReadTrace {
 public:
  /// As OutputFile::Create.
  static absl::StatusOr<std::unique_ptr<ReadTrace>> Create(const std::string& path);

  /// What is read from now on belongs to another iteration.
  void BeginIteration();

  void Add(absl::Span<const Extent> extents);

  /// Completes the file. Also returns what went wrong in writing it earlier.
  absl::Status Commit();

 private:
  explicit ReadTrace(OutputFile file) : file_(std::move(file)) {}

  void Flush() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const absl::Time begin_ = absl::Now();
  absl::Mutex mutex_;
  OutputFile file_ ABSL_GUARDED_BY(mutex_);
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  std::string time_ ABSL_GUARDED_BY(mutex_) = "0";
  std::string lines_ ABSL_GUARDED_BY(mutex_);  ///< that are not yet in the file
};

/// A queue whose reads are entered in `trace`, which outlives it.
std::unique_ptr<TierQueue> TracedQueue(std::unique_ptr<TierQueue> queue, ReadTrace& trace);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_READ_TRACE_H_

#ifndef FARGRAPH_COMPUTE_NODE_REPLAY_SPC_TRACE_H_
#define FARGRAPH_COMPUTE_NODE_REPLAY_SPC_TRACE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "graph/readers/input_file.h"

namespace fargraph {

/// Bytes of a device that are asked for at once; at least one.
struct ByteRange {
  uint64_t offset = 0;
  uint64_t length = 0;

  bool operator==(const ByteRange&) const = default;
};

/// What a storage system was asked for. Its units (ASUs) are laid one behind the other on a single
/// device, each as long as the trace reaches in it, rounded up to 4 KiB.
struct BlockTrace {
  std::vector<ByteRange> requests;  ///< in the order of the file
  /// Of the requests, how many there are up to the end of each row of them that have the same time.
  std::vector<size_t> moment_ends;
  uint64_t writes = 0;        ///< how many of the requests are
  uint64_t units = 0;         ///< that any request goes to
  uint64_t device_bytes = 0;  ///< the least device that holds all units
  double seconds = 0;         ///< the latest time of a request
};

/// Reads a trace in the SPC file format (Storage Performance Council, "SPC Trace File Format
/// Specification", revision 1.0.1), in which the UMass Trace Repository has its Financial and
/// WebSearch traces: a request a line,
///
///   ASU,LBA,size,opcode,time[,more]
///
/// that is the unit, the block of 512 bytes at which the request begins, its bytes, `r` or `w` in
/// either case, and seconds. Further fields are passed over, and so are blank lines, comments
/// behind '#', and requests for no bytes. Plain text, gzip or zstd. It takes some 50 bytes of
/// memory a request.
///
/// DataLoss names file, line and reason; NotFound where there is no such file.
absl::StatusOr<BlockTrace> ReadSpcTrace(std::shared_ptr<const InputFile> input);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_REPLAY_SPC_TRACE_H_

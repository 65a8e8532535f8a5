#ifndef FARGRAPH_GRAPH_STRIPING_STRIPES_WRITER_H_
#define FARGRAPH_GRAPH_STRIPING_STRIPES_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/format/array_writer.h"
#include "graph/striping/striped_array.h"

namespace fargraph {

/// Writes an array in stripes, front to back, to a temporary file in each directory, which get
/// their names when all is written, and are removed when it is destroyed before. Movable; used by
/// one thread.
class StripesWriter {
 public:
  /// NotFound where a directory is not there or may not be written to.
  static absl::StatusOr<StripesWriter> Create(const GraphManifest& graph, const ScannedArray& array,
                                              const std::vector<std::string>& directories);

  StripesWriter(StripesWriter&&) noexcept = default;
  StripesWriter& operator=(StripesWriter&&) = delete;
  ~StripesWriter();

  /// Whole elements.
  absl::Status Append(absl::Span<const std::byte> bytes);
  /// Brings all to the devices and gives the files their names, whoever has them. The last call.
  absl::Status Commit();

 private:
  struct Part {
    std::string path;
    std::string temporary;
    ArrayWriter writer;
  };

  StripesWriter() = default;

  std::vector<Part> parts_;
  uint64_t appended_ = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_STRIPING_STRIPES_WRITER_H_

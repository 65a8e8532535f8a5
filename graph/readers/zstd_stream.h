#ifndef FARGRAPH_GRAPH_READERS_ZSTD_STREAM_H_
#define FARGRAPH_GRAPH_READERS_ZSTD_STREAM_H_

#include <memory>

#include "absl/status/statusor.h"
#include "graph/readers/input_file.h"

namespace fargraph {

/// The content of a zstd file, of all its frames. A frame may ask for a window of at most 128 MiB,
/// the limit of the zstd command too.
absl::StatusOr<std::unique_ptr<ByteStream>> OpenZstdStream(
    std::shared_ptr<const InputFile> compressed);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_READERS_ZSTD_STREAM_H_

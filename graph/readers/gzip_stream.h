#ifndef FARGRAPH_GRAPH_READERS_GZIP_STREAM_H_
#define FARGRAPH_GRAPH_READERS_GZIP_STREAM_H_

#include <memory>

#include "absl/status/statusor.h"
#include "graph/readers/input_file.h"

namespace fargraph {

/// The content of a gzip file, of all its members. Zeros behind the last, as tapes and block
/// devices leave them, are ignored as gzip does.
absl::StatusOr<std::unique_ptr<ByteStream>> OpenGzipStream(
    std::shared_ptr<const InputFile> compressed);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_READERS_GZIP_STREAM_H_

#ifndef FARGRAPH_GRAPH_READERS_DECOMPRESSED_INPUT_H_
#define FARGRAPH_GRAPH_READERS_DECOMPRESSED_INPUT_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "graph/readers/input_file.h"

namespace fargraph {

enum class Compression { kNone, kGzip, kZstd };

/// What the first bytes of a file say.
Compression CompressionOf(absl::string_view head);

/// What is in `compressed`, in one gzip member or zstd frame or in several, one behind the other.
/// Reading gives DataLoss where the compressed bytes are truncated or damaged.
std::shared_ptr<const InputFile> MakeDecompressedInput(std::shared_ptr<const InputFile> compressed,
                                                       Compression compression);

/// `input` as it is or, if its first bytes say that it is compressed, what is in it.
absl::StatusOr<std::shared_ptr<const InputFile>> Decompressed(
    std::shared_ptr<const InputFile> input);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_READERS_DECOMPRESSED_INPUT_H_

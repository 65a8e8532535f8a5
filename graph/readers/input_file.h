#ifndef FARGRAPH_GRAPH_READERS_INPUT_FILE_H_
#define FARGRAPH_GRAPH_READERS_INPUT_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "common/units.h"

namespace fargraph {

/// Bytes that pass by once, forward. Used by one thread.
class ByteStream {
 public:
  virtual ~ByteStream() = default;

  /// Fills the beginning of `out`; returns how many bytes, 0 at the end only.
  virtual absl::StatusOr<size_t> Read(absl::Span<char> out) = 0;
};

/// A file of input as its reader sees it: decompressed, and open to any number of streams at once,
/// so that a reader of a file of several arrays walks each with a stream of its own and holds none
/// in memory. Immutable; any thread may open streams.
class InputFile {
 public:
  virtual ~InputFile() = default;

  /// What messages call it.
  virtual const std::string& name() const = 0;

  /// A stream of the bytes from `offset` on. An offset beyond the end gives an empty stream.
  virtual absl::StatusOr<std::unique_ptr<ByteStream>> Open(uint64_t offset) const = 0;

  /// Bytes in total. Of a compressed file this decompresses all of it once.
  virtual absl::StatusOr<uint64_t> Size() const = 0;

  /// How many bytes a reader asks for at once: of a small file not many more than it has.
  virtual size_t block_bytes() const = 0;

  /// True if the bytes come out of a decompressor, so that offsets are not those of the file.
  virtual bool decompressed() const { return false; }
};

/// A regular file. NotFound when it cannot be opened or is something else, such as a directory.
absl::StatusOr<std::shared_ptr<const InputFile>> OpenInputFile(const std::string& path);

/// Bytes that are in memory already: at most `block_bytes` are read at once.
std::shared_ptr<const InputFile> MakeMemoryInput(std::string name, std::string bytes,
                                                 size_t block_bytes = kMiB);

/// DataLoss about `input`: "cannot read input file 'NAME', line 3: PROBLEM". The problem says what
/// is wrong and what to do.
absl::Status LineError(const InputFile& input, uint64_t line, absl::string_view problem);
absl::Status OffsetError(const InputFile& input, uint64_t offset, absl::string_view problem);
absl::Status InputError(const InputFile& input, absl::string_view problem);

/// DataLoss about an input that ends at `offset`, before the size that it had when it was opened.
absl::Status ShrunkError(const InputFile& input, uint64_t offset);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_READERS_INPUT_FILE_H_

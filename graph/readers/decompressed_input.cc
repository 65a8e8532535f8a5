#include "graph/readers/decompressed_input.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "common/status_macros.h"
#include "graph/readers/buffered_reader.h"
#include "graph/readers/gzip_stream.h"
#include "graph/readers/zstd_stream.h"

namespace fargraph {
namespace {

class DecompressedInput final : public InputFile {
 public:
  DecompressedInput(std::shared_ptr<const InputFile> compressed, Compression compression)
      : compressed_(std::move(compressed)), compression_(compression) {}

  const std::string& name() const override { return compressed_->name(); }
  size_t block_bytes() const override { return compressed_->block_bytes(); }
  bool decompressed() const override { return true; }

  absl::StatusOr<std::unique_ptr<ByteStream>> Open(uint64_t offset) const override {
    FARGRAPH_ASSIGN_OR_RETURN(std::unique_ptr<ByteStream> stream, OpenStream());
    FARGRAPH_RETURN_IF_ERROR(Skip(*stream, offset).status());
    return stream;
  }

  absl::StatusOr<uint64_t> Size() const override {
    FARGRAPH_ASSIGN_OR_RETURN(const std::unique_ptr<ByteStream> stream, OpenStream());
    return Skip(*stream, std::numeric_limits<uint64_t>::max());
  }

 private:
  absl::StatusOr<std::unique_ptr<ByteStream>> OpenStream() const {
    return compression_ == Compression::kGzip ? OpenGzipStream(compressed_)
                                              : OpenZstdStream(compressed_);
  }

  /// Reads past `bytes` bytes, or all there are; returns how many.
  absl::StatusOr<uint64_t> Skip(ByteStream& stream, uint64_t bytes) const {
    if (bytes == 0) return 0;
    std::vector<char> scratch(block_bytes());
    uint64_t skipped = 0;
    while (skipped < bytes) {
      const size_t wanted = std::min<uint64_t>(scratch.size(), bytes - skipped);
      FARGRAPH_ASSIGN_OR_RETURN(const size_t read,
                                stream.Read(absl::MakeSpan(scratch).first(wanted)));
      if (read == 0) break;
      skipped += read;
    }
    return skipped;
  }

  std::shared_ptr<const InputFile> compressed_;
  Compression compression_;
};

}  // namespace

Compression CompressionOf(absl::string_view head) {
  // Deflate is the only method that gzip has, and the upper bits of the flags are reserved.
  constexpr absl::string_view kGzipMagic = "\x1F\x8B\x08";
  constexpr unsigned char kGzipReservedFlags = 0xE0;
  if (absl::StartsWith(head, kGzipMagic) && head.size() > kGzipMagic.size() &&
      (static_cast<unsigned char>(head[kGzipMagic.size()]) & kGzipReservedFlags) == 0) {
    return Compression::kGzip;
  }
  // The second is of a frame to skip, with which parallel compressors begin: 0x50 to 0x5F.
  constexpr absl::string_view kZstdMagic = "\x28\xB5\x2F\xFD";
  constexpr absl::string_view kZstdSkippableMagic = "\x2A\x4D\x18";
  if (absl::StartsWith(head, kZstdMagic) ||
      (absl::StartsWith(head.substr(std::min<size_t>(1, head.size())), kZstdSkippableMagic) &&
       (static_cast<unsigned char>(head[0]) & 0xF0) == 0x50)) {
    return Compression::kZstd;
  }
  return Compression::kNone;
}

std::shared_ptr<const InputFile> MakeDecompressedInput(std::shared_ptr<const InputFile> compressed,
                                                       Compression compression) {
  return std::make_shared<DecompressedInput>(std::move(compressed), compression);
}

absl::StatusOr<std::shared_ptr<const InputFile>> Decompressed(
    std::shared_ptr<const InputFile> input) {
  constexpr size_t kMagicBytes = 4;
  FARGRAPH_ASSIGN_OR_RETURN(BufferedReader reader, BufferedReader::Open(*input));
  FARGRAPH_RETURN_IF_ERROR(reader.FillTo(kMagicBytes).status());
  const Compression compression = CompressionOf(reader.available());
  if (compression == Compression::kNone) return input;
  return MakeDecompressedInput(std::move(input), compression);
}

}  // namespace fargraph

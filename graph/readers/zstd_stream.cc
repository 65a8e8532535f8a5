#include "graph/readers/zstd_stream.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graph/readers/buffered_reader.h"

namespace fargraph {
namespace {

struct FreeStream {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

class ZstdStream final : public ByteStream {
 public:
  ZstdStream(std::shared_ptr<const InputFile> compressed, BufferedReader bytes)
      : compressed_(std::move(compressed)),
        bytes_(std::move(bytes)),
        decompressor_(ZSTD_createDStream()) {}

  absl::StatusOr<size_t> Read(absl::Span<char> out) override {
    if (decompressor_ == nullptr) return NoMemory();
    ZSTD_outBuffer produced = {out.data(), out.size(), 0};
    while (produced.pos == 0 && !out.empty()) {
      FARGRAPH_ASSIGN_OR_RETURN(const bool more, bytes_.FillTo(1));
      // Content may still be inside the decompressor when all input is consumed.
      if (!more && between_frames_) return 0;
      ZSTD_inBuffer in = {bytes_.available().data(), bytes_.available().size(), 0};
      const size_t result = ZSTD_decompressStream(decompressor_.get(), &produced, &in);
      if (ZSTD_isError(result)) return Damaged(result);
      bytes_.Consume(in.pos);
      between_frames_ = result == 0;
      if (!more && produced.pos == 0 && !between_frames_) {
        return Error("the zstd data ends in the middle; it is truncated, get it again");
      }
    }
    return produced.pos;
  }

 private:
  absl::Status Damaged(size_t result) const {
    switch (ZSTD_getErrorCode(result)) {
      case ZSTD_error_frameParameter_windowTooLarge:
        return Error(
            "the zstd data needs a window of more than 128 MiB; compress it again "
            "without --long or --ultra");
      case ZSTD_error_memory_allocation:
        return NoMemory();
      default:
        return Error(absl::StrCat("the zstd data is damaged (", ZSTD_getErrorName(result),
                                  "); get it again"));
    }
  }

  absl::Status NoMemory() const {
    return absl::ResourceExhaustedError(absl::StrCat("cannot decompress input file '",
                                                     compressed_->name(), "': no memory for zstd"));
  }

  absl::Status Error(absl::string_view problem) const {
    return OffsetError(*compressed_, bytes_.offset(), problem);
  }

  std::shared_ptr<const InputFile> compressed_;
  BufferedReader bytes_;
  std::unique_ptr<ZSTD_DStream, FreeStream> decompressor_;
  bool between_frames_ = true;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ByteStream>> OpenZstdStream(
    std::shared_ptr<const InputFile> compressed) {
  FARGRAPH_ASSIGN_OR_RETURN(BufferedReader bytes, BufferedReader::Open(*compressed));
  return std::make_unique<ZstdStream>(std::move(compressed), std::move(bytes));
}

}  // namespace fargraph

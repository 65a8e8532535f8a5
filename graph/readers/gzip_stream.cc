#include "graph/readers/gzip_stream.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graph/readers/buffered_reader.h"

namespace fargraph {
namespace {

class GzipStream final : public ByteStream {
 public:
  GzipStream(std::shared_ptr<const InputFile> compressed, BufferedReader bytes)
      : compressed_(std::move(compressed)), bytes_(std::move(bytes)) {}
  ~GzipStream() override { inflateEnd(&inflater_); }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

  absl::Status Init() {
    constexpr int kGzipWithLargestWindow = 16 + MAX_WBITS;
    if (inflateInit2(&inflater_, kGzipWithLargestWindow) == Z_OK) return absl::OkStatus();
    return absl::ResourceExhaustedError(absl::StrCat("cannot decompress input file '",
                                                     compressed_->name(), "': no memory for zlib"));
  }

  absl::StatusOr<size_t> Read(absl::Span<char> out) override {
    size_t produced = 0;
    while (produced == 0 && !out.empty()) {
      if (between_members_) {
        FARGRAPH_ASSIGN_OR_RETURN(const bool another, EnterMember());
        if (!another) return 0;
      }
      FARGRAPH_ASSIGN_OR_RETURN(produced, Inflate(out));
    }
    return produced;
  }

 private:
  /// Inflates what is buffered, within one member; returns how many bytes that gave, maybe 0.
  absl::StatusOr<size_t> Inflate(absl::Span<char> out) {
    FARGRAPH_ASSIGN_OR_RETURN(const bool more, bytes_.FillTo(1));
    if (!more) return Error("the gzip data ends in the middle; it is truncated, get it again");
    const absl::string_view in = bytes_.available();
    constexpr size_t kMaxStep = std::numeric_limits<uInt>::max();
    inflater_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    inflater_.avail_in = static_cast<uInt>(std::min(in.size(), kMaxStep));
    inflater_.next_out = reinterpret_cast<Bytef*>(out.data());
    inflater_.avail_out = static_cast<uInt>(std::min(out.size(), kMaxStep));
    const int result = inflate(&inflater_, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END) {
      return Error(absl::StrCat("the gzip data is damaged (",
                                inflater_.msg != nullptr ? inflater_.msg : "no more is known",
                                "); get it again"));
    }
    bytes_.Consume(static_cast<size_t>(reinterpret_cast<char*>(inflater_.next_in) - in.data()));
    between_members_ = result == Z_STREAM_END;
    return static_cast<size_t>(reinterpret_cast<char*>(inflater_.next_out) - out.data());
  }

  /// Makes ready for the member that begins here; false if there is none.
  absl::StatusOr<bool> EnterMember() {
    FARGRAPH_ASSIGN_OR_RETURN(bool more, bytes_.FillTo(1));
    if (!more) return false;
    constexpr char kFirstByteOfMember = '\x1F';
    if (bytes_.available()[0] == kFirstByteOfMember) {
      inflateReset(&inflater_);
      between_members_ = false;
      return true;
    }
    while (more) {
      const absl::string_view rest = bytes_.available();
      if (rest.find_first_not_of('\0') != absl::string_view::npos) {
        return Error("something else follows the gzip data; get it again");
      }
      bytes_.Consume(rest.size());
      FARGRAPH_ASSIGN_OR_RETURN(more, bytes_.Fill());
    }
    return false;
  }

  absl::Status Error(absl::string_view problem) const {
    return OffsetError(*compressed_, bytes_.offset(), problem);
  }

  std::shared_ptr<const InputFile> compressed_;
  BufferedReader bytes_;
  z_stream inflater_ = {};
  bool between_members_ = false;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ByteStream>> OpenGzipStream(
    std::shared_ptr<const InputFile> compressed) {
  FARGRAPH_ASSIGN_OR_RETURN(BufferedReader bytes, BufferedReader::Open(*compressed));
  auto stream = std::make_unique<GzipStream>(std::move(compressed), std::move(bytes));
  FARGRAPH_RETURN_IF_ERROR(stream->Init());
  return stream;
}

}  // namespace fargraph

#include "graph/readers/open_edge_reader.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/status_macros.h"
#include "graph/readers/adjacency_graph_reader.h"
#include "graph/readers/binary_pairs_reader.h"
#include "graph/readers/buffered_reader.h"
#include "graph/readers/decompressed_input.h"
#include "graph/readers/gapbs_reader.h"
#include "graph/readers/matrix_market_reader.h"
#include "graph/readers/snap_reader.h"
#include "graph/readers/text_fields.h"

namespace fargraph {
namespace {

/// How much of a file decides its format.
constexpr size_t kHeadBytes = 64 * kKiB;

absl::StatusOr<std::string> ReadHead(const InputFile& input) {
  FARGRAPH_ASSIGN_OR_RETURN(BufferedReader reader, BufferedReader::Open(input));
  FARGRAPH_RETURN_IF_ERROR(reader.FillTo(kHeadBytes).status());
  return absl::StrCat(reader.available().substr(0, kHeadBytes));
}

/// True of tabs, line ends, and ASCII that prints.
bool IsAsciiText(char c) { return (c >= ' ' && c <= '~') || (c >= '\t' && c <= '\r'); }

/// True of any byte of UTF-8 or Latin-1 too.
bool IsText(char c) { return IsAsciiText(c) || static_cast<unsigned char>(c) >= 0x80; }

bool BeginsWithTextLine(absl::string_view head) {
  const size_t line_end = head.find('\n');
  return line_end != absl::string_view::npos &&
         std::all_of(head.begin(), head.begin() + line_end, IsAsciiText);
}

/// Text in 16-bit units, as some editors and shells save it. Without this, a quarter of such files
/// would pass for binary pairs.
bool IsUtf16(absl::string_view head) {
  constexpr size_t kUnitsToTell = 8;
  const bool little_endian = absl::StartsWith(head, "\xFF\xFE");
  if (!little_endian && !absl::StartsWith(head, "\xFE\xFF")) return false;
  for (size_t unit = 1; unit <= kUnitsToTell && 2 * unit + 1 < head.size(); ++unit) {
    const char low = head[2 * unit + (little_endian ? 0 : 1)];
    const char high = head[2 * unit + (little_endian ? 1 : 0)];
    if (high != 0 || !IsText(low)) return false;
  }
  return true;
}

/// What a file is that is none of the formats, where its first bytes say so, and what to do.
absl::string_view DescribeForeignFormat(absl::string_view head) {
  struct Foreign {
    absl::string_view magic;
    absl::string_view description;
  };
  static constexpr std::array<Foreign, 6> kForeign = {{
      {"FARGRAPH",
       "it is an array of a graph that is converted already; give the directory that holds it to "
       "`fargraph run`"},
      {"\xFD\x37zXZ", "it is compressed with xz; decompress it, or compress it with zstd"},
      {"BZh", "it is compressed with bzip2; decompress it, or compress it with zstd"},
      {"\x04\x22\x4D\x18", "it is compressed with lz4; decompress it, or compress it with zstd"},
      {"PK\x03\x04", "it is a zip archive; unpack it"},
      {"PAR1", "it is a Parquet table; write its edges as text"},
  }};
  for (const Foreign& foreign : kForeign) {
    if (absl::StartsWith(head, foreign.magic)) return foreign.description;
  }
  return "";
}

absl::StatusOr<std::unique_ptr<EdgeReader>> OpenText(std::shared_ptr<const InputFile> input,
                                                     absl::string_view head) {
  absl::ConsumePrefix(&head, kByteOrderMark);
  if (IsMatrixMarket(head)) return OpenMatrixMarketReader(std::move(input));
  if (IsAdjacencyGraph(head)) return OpenAdjacencyGraphReader(std::move(input));
  return OpenSnapReader(std::move(input));
}

/// Opens an input that is not compressed, or not any more.
absl::StatusOr<std::unique_ptr<EdgeReader>> OpenContent(std::shared_ptr<const InputFile> input,
                                                        absl::string_view head) {
  if (head.empty()) return InputError(*input, "it is empty; name a file with edges");
  if (IsUtf16(head)) return InputError(*input, "it is text in UTF-16; save it as UTF-8");
  if (std::all_of(head.begin(), head.end(), IsText)) return OpenText(std::move(input), head);

  FARGRAPH_ASSIGN_OR_RETURN(const uint64_t size, input->Size());
  if (BeginsAsGapbs(head)) {
    FARGRAPH_ASSIGN_OR_RETURN(const GapbsHeader header, ParseGapbsHeader(*input, head, size));
    return OpenGapbsReader(std::move(input), header);
  }
  const absl::Status pairs = CheckBinaryPairs(head, size);
  if (pairs.ok()) return OpenBinaryPairsReader(std::move(input), size);
  const absl::string_view foreign = DescribeForeignFormat(head);
  if (!foreign.empty()) return InputError(*input, foreign);
  // Text with something else in it: its reader says in which line.
  if (BeginsWithTextLine(head)) return OpenText(std::move(input), head);
  return InputError(
      *input, absl::StrCat("it is no graph: not text, not a GAPBS graph, and not binary pairs (",
                           pairs.message(),
                           "); docs/input-formats.md describes the formats that Fargraph reads"));
}

}  // namespace

absl::StatusOr<std::unique_ptr<EdgeReader>> OpenEdgeReader(std::shared_ptr<const InputFile> input) {
  FARGRAPH_ASSIGN_OR_RETURN(const std::string head, ReadHead(*input));
  const Compression compression = CompressionOf(head);
  if (compression == Compression::kNone) return OpenContent(std::move(input), head);

  auto content = MakeDecompressedInput(input, compression);
  const absl::StatusOr<std::string> content_head = ReadHead(*content);
  if (content_head.ok()) return OpenContent(std::move(content), *content_head);
  // The first pair of ids may happen to be the mark of a compressed file. A file that has not even
  // room for a compressed one is more likely the beginning of one.
  constexpr uint64_t kSmallestGzipBytes = 20;
  FARGRAPH_ASSIGN_OR_RETURN(const uint64_t size, input->Size());
  if (size >= kSmallestGzipBytes && CheckBinaryPairs(head, size).ok()) {
    return OpenContent(std::move(input), head);
  }
  return content_head.status();
}

absl::StatusOr<std::unique_ptr<EdgeReader>> OpenEdgeReader(const std::string& path) {
  FARGRAPH_ASSIGN_OR_RETURN(std::shared_ptr<const InputFile> input, OpenInputFile(path));
  return OpenEdgeReader(std::move(input));
}

}  // namespace fargraph

#include "graph/readers/open_edge_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graph/readers/binary_pairs_reader.h"
#include "graph/readers/buffered_reader.h"
#include "graph/readers/snap_reader.h"

namespace fargraph {
namespace {

/// Decides text or binary, and is all of a small file.
constexpr size_t kHeadBytes = 64 * kKiB;

/// True of tabs, line ends, ASCII that prints, and any byte of UTF-8 or Latin-1.
bool IsText(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 0x20 && byte != 0x7F) || (byte >= '\t' && byte <= '\r');
}

/// True if the first line of `head` is text, whatever comes after it.
bool BeginsWithTextLine(absl::string_view head) {
  const size_t line_end = head.find('\n');
  return line_end != absl::string_view::npos &&
         std::all_of(head.begin(), head.begin() + line_end, IsText);
}

absl::StatusOr<std::unique_ptr<EdgeReader>> OpenText(std::shared_ptr<const InputFile> input) {
  return OpenSnapReader(std::move(input));
}

}  // namespace

absl::StatusOr<std::unique_ptr<EdgeReader>> OpenEdgeReader(std::shared_ptr<const InputFile> input) {
  FARGRAPH_ASSIGN_OR_RETURN(BufferedReader reader, BufferedReader::Open(*input));
  FARGRAPH_RETURN_IF_ERROR(reader.FillTo(kHeadBytes).status());
  const absl::string_view head = reader.available().substr(0, kHeadBytes);
  if (head.empty()) return InputError(*input, "it is empty; name a file with edges");
  if (std::all_of(head.begin(), head.end(), IsText)) return OpenText(std::move(input));

  FARGRAPH_ASSIGN_OR_RETURN(const uint64_t size, input->Size());
  const absl::Status pairs = CheckBinaryPairs(head, size);
  if (pairs.ok()) return OpenBinaryPairsReader(std::move(input));
  // Text with something else in it: its reader says in which line.
  if (BeginsWithTextLine(head)) return OpenText(std::move(input));
  return InputError(*input, absl::StrCat("it has none of the formats that Fargraph reads (SNAP "
                                         "text, binary pairs): it is not text, and not binary "
                                         "pairs because ",
                                         pairs.message()));
}

absl::StatusOr<std::unique_ptr<EdgeReader>> OpenEdgeReader(const std::string& path) {
  FARGRAPH_ASSIGN_OR_RETURN(std::shared_ptr<const InputFile> input, OpenInputFile(path));
  return OpenEdgeReader(std::move(input));
}

}  // namespace fargraph

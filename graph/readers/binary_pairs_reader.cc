#include "graph/readers/binary_pairs_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graph/readers/buffered_reader.h"

namespace fargraph {
namespace {

struct Pair {
  uint32_t source;
  uint32_t target;
};

Pair LoadPair(const char* bytes) {
  Pair pair;
  std::memcpy(&pair, bytes, sizeof(pair));
  return pair;
}

class BinaryPairsReader final : public EdgeReader {
 public:
  BinaryPairsReader(std::shared_ptr<const InputFile> input, BufferedReader bytes, uint64_t pairs)
      : input_(std::move(input)),
        bytes_(std::move(bytes)),
        pairs_left_(pairs),
        largest_id_(LargestPlausibleId(pairs)) {
    properties_.format = "binary pairs";
  }

  const InputProperties& properties() const override { return properties_; }

  absl::StatusOr<size_t> Read(absl::Span<InputEdge> edges) override {
    if (edges.empty() || pairs_left_ == 0) return 0;
    FARGRAPH_ASSIGN_OR_RETURN(const bool more, bytes_.FillTo(sizeof(Pair)));
    if (!more) return ShrunkError(*input_, bytes_.offset());
    const char* next = bytes_.available().data();
    const size_t count =
        std::min<size_t>({edges.size(), bytes_.available().size() / sizeof(Pair), pairs_left_});
    uint32_t largest = 0;
    for (size_t i = 0; i < count; ++i) {
      const Pair pair = LoadPair(next + i * sizeof(Pair));
      edges[i] = {pair.source, pair.target, 0};
      largest = std::max({largest, pair.source, pair.target});
    }
    if (largest > largest_id_) return ImplausibleId(edges.first(count));
    bytes_.Consume(count * sizeof(Pair));
    pairs_left_ -= count;
    return count;
  }

 private:
  absl::Status ImplausibleId(absl::Span<const InputEdge> edges) const {
    size_t at = 0;
    while (std::max(edges[at].source, edges[at].target) <= largest_id_) ++at;
    return OffsetError(*input_, bytes_.offset() + at * sizeof(Pair),
                       absl::StrCat("the pair ", edges[at].source, " ", edges[at].target,
                                    " has an id above ", largest_id_,
                                    ", the most that is plausible in this many binary pairs; if it "
                                    "is a file of pairs and not damaged, give it as text"));
  }

  std::shared_ptr<const InputFile> input_;
  BufferedReader bytes_;
  uint64_t pairs_left_;
  uint64_t largest_id_;
  InputProperties properties_;
};

}  // namespace

uint64_t LargestPlausibleId(uint64_t pairs) {
  constexpr uint64_t kIdsOfAnyFile = uint64_t{1} << 24;
  constexpr uint64_t kIdsPerPair = 16;
  return std::max(kIdsOfAnyFile, kIdsPerPair * pairs) - 1;
}

absl::Status CheckBinaryPairs(absl::string_view head, uint64_t size) {
  if (size % sizeof(Pair) != 0) {
    return absl::DataLossError(absl::StrCat("its ", size, " bytes are not a multiple of 8"));
  }
  const uint64_t largest_id = LargestPlausibleId(size / sizeof(Pair));
  bool all_zero = true;
  for (size_t i = 0; i + sizeof(Pair) <= head.size(); i += sizeof(Pair)) {
    const Pair pair = LoadPair(head.data() + i);
    const uint32_t larger = std::max(pair.source, pair.target);
    if (larger > largest_id) {
      return absl::DataLossError(absl::StrCat("as a pair the 8 bytes at offset ", i,
                                              " have the id ", larger, ", and ", largest_id,
                                              " is the most that is plausible in a file of its "
                                              "size"));
    }
    all_zero = all_zero && larger == 0;
  }
  if (all_zero) return absl::DataLossError("it begins with zeros only");
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<EdgeReader>> OpenBinaryPairsReader(
    std::shared_ptr<const InputFile> input, uint64_t size) {
  FARGRAPH_ASSIGN_OR_RETURN(BufferedReader bytes, BufferedReader::Open(*input));
  return std::make_unique<BinaryPairsReader>(std::move(input), std::move(bytes),
                                             size / sizeof(Pair));
}

}  // namespace fargraph

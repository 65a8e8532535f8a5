#include "graph/verify_files.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/mix_bits.h"
#include "common/status_macros.h"
#include "graph/edge_hash.h"
#include "graph/format/array_cursor.h"
#include "graph/format/array_reader.h"
#include "graph/format/neighbor_reader.h"
#include "graph/vertex_names.h"

namespace fargraph {
namespace {

// The weights of the lists of one direction, one after the other, as bits: 0 where there are none.
class WeightCursor {
 public:
  WeightCursor(const GraphFiles& files, Direction direction) {
    const WeightType type = files.manifest().weight_type;
    if (type == WeightType::kNone) return;
    const ArrayFile& weights = files.Weights(direction);
    if (type == WeightType::kUint8) {
      bytes_.emplace(weights);
    } else {
      words_.emplace(weights);
    }
  }

  absl::Status Next(uint32_t& bits) {
    if (words_) return words_->Next(bits);
    uint8_t byte = 0;
    if (bytes_) FARGRAPH_RETURN_IF_ERROR(bytes_->Next(byte));
    bits = byte;
    return absl::OkStatus();
  }

 private:
  std::optional<ArrayCursor<uint8_t>> bytes_;
  std::optional<ArrayCursor<uint32_t>> words_;
};

// One column of heads, compared with the lists as these are read.
class HeadsColumnVerifier {
 public:
  explicit HeadsColumnVerifier(const ArrayFile& column) : column_(column) {}

  // `neighbor` is what the list of the next vertex has at the column's position, or kNoVertex.
  absl::Status Expect(VertexId neighbor) {
    VertexId stored = kNoVertex;
    if (column_.remaining() > 0) FARGRAPH_RETURN_IF_ERROR(column_.Next(stored));
    if (stored != neighbor) {
      return DamagedFileError(
          column_.array().path(),
          absl::StrCat("at vertex ", vertex_, " it differs from the list of that vertex"));
    }
    if (stored != kNoVertex) last_vertex_ = vertex_;
    ++vertex_;
    return absl::OkStatus();
  }

  // After the last vertex.
  absl::Status Finish() const {
    if (column_.array().elements() == last_vertex_ + 1) return absl::OkStatus();
    return DamagedFileError(column_.array().path(),
                            "it goes on after the last vertex that has so many neighbours");
  }

 private:
  ArrayCursor<VertexId> column_;
  uint64_t vertex_ = 0;
  uint64_t last_vertex_ = ~uint64_t{0};  // with a neighbour at this position; -1: none
};

// Sums of the hashes of all edges, from the vertices to those in their lists, and of the opposite
// edges. By these, edges are compared without being in memory.
struct EdgeSums {
  uint64_t edges = 0;
  uint64_t opposite = 0;
};

// Walks the lists of one direction once.
class ListsVerifier {
 public:
  ListsVerifier(const GraphFiles& files, Direction direction)
      : vertices_(files.manifest().vertices),
        edges_(files.manifest().edges),
        index_(files.Index(direction)),
        targets_(ReadNeighbors(files, direction)),
        weights_(files, direction),
        buffer_(kArrayBlockBytes / sizeof(VertexId)) {
    for (uint64_t i = 0; i < files.manifest().heads; ++i) {
      heads_.emplace_back(files.HeadsColumn(direction, i));
    }
  }

  absl::StatusOr<EdgeSums> Verify() {
    FARGRAPH_RETURN_IF_ERROR(ReadOffset());
    if (offset_ != 0) return BadOffsets();
    for (uint64_t vertex = 0; vertex < vertices_; ++vertex) {
      FARGRAPH_RETURN_IF_ERROR(VerifyList(vertex));
    }
    if (offset_ != edges_) return BadOffsets();
    FARGRAPH_RETURN_IF_ERROR(targets_->Read(absl::MakeSpan(buffer_)).status());  // nothing is left
    for (const HeadsColumnVerifier& column : heads_) FARGRAPH_RETURN_IF_ERROR(column.Finish());
    return sums_;
  }

 private:
  absl::Status BadOffsets() const {
    return DamagedFileError(index_.array().path(),
                            "its offsets do not ascend from 0 to the edge count");
  }

  absl::Status ReadOffset() {
    const EdgeOffset previous = offset_;
    FARGRAPH_RETURN_IF_ERROR(index_.Next(offset_));
    return offset_ < previous || offset_ > edges_ ? BadOffsets() : absl::OkStatus();
  }

  absl::Status NextTarget(VertexId& target) {
    if (next_target_ == buffered_) {
      FARGRAPH_ASSIGN_OR_RETURN(buffered_, targets_->Read(absl::MakeSpan(buffer_)));
      next_target_ = 0;
    }
    target = buffer_[next_target_++];
    return absl::OkStatus();
  }

  absl::Status AddEdge(uint64_t vertex, VertexId target) {
    uint32_t weight_bits = 0;
    FARGRAPH_RETURN_IF_ERROR(weights_.Next(weight_bits));
    sums_.edges += EdgeHash(vertex, target, weight_bits);
    sums_.opposite += EdgeHash(target, vertex, weight_bits);
    return absl::OkStatus();
  }

  absl::Status VerifyList(uint64_t vertex) {
    const EdgeOffset begin = offset_;
    FARGRAPH_RETURN_IF_ERROR(ReadOffset());
    VertexId previous = 0;
    for (EdgeOffset edge = begin; edge < offset_; ++edge) {
      VertexId target = 0;
      FARGRAPH_RETURN_IF_ERROR(NextTarget(target));
      if (target >= vertices_) {
        return DamagedFileError(
            targets_->array().path(),
            absl::StrCat("edge ", edge, " points to vertex ", target, " of ", vertices_));
      }
      if (target < previous) {
        return DamagedFileError(targets_->array().path(),
                                absl::StrCat("the list of vertex ", vertex, " does not ascend"));
      }
      previous = target;
      FARGRAPH_RETURN_IF_ERROR(AddEdge(vertex, target));
      if (edge - begin < heads_.size()) {
        FARGRAPH_RETURN_IF_ERROR(heads_[edge - begin].Expect(target));
      }
    }
    for (uint64_t i = offset_ - begin; i < heads_.size(); ++i) {
      FARGRAPH_RETURN_IF_ERROR(heads_[i].Expect(kNoVertex));
    }
    return absl::OkStatus();
  }

  uint64_t vertices_;
  uint64_t edges_;
  ArrayCursor<EdgeOffset> index_;
  std::unique_ptr<NeighborReader> targets_;
  WeightCursor weights_;
  std::vector<VertexId> buffer_;  // targets, of which those from next_target_ are to be verified
  size_t buffered_ = 0;
  size_t next_target_ = 0;
  std::vector<HeadsColumnVerifier> heads_;
  EdgeOffset offset_ = 0;  // where the next list begins
  EdgeSums sums_;
};

const std::string& PathOfLists(const GraphFiles& files, Direction direction) {
  return files.manifest().compressed ? files.Codes(direction).path()
                                     : files.Edges(direction).path();
}

// Those of both directions, and that they hold the same edges.
absl::Status VerifyLists(const GraphFiles& files) {
  FARGRAPH_ASSIGN_OR_RETURN(const EdgeSums out, ListsVerifier(files, Direction::kOut).Verify());
  const std::string& out_path = PathOfLists(files, Direction::kOut);
  if (files.manifest().symmetric && out.edges != out.opposite) {
    return DamagedFileError(
        out_path, "its graph is symmetric, but not every edge is there in both directions");
  }
  if (!files.manifest().has_reverse) return absl::OkStatus();
  FARGRAPH_ASSIGN_OR_RETURN(const EdgeSums in, ListsVerifier(files, Direction::kIn).Verify());
  if (in.opposite == out.edges) return absl::OkStatus();
  return DamagedFileError(PathOfLists(files, Direction::kIn),
                          absl::StrCat("its lists are not the reverse of those of ", out_path));
}

absl::Status VerifyIdsAscend(const ArrayFile& ids) {
  ArrayCursor<uint64_t> cursor(ids);
  uint64_t previous = 0;
  while (cursor.remaining() > 0) {
    const bool first = cursor.remaining() == ids.elements();
    uint64_t id = 0;
    FARGRAPH_RETURN_IF_ERROR(cursor.Next(id));
    if (!first && id <= previous) return DamagedFileError(ids.path(), "its ids do not ascend");
    previous = id;
  }
  return absl::OkStatus();
}

// The sum of a hash of all pairs (index, element) of an array; inverted, of (element, index).
absl::StatusOr<uint64_t> SumPairs(const ArrayFile& array, bool inverted) {
  uint64_t sum = 0;
  ArrayCursor<VertexId> cursor(array);
  for (uint64_t index = 0; index < array.elements(); ++index) {
    VertexId element = 0;
    FARGRAPH_RETURN_IF_ERROR(cursor.Next(element));
    const uint64_t first = inverted ? element : index;
    const uint64_t second = inverted ? index : element;
    sum += MixBits(first + MixBits(second));
  }
  return sum;
}

// Both hold the same pairs if each is the inverse of the other and, but for one chance in 2^64,
// only then. So neither needs to be in memory.
absl::Status VerifyInverse(const ArrayFile& order, const ArrayFile& ranks) {
  FARGRAPH_ASSIGN_OR_RETURN(const uint64_t order_pairs, SumPairs(order, /*inverted=*/false));
  FARGRAPH_ASSIGN_OR_RETURN(const uint64_t rank_pairs, SumPairs(ranks, /*inverted=*/true));
  if (order_pairs == rank_pairs) return absl::OkStatus();
  return DamagedFileError(ranks.path(), absl::StrCat("it is not the inverse of ", order.path()));
}

absl::Status VerifyNames(const VertexNames::Arrays& arrays) {
  if (arrays.ids != nullptr) FARGRAPH_RETURN_IF_ERROR(VerifyIdsAscend(*arrays.ids));
  if (arrays.order == nullptr) return absl::OkStatus();
  return VerifyInverse(*arrays.order, *arrays.ranks);
}

}  // namespace

absl::Status VerifyFiles(const GraphFiles& files) {
  FARGRAPH_RETURN_IF_ERROR(VerifyLists(files));
  return VerifyNames(files.names().arrays());
}

}  // namespace fargraph

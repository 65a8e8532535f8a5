#include "graph/format/neighbor_reader.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graph/format/array_cursor.h"
#include "graph/format/array_format.h"
#include "graph/format/array_reader.h"

namespace fargraph {
namespace {

class RawNeighborReader final : public NeighborReader {
 public:
  explicit RawNeighborReader(const ArrayFile& edges) : edges_(edges) {}

  absl::StatusOr<size_t> Read(absl::Span<VertexId> neighbors) override {
    const size_t count = std::min<uint64_t>(neighbors.size(), edges_.elements() - position_);
    FARGRAPH_RETURN_IF_ERROR(
        edges_.Read(position_ * sizeof(VertexId),
                    {reinterpret_cast<std::byte*>(neighbors.data()), count * sizeof(VertexId)}));
    position_ += count;
    return count;
  }

  const ArrayFile& array() const override { return edges_; }

 private:
  const ArrayFile& edges_;
  uint64_t position_ = 0;
};

/// Bytes of an array from front to back, through a buffer that begins with what is wanted next.
class ByteWindow {
 public:
  explicit ByteWindow(const ArrayFile& array) : array_(array) {}

  const ArrayFile& array() const { return array_; }

  /// The next `count` bytes, or all that are left; kCodeSlackBytes more may be read behind them.
  absl::StatusOr<absl::Span<const std::byte>> Peek(size_t count) {
    if (count > end_ - begin_) FARGRAPH_RETURN_IF_ERROR(Fill(count));
    return absl::MakeConstSpan(buffer_).subspan(begin_, std::min(count, end_ - begin_));
  }
  void Skip(size_t count) { begin_ += count; }

 private:
  absl::Status Fill(size_t count) {
    std::copy(buffer_.begin() + begin_, buffer_.begin() + end_, buffer_.begin());
    end_ -= begin_;
    begin_ = 0;
    // Whole checksum blocks, so that none is read twice.
    while (end_ < count && position_ < array_.bytes()) {
      const uint64_t block = std::min(kArrayBlockBytes, array_.bytes() - position_);
      buffer_.resize(std::max(buffer_.size(), end_ + block + kCodeSlackBytes));
      FARGRAPH_RETURN_IF_ERROR(array_.Read(position_, {buffer_.data() + end_, block}));
      position_ += block;
      end_ += block;
    }
    return absl::OkStatus();
  }

  const ArrayFile& array_;
  std::vector<std::byte> buffer_ = std::vector<std::byte>(kCodeSlackBytes);
  size_t begin_ = 0;  // what is wanted next is [begin_, end_) of the buffer
  size_t end_ = 0;
  uint64_t position_ = 0;  // of the array, from where nothing has been read
};

class CodedNeighborReader final : public NeighborReader {
 public:
  CodedNeighborReader(const GraphFiles& files, Direction direction)
      : vertices_(files.manifest().vertices),
        index_(files.Index(direction)),
        code_index_(files.CodeIndex(direction)),
        codes_(files.Codes(direction)) {}

  absl::StatusOr<size_t> Read(absl::Span<VertexId> neighbors) override {
    size_t count = 0;
    while (true) {
      if (edges_left_ == 0) {
        FARGRAPH_ASSIGN_OR_RETURN(const bool found, FindList());
        if (!found) return count;
      }
      const size_t block = std::min<uint64_t>(edges_left_, kBlockEdges);
      if (DecodedEdges(block) > neighbors.size() - count) return count;
      FARGRAPH_RETURN_IF_ERROR(Decode(block, neighbors.data() + count));
      count += block;
    }
  }

  const ArrayFile& array() const override { return codes_.array(); }

 private:
  /// Goes on to the next list that is not empty; false when there is none.
  absl::StatusOr<bool> FindList() {
    if (index_.remaining() > vertices_) FARGRAPH_RETURN_IF_ERROR(NextOffsets());
    while (edges_left_ == 0) {
      if (code_left_ != 0) return DamagedList("has bytes behind its last neighbour");
      if (next_vertex_ == vertices_) {
        if (code_offset_ != array().bytes()) return BadOffsets(code_index_.array());
        return false;
      }
      const EdgeOffset first_edge = offset_;
      const uint64_t first_byte = code_offset_;
      FARGRAPH_RETURN_IF_ERROR(NextOffsets());
      edges_left_ = offset_ - first_edge;
      code_left_ = code_offset_ - first_byte;
      ++next_vertex_;
    }
    return true;
  }

  absl::Status NextOffsets() {
    FARGRAPH_RETURN_IF_ERROR(NextOffset(index_, offset_));
    return NextOffset(code_index_, code_offset_);
  }

  static absl::Status NextOffset(ArrayCursor<uint64_t>& index, uint64_t& offset) {
    const uint64_t previous = offset;
    FARGRAPH_RETURN_IF_ERROR(index.Next(offset));
    return offset < previous ? BadOffsets(index.array()) : absl::OkStatus();
  }

  absl::Status Decode(size_t block, VertexId* neighbors) {
    const size_t most_bytes = std::min<uint64_t>(code_left_, MaxBlockBytes(block));
    FARGRAPH_ASSIGN_OR_RETURN(const auto code, codes_.Peek(most_bytes));
    const size_t bytes =
        DecodeBlock(static_cast<VertexId>(next_vertex_ - 1), code, block, neighbors);
    if (bytes == 0) return DamagedList("is no code of its neighbours");
    codes_.Skip(bytes);
    code_left_ -= bytes;
    edges_left_ -= block;
    return absl::OkStatus();
  }

  absl::Status DamagedList(absl::string_view what) const {
    return DamagedFileError(array().path(),
                            absl::StrCat("the list of vertex ", next_vertex_ - 1, " ", what));
  }

  static absl::Status BadOffsets(const ArrayFile& array) {
    return DamagedFileError(array.path(), "its offsets do not ascend to the end of the lists");
  }

  const uint64_t vertices_;
  ArrayCursor<EdgeOffset> index_;
  ArrayCursor<uint64_t> code_index_;
  ByteWindow codes_;
  uint64_t next_vertex_ = 0;  // after the one whose list is read
  EdgeOffset offset_ = 0;     // of its list
  uint64_t code_offset_ = 0;
  uint64_t edges_left_ = 0;  // of the list that is read
  uint64_t code_left_ = 0;
};

}  // namespace

std::unique_ptr<NeighborReader> ReadNeighbors(const GraphFiles& files, Direction direction) {
  if (files.manifest().compressed) return std::make_unique<CodedNeighborReader>(files, direction);
  return std::make_unique<RawNeighborReader>(files.Edges(direction));
}

absl::Status ScanNeighbors(const GraphFiles& files, Direction direction, BlockVisitor at_once,
                           BlockVisitor in_order) {
  if (!files.manifest().compressed) return files.Edges(direction).Scan(at_once, in_order);
  CodedNeighborReader reader(files, direction);
  std::vector<VertexId> neighbors(kArrayBlockBytes / sizeof(VertexId));
  uint64_t offset = 0;
  while (true) {
    FARGRAPH_ASSIGN_OR_RETURN(const size_t count, reader.Read(absl::MakeSpan(neighbors)));
    if (count == 0) return absl::OkStatus();
    const absl::Span<const std::byte> bytes(reinterpret_cast<const std::byte*>(neighbors.data()),
                                            count * sizeof(VertexId));
    FARGRAPH_RETURN_IF_ERROR(at_once(offset, bytes));
    FARGRAPH_RETURN_IF_ERROR(in_order(offset, bytes));
    offset += bytes.size();
  }
}

}  // namespace fargraph

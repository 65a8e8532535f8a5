#ifndef FARGRAPH_GRAPH_BUILDER_LIST_WRITER_H_
#define FARGRAPH_GRAPH_BUILDER_LIST_WRITER_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/status_macros.h"
#include "graph/builder/code_writer.h"
#include "graph/builder/edge_record.h"
#include "graph/builder/heads_writer.h"
#include "graph/format/graph_directory.h"

namespace fargraph {

/// Turns edges that come in ascending order into the arrays of one direction: index, edges or their
/// codes, weights, heads. Used by one thread.
template <bool kWeighted>
class ListWriter {
 public:
  using Record = EdgeRecord<kWeighted>;

  static absl::StatusOr<ListWriter> Create(const GraphDirectory& directory, Direction direction,
                                           uint64_t vertices, WeightType weight_type,
                                           bool remove_duplicates, bool compress, size_t heads);

  absl::Status Append(absl::Span<const typename Record::Word> records);

  /// Adds the finished arrays to `arrays`. The last call but for the counts.
  absl::Status Finish(ArrayHeaders& arrays);

  uint64_t edges() const { return edges_; }
  uint64_t duplicates() const { return duplicates_; }

 private:
  ListWriter(Direction direction, uint64_t vertices, WeightType weight_type, bool remove_duplicates,
             ArrayWriter index, HeadsWriter heads)
      : direction_(direction),
        vertices_(vertices),
        weight_type_(weight_type),
        remove_duplicates_(remove_duplicates),
        index_(std::move(index)),
        heads_(std::move(heads)) {}

  // The lists of all vertices up to `vertex` begin here or before.
  absl::Status BeginListsUpTo(uint64_t vertex) {
    if (next_vertex_ <= vertex) list_begin_ = edges_;
    for (; next_vertex_ <= vertex; ++next_vertex_) {
      FARGRAPH_RETURN_IF_ERROR(index_.Append(EdgeOffset{edges_}));
    }
    return absl::OkStatus();
  }

  absl::Status AppendTarget(VertexId source, VertexId target) {
    return codes_ ? codes_->Append(source, target) : targets_->Append(target);
  }

  absl::Status AppendWeight(uint32_t bits) {
    return weight_type_ == WeightType::kUint8 ? weights_->Append(static_cast<uint8_t>(bits))
                                              : weights_->Append(bits);
  }

  Direction direction_;
  uint64_t vertices_;
  WeightType weight_type_;
  bool remove_duplicates_;
  ArrayWriter index_;
  std::optional<ArrayWriter> targets_;
  std::optional<CodeWriter> codes_;  // in their place
  HeadsWriter heads_;
  std::optional<ArrayWriter> weights_;
  uint64_t next_vertex_ = 0;  // the first whose list has not begun
  uint64_t edges_ = 0;
  uint64_t list_begin_ = 0;  // of the list that grows, in edges
  uint64_t duplicates_ = 0;
  std::optional<typename Record::Word> previous_ends_;
};

template <bool kWeighted>
absl::StatusOr<ListWriter<kWeighted>> ListWriter<kWeighted>::Create(
    const GraphDirectory& directory, Direction direction, uint64_t vertices, WeightType weight_type,
    bool remove_duplicates, bool compress, size_t heads) {
  FARGRAPH_ASSIGN_OR_RETURN(ArrayWriter index,
                            directory.CreateArray(IndexArray(direction), ElementType::kUint64));
  FARGRAPH_ASSIGN_OR_RETURN(HeadsWriter heads_writer,
                            HeadsWriter::Create(directory, direction, heads));
  ListWriter writer(direction, vertices, weight_type, remove_duplicates, std::move(index),
                    std::move(heads_writer));
  if (compress) {
    FARGRAPH_ASSIGN_OR_RETURN(CodeWriter codes, CodeWriter::Create(directory, direction));
    writer.codes_.emplace(std::move(codes));
  } else {
    FARGRAPH_ASSIGN_OR_RETURN(ArrayWriter targets,
                              directory.CreateArray(EdgesArray(direction), kVertexIdType));
    writer.targets_.emplace(std::move(targets));
  }
  if constexpr (kWeighted) {
    FARGRAPH_ASSIGN_OR_RETURN(
        ArrayWriter weights,
        directory.CreateArray(WeightsArray(direction), WeightElementType(weight_type)));
    writer.weights_.emplace(std::move(weights));
  }
  return writer;
}

template <bool kWeighted>
absl::Status ListWriter<kWeighted>::Append(absl::Span<const typename Record::Word> records) {
  for (const typename Record::Word record : records) {
    const bool duplicate = previous_ends_ == Record::Ends(record);
    duplicates_ += duplicate;
    if (duplicate && remove_duplicates_) continue;
    previous_ends_ = Record::Ends(record);

    const auto source = static_cast<VertexId>(Record::Source(record));
    const auto target = static_cast<VertexId>(Record::Target(record));
    FARGRAPH_RETURN_IF_ERROR(BeginListsUpTo(source));
    FARGRAPH_RETURN_IF_ERROR(AppendTarget(source, target));
    if (const uint64_t position = edges_ - list_begin_; position < heads_.columns()) {
      FARGRAPH_RETURN_IF_ERROR(heads_.Append(source, position, target));
    }
    if constexpr (kWeighted) {
      FARGRAPH_RETURN_IF_ERROR(
          AppendWeight(UnorderWeight(Record::OrderedWeight(record), weight_type_)));
    }
    ++edges_;
  }
  return absl::OkStatus();
}

template <bool kWeighted>
absl::Status ListWriter<kWeighted>::Finish(ArrayHeaders& arrays) {
  FARGRAPH_RETURN_IF_ERROR(BeginListsUpTo(vertices_));
  FARGRAPH_ASSIGN_OR_RETURN(arrays[IndexArray(direction_)], index_.Finish());
  if (codes_) {
    FARGRAPH_RETURN_IF_ERROR(codes_->Finish(vertices_, arrays));
  } else {
    FARGRAPH_ASSIGN_OR_RETURN(arrays[EdgesArray(direction_)], targets_->Finish());
  }
  FARGRAPH_RETURN_IF_ERROR(heads_.Finish(arrays));
  if constexpr (kWeighted) {
    FARGRAPH_ASSIGN_OR_RETURN(arrays[WeightsArray(direction_)], weights_->Finish());
  }
  return absl::OkStatus();
}

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_BUILDER_LIST_WRITER_H_

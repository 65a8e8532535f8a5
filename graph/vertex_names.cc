#include "graph/vertex_names.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "common/status_macros.h"
#include "graph/format/array_format.h"
#include "graph/format/array_reader.h"

namespace fargraph {
namespace {

template <typename Element>
absl::Status ReadElements(const ArrayFile& array, uint64_t begin, absl::Span<Element> elements) {
  return array.Read(begin * sizeof(Element), {reinterpret_cast<std::byte*>(elements.data()),
                                              elements.size() * sizeof(Element)});
}

// A vertex or a rank, which has to be one.
absl::StatusOr<VertexId> ReadNumber(const ArrayFile& array, uint64_t index) {
  VertexId number = 0;
  FARGRAPH_RETURN_IF_ERROR(ReadElements(array, index, absl::MakeSpan(&number, 1)));
  if (number < array.elements()) return number;
  return DamagedFileError(array.path(),
                          absl::StrCat("number ", index, " is ", number, " of ", array.elements()));
}

}  // namespace

absl::StatusOr<uint64_t> VertexNames::IdOfRank(uint64_t rank) const {
  if (arrays_.ids == nullptr) return rank;
  uint64_t id = 0;
  FARGRAPH_RETURN_IF_ERROR(ReadElements(*arrays_.ids, rank, absl::MakeSpan(&id, 1)));
  return id;
}

absl::StatusOr<uint64_t> VertexNames::IdOf(VertexId vertex) const {
  if (arrays_.ranks == nullptr) return IdOfRank(vertex);
  FARGRAPH_ASSIGN_OR_RETURN(const VertexId rank, ReadNumber(*arrays_.ranks, vertex));
  return IdOfRank(rank);
}

// Searches for the checksum block that would hold the id by the first id of each, then within it.
absl::StatusOr<std::optional<uint64_t>> VertexNames::FindRank(uint64_t id) const {
  if (arrays_.ids == nullptr) return id < vertices_ ? std::optional(id) : std::nullopt;
  constexpr uint64_t kBlockIds = kArrayBlockBytes / sizeof(uint64_t);
  uint64_t block = 0;
  uint64_t end_block = (vertices_ + kBlockIds - 1) / kBlockIds;
  if (end_block == 0) return std::nullopt;
  while (end_block - block > 1) {
    const uint64_t middle = block + (end_block - block) / 2;
    FARGRAPH_ASSIGN_OR_RETURN(const uint64_t first_id, IdOfRank(middle * kBlockIds));
    (first_id <= id ? block : end_block) = middle;
  }

  const uint64_t first_rank = block * kBlockIds;
  std::vector<uint64_t> ids(std::min(kBlockIds, vertices_ - first_rank));
  FARGRAPH_RETURN_IF_ERROR(ReadElements(*arrays_.ids, first_rank, absl::MakeSpan(ids)));
  const auto found = std::lower_bound(ids.begin(), ids.end(), id);
  if (found == ids.end() || *found != id) return std::nullopt;
  return first_rank + (found - ids.begin());
}

absl::StatusOr<std::optional<VertexId>> VertexNames::Find(uint64_t id) const {
  FARGRAPH_ASSIGN_OR_RETURN(const std::optional<uint64_t> rank, FindRank(id));
  if (!rank) return std::nullopt;
  if (arrays_.order == nullptr) return static_cast<VertexId>(*rank);
  return ReadNumber(*arrays_.order, *rank);
}

absl::StatusOr<std::vector<uint64_t>> VertexNames::ReadIds() const {
  std::vector<uint64_t> ids(vertices_);
  AscendingNames ascending(*this);
  for (uint64_t i = 0; i < vertices_; ++i) {
    VertexName name;
    FARGRAPH_RETURN_IF_ERROR(ascending.Next(name));
    ids[name.vertex] = name.id;
  }
  return ids;
}

AscendingNames::AscendingNames(const VertexNames& names) : vertices_(names.vertices()) {
  if (names.arrays().ids != nullptr) ids_.emplace(*names.arrays().ids);
  if (names.arrays().order != nullptr) order_.emplace(*names.arrays().order);
}

absl::Status AscendingNames::Next(VertexName& name) {
  name.vertex = static_cast<VertexId>(rank_);
  name.id = rank_;
  if (ids_) FARGRAPH_RETURN_IF_ERROR(ids_->Next(name.id));
  if (order_) FARGRAPH_RETURN_IF_ERROR(order_->Next(name.vertex));
  if (name.vertex >= vertices_) {
    return DamagedFileError(order_->array().path(),
                            absl::StrCat("number ", rank_, " is ", name.vertex, " of ", vertices_));
  }
  ++rank_;
  return absl::OkStatus();
}

}  // namespace fargraph

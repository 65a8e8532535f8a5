#ifndef FARGRAPH_GRAPH_TEST_NAMES_H_
#define FARGRAPH_GRAPH_TEST_NAMES_H_

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "graph/vertex_names.h"

namespace fargraph {

/// An array in memory in the place of a file, for tests.
template <typename Element>
class MemoryArray final : public ArrayFile {
 public:
  explicit MemoryArray(std::vector<Element> values) : values_(std::move(values)) {}

  const std::string& path() const override { return path_; }
  uint64_t element_bytes() const override { return sizeof(Element); }
  uint64_t elements() const override { return values_.size(); }

  absl::Status Read(uint64_t offset, absl::Span<std::byte> out) const override {
    if (offset + out.size() > bytes()) return absl::InvalidArgumentError("past the end");
    std::memcpy(out.data(), reinterpret_cast<const std::byte*>(values_.data()) + offset,
                out.size());
    return absl::OkStatus();
  }
  absl::Status Scan(BlockVisitor at_once, BlockVisitor in_order) const override {
    const auto block = absl::MakeSpan(reinterpret_cast<const std::byte*>(values_.data()), bytes());
    const absl::Status status = at_once(0, block);
    return status.ok() ? in_order(0, block) : status;
  }

 private:
  std::string path_ = "an array in memory";
  std::vector<Element> values_;
};

/// Names for tests: vertex v is called ids[v].
class TestNames {
 public:
  explicit TestNames(const std::vector<uint64_t>& ids) : TestNames(ids, VerticesById(ids)) {}

  VertexNames names() const {
    return VertexNames(ids_.elements(), {.ids = &ids_, .order = &order_, .ranks = &ranks_});
  }

 private:
  TestNames(const std::vector<uint64_t>& ids, const std::vector<VertexId>& by_id)
      : order_(by_id), ranks_(RanksOf(by_id)), ids_(Ascending(ids, by_id)) {}

  static std::vector<VertexId> VerticesById(const std::vector<uint64_t>& ids) {
    std::vector<VertexId> by_id(ids.size());
    std::iota(by_id.begin(), by_id.end(), 0);
    std::sort(by_id.begin(), by_id.end(), [&](VertexId a, VertexId b) { return ids[a] < ids[b]; });
    return by_id;
  }
  static std::vector<VertexId> RanksOf(const std::vector<VertexId>& by_id) {
    std::vector<VertexId> ranks(by_id.size());
    for (size_t rank = 0; rank < by_id.size(); ++rank) ranks[by_id[rank]] = rank;
    return ranks;
  }
  static std::vector<uint64_t> Ascending(const std::vector<uint64_t>& ids,
                                         const std::vector<VertexId>& by_id) {
    std::vector<uint64_t> ascending;
    for (const VertexId v : by_id) ascending.push_back(ids[v]);
    return ascending;
  }

  MemoryArray<VertexId> order_;
  MemoryArray<VertexId> ranks_;
  MemoryArray<uint64_t> ids_;
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_TEST_NAMES_H_

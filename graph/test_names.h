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
  absl::Status Scan(
      absl::FunctionRef<absl::Status(uint64_t offset, absl::Span<const std::byte> bytes)> visit)
      const override {
    return visit(0, {reinterpret_cast<const std::byte*>(values_.data()), bytes()});
  }

 private:
  std::string path_ = "an array in memory";
  std::vector<Element> values_;
};

/// Names for tests: vertex v is called ids[v].
class TestNames {
 public:
  explicit TestNames(const std::vector<uint64_t>& ids)
      : order_(VerticesById(ids)), ranks_(RanksOf(ids)), ids_(Sorted(ids)) {}

  VertexNames names() const {
    return VertexNames(ids_.elements(), {.ids = &ids_, .order = &order_, .ranks = &ranks_});
  }

 private:
  static std::vector<VertexId> VerticesById(const std::vector<uint64_t>& ids) {
    std::vector<VertexId> order(ids.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](VertexId a, VertexId b) { return ids[a] < ids[b]; });
    return order;
  }
  static std::vector<VertexId> RanksOf(const std::vector<uint64_t>& ids) {
    const std::vector<VertexId> order = VerticesById(ids);
    std::vector<VertexId> ranks(ids.size());
    for (size_t rank = 0; rank < order.size(); ++rank) ranks[order[rank]] = rank;
    return ranks;
  }
  static std::vector<uint64_t> Sorted(std::vector<uint64_t> ids) {
    std::sort(ids.begin(), ids.end());
    return ids;
  }

  MemoryArray<VertexId> order_;
  MemoryArray<VertexId> ranks_;
  MemoryArray<uint64_t> ids_;
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_TEST_NAMES_H_

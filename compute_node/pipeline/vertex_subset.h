#ifndef FARGRAPH_COMPUTE_NODE_PIPELINE_VERTEX_SUBSET_H_
#define FARGRAPH_COMPUTE_NODE_PIPELINE_VERTEX_SUBSET_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "graph/bitmap.h"
#include "graph/ids.h"

namespace fargraph {

/// A set of vertices: the frontier of an iteration, the active set of a scan. Few vertices are held
/// as a list, many as a bitmap: a step over a small frontier costs what its vertices cost, whatever
/// the size of the graph. Cheap to move; any thread may read.
class VertexSubset {
 public:
  explicit VertexSubset(VertexId vertices) : VertexSubset(vertices, std::vector<VertexId>()) {}
  /// Takes the set bits of `members`.
  explicit VertexSubset(Bitmap members)
      : vertices_(members.size()), size_(members.Count()), members_(std::move(members)) {}
  /// None, and not sparse: for AddUncounted.
  static VertexSubset NoBits(VertexId vertices) { return VertexSubset(Bitmap(vertices), 0); }
  /// Of `vertices` those in `members`, in any order, each once. They should be few.
  VertexSubset(VertexId vertices, std::vector<VertexId> members)
      : vertices_(vertices), size_(members.size()), members_(std::move(members)) {}

  static VertexSubset Single(VertexId vertices, VertexId member) {
    return VertexSubset(vertices, std::vector<VertexId>{member});
  }

  /// The same of any number of them.
  static VertexSubset Of(VertexId vertices, std::vector<VertexId> members) {
    if (members.size() <= MostSparse(vertices)) return VertexSubset(vertices, std::move(members));
    return VertexSubset(BitsOf(vertices, members));
  }

  /// So many members are cheaper to list than to find in a bitmap.
  static constexpr size_t MostSparse(VertexId vertices) { return vertices / 64; }

  VertexId vertices() const { return vertices_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  bool is_sparse() const { return std::holds_alternative<std::vector<VertexId>>(members_); }
  /// The members of a sparse subset, in any order.
  absl::Span<const VertexId> members() const { return std::get<std::vector<VertexId>>(members_); }
  /// The members of a subset that is not sparse.
  const Bitmap& bitmap() const { return std::get<Bitmap>(members_); }

  /// Adds members to a subset that is not sparse, as Bitmap::SetWithin. size() and empty() do not
  /// know of them.
  void AddUncounted(size_t word, VertexId begin, VertexId end, uint64_t bits) {
    std::get<Bitmap>(members_).SetWithin(word, begin, end, bits);
  }
  /// The same with those of [begin, end) for which keep(v) is true.
  template <typename Keep>
  void AddUncountedIf(VertexId begin, VertexId end, Keep&& keep) {
    for (size_t word = begin / Bitmap::kWordBits; word * Bitmap::kWordBits < end; ++word) {
      AddUncounted(word, begin, end, Bitmap::MakeWord(word, begin, end, keep));
    }
  }

  Bitmap ToBitmap() const& { return is_sparse() ? BitsOf(vertices_, members()) : bitmap(); }
  Bitmap ToBitmap() && {
    return is_sparse() ? BitsOf(vertices_, members()) : std::get<Bitmap>(std::move(members_));
  }

  /// The same as a list, ascending, of a subset that is not sparse.
  VertexSubset Listed() const;
  /// The same of one that is so small that it should be sparse; another stays as it is.
  VertexSubset ListedIfFew() && {
    return is_sparse() || size_ > MostSparse(vertices_) ? std::move(*this) : Listed();
  }

  bool Contains(VertexId v) const {
    return is_sparse() ? absl::c_linear_search(members(), v) : bitmap().Test(v);
  }

  /// Brings the list of a sparse subset in ascending order, for the calls below.
  void Sort();

  /// Calls visit(v) for every member in [begin, end), ascending.
  template <typename Visit>
  void ForEach(VertexId begin, VertexId end, Visit&& visit) const {
    if (!is_sparse()) return bitmap().ForEachSet(begin, end, visit);
    for (auto v = FirstFrom(begin); v != members().end() && *v < end; ++v) visit(*v);
  }

  /// The members of a sparse subset in [begin, end), ascending.
  absl::Span<const VertexId> MembersWithin(VertexId begin, VertexId end) const {
    const auto first = FirstFrom(begin);
    return {first, static_cast<size_t>(std::lower_bound(first, members().end(), end) - first)};
  }

  static constexpr size_t kBatch = 64;
  /// Calls visit(members) for runs of at most kBatch members, which cover those in [begin, end)
  /// once and in ascending order: for those who look ahead.
  template <typename Visit>
  void ForEachBatch(VertexId begin, VertexId end, Visit&& visit) const {
    std::array<VertexId, kBatch> batch;
    size_t count = 0;
    ForEach(begin, end, [&](VertexId v) {
      batch[count++] = v;
      if (count < kBatch) return;
      visit(absl::MakeConstSpan(batch));
      count = 0;
    });
    if (count > 0) visit(absl::MakeConstSpan(batch.data(), count));
  }

  /// True if a vertex of [begin, end) is a member.
  bool Any(VertexId begin, VertexId end) const {
    if (!is_sparse()) return bitmap().AnySet(begin, end);
    const auto first = FirstFrom(begin);
    return first != members().end() && *first < end;
  }

 private:
  VertexSubset(Bitmap members, size_t size)
      : vertices_(members.size()), size_(size), members_(std::move(members)) {}

  static Bitmap BitsOf(VertexId vertices, absl::Span<const VertexId> members) {
    Bitmap bits(vertices);
    bits.SetAll(members);
    return bits;
  }

  absl::Span<const VertexId>::const_iterator FirstFrom(VertexId begin) const {
    return std::lower_bound(members().begin(), members().end(), begin);
  }

  VertexId vertices_ = 0;
  size_t size_ = 0;
  std::variant<std::vector<VertexId>, Bitmap> members_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PIPELINE_VERTEX_SUBSET_H_

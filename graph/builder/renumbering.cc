#include "graph/builder/renumbering.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace fargraph {
namespace {

// The groups of vertices with edges, by the smallest degree of each; the last takes all others.
// After them come the vertices without.
class DegreeGroups {
 public:
  static constexpr size_t kCount = 9;

  explicit DegreeGroups(absl::Span<const VertexId> degrees) {
    unsigned __int128 sum = 0;
    uint64_t vertices = 0;  // with edges
    for (const VertexId degree : degrees) {
      sum += degree;
      vertices += degree > 0;
    }
    if (vertices == 0) return;
    for (size_t group = 0; group < smallest_.size(); ++group) {
      // 32 sum / (vertices 2^group), rounded up.
      const unsigned __int128 divisor = static_cast<unsigned __int128>(vertices) << group;
      smallest_[group] = static_cast<uint64_t>((32 * sum + divisor - 1) / divisor);
    }
  }

  // Of the first group.
  uint64_t smallest_hub() const { return smallest_.front(); }

  size_t Of(VertexId degree) const {
    if (degree == 0) return kCount - 1;
    const auto* const group = std::find_if(smallest_.begin(), smallest_.end(),
                                           [&](uint64_t smallest) { return degree >= smallest; });
    return group - smallest_.begin();
  }

 private:
  std::array<uint64_t, kCount - 2> smallest_ = {};
};

}  // namespace

bool DegreesAreSkewed(absl::Span<const VertexId> degrees) {
  const auto largest = std::max_element(degrees.begin(), degrees.end());
  if (largest == degrees.end() || *largest == 0) return false;
  return *largest >= DegreeGroups(degrees).smallest_hub();
}

Renumbering Renumbering::HubsFirst(std::vector<VertexId> degrees) {
  const DegreeGroups groups(degrees);
  std::array<VertexId, DegreeGroups::kCount + 1> next = {};  // the next vertex of each group
  for (const VertexId degree : degrees) ++next[groups.Of(degree) + 1];
  for (size_t group = 1; group < next.size(); ++group) next[group] += next[group - 1];

  bool identity = true;
  for (uint64_t rank = 0; rank < degrees.size(); ++rank) {
    const VertexId vertex = next[groups.Of(degrees[rank])]++;
    identity &= vertex == rank;
    degrees[rank] = vertex;
  }
  return identity ? Renumbering() : Renumbering(std::move(degrees));
}

}  // namespace fargraph

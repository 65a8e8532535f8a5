#include "algorithms/verification/mis_verifier.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "algorithms/verification/neighbors.h"
#include "algorithms/verification/verification.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

absl::Status CheckIndependentAndMaximal(const Csr& neighbors, absl::Span<const int32_t> members,
                                        const InputIds& ids) {
  for (VertexId v = 0; v < neighbors.vertices(); ++v) {
    const auto of_v = neighbors.neighbors(v);
    const auto member = absl::c_find_if(of_v, [&](VertexId u) { return members[u] == 1; });
    if (members[v] == 1 && member != of_v.end()) {
      return absl::AbortedError(absl::StrCat("the set is not independent: ", ids[v], " and ",
                                             ids[*member], " are members and neighbours"));
    }
    if (members[v] != 1 && member == of_v.end()) {
      return absl::AbortedError(absl::StrCat("the set is not maximal: ", ids[v],
                                             " is neither a member nor a neighbour of one"));
    }
  }
  return absl::OkStatus();
}

/// The first number of the generator SplitMix64 whose state is `state`.
uint64_t SplitMix64(uint64_t state) {
  state += 0x9e3779b97f4a7c15;
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
  state = (state ^ (state >> 27)) * 0x94d049bb133111eb;
  return state ^ (state >> 31);
}

/// Entries in the lists of each vertex, those of self-loops too.
std::vector<uint64_t> Degrees(const Csr& out, bool symmetric) {
  std::vector<uint64_t> degrees(out.vertices());
  for (VertexId u = 0; u < out.vertices(); ++u) {
    degrees[u] += out.degree(u);
    for (const VertexId v : out.neighbors(u)) degrees[v] += symmetric ? 0 : 1;
  }
  return degrees;
}

/// Goes through the vertices by the number of bits of their degrees, then the first 25 bits of
/// their hash, then their number, and takes each that no one before has as a neighbour.
std::vector<int32_t> TakeInOrder(const Csr& neighbors, const std::vector<uint64_t>& degrees) {
  std::vector<std::tuple<int, uint64_t, VertexId>> order;
  for (VertexId v = 0; v < neighbors.vertices(); ++v) {
    int bits = 0;
    while (degrees[v] >> bits != 0) ++bits;
    order.emplace_back(bits, SplitMix64(v) >> 39, v);
  }
  absl::c_sort(order);
  std::vector<int32_t> members(neighbors.vertices());
  for (const auto& [bits, hash, v] : order) {
    members[v] = absl::c_none_of(neighbors.neighbors(v), [&](VertexId u) { return members[u]; });
  }
  return members;
}

}  // namespace

absl::Status VerifyMis(const GraphFiles& files, const KernelResult& result) {
  FARGRAPH_ASSIGN_OR_RETURN(const Csr out, LoadCsr(files, Direction::kOut));
  FARGRAPH_ASSIGN_OR_RETURN(const Csr neighbors, LoadNeighbors(files));
  FARGRAPH_ASSIGN_OR_RETURN(const InputIds ids, InputIds::Load(files));
  FARGRAPH_ASSIGN_OR_RETURN(const auto members,
                            FindColumn<int32_t>(result, "member", out.vertices()));

  FARGRAPH_RETURN_IF_ERROR(CheckIndependentAndMaximal(neighbors, members, ids));
  const std::vector<int32_t> expected =
      TakeInOrder(neighbors, Degrees(out, files.manifest().symmetric));
  for (VertexId v = 0; v < out.vertices(); ++v) {
    if (members[v] != expected[v]) return WrongNumber("member", ids, v, members[v], expected[v]);
  }
  return CheckAnswer(result, "members", absl::c_count(expected, 1));
}

}  // namespace fargraph

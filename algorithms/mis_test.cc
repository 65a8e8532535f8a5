#include <algorithm>

#include "absl/strings/match.h"
#include "algorithms/testing/kernel_testing.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

/// Members have no member as neighbour, and others have one.
void ExpectIndependentAndMaximal(const GraphCase& graph, const std::vector<int32_t>& members) {
  std::vector<bool> beside_member(graph.vertices);
  for (const auto& [u, v] : graph.edges) {
    if (u == v) continue;
    EXPECT_FALSE(members[u] == 1 && members[v] == 1) << u << " and " << v;
    if (members[u] == 1) beside_member[v] = true;
    if (members[v] == 1) beside_member[u] = true;
  }
  for (VertexId v = 0; v < graph.vertices; ++v) {
    EXPECT_TRUE(members[v] == 1 || beside_member[v]) << v;
  }
}

TEST(Mis, FindsAMaximalIndependentSet) {
  for (const GraphCase& graph : AllCases()) {
    for (const TestGraphOptions& placement : Placements()) {
      SCOPED_TRACE(absl::StrCat(graph.name, ", ", placement.far_ratio, " far"));
      const auto result = RunKernel("mis", graph, placement);
      ASSERT_TRUE(result.ok()) << result.status();
      const std::vector<int32_t> members = Values<int32_t>(*result);
      ExpectIndependentAndMaximal(graph, members);
      EXPECT_EQ(result->answer["members"], std::count(members.begin(), members.end(), 1));
    }
  }
}

TEST(Mis, FindsTheSameSetWhoeverIsFirst) {
  // One chunk for each thread and a long path: neighbours are decided by different threads.
  GraphCase graph{"path", 40000, {}};
  for (VertexId v = 0; v + 1 < graph.vertices; ++v) {
    graph.edges.emplace_back(v, v + 1);
    graph.edges.emplace_back(v + 1, v);
  }
  const auto expected = RunKernel("mis", graph);
  ASSERT_TRUE(expected.ok()) << expected.status();
  ExpectIndependentAndMaximal(graph, Values<int32_t>(*expected));
  const ThreadCount count(8);
  for (int run = 0; run < 5; ++run) {
    const auto result = RunKernel("mis", graph, {.chunk_bytes = 4096});
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(Values<int32_t>(*result), Values<int32_t>(*expected));
  }
}

TEST(Mis, TakesVerticesOfSmallDegreeFirst) {
  for (const bool outwards : {true, false}) {
    const auto result = RunKernel("mis", {"star", 200, Star(200, outwards)}, {.far_ratio = 0.5});
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(Values<int32_t>(*result)[0], 0);
    EXPECT_EQ(result->answer.dump(), R"({"members":199})");
    EXPECT_EQ(result->columns[0].name, "member");
  }
}

TEST(Mis, TakesVerticesWithoutNeighbors) {
  const auto result = RunKernel("mis", {"", 4, {{0, 0}, {1, 1}, {1, 1}, {2, 2}}});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->answer["members"], 4);
}

TEST(Mis, AGraphWithoutVerticesHasAnEmptySet) {
  const auto result = RunKernel("mis", {});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->answer.dump(), R"({"members":0})");
  const StoredGraph stored({});
  EXPECT_TRUE(stored.Verify("mis", *result).ok());
}

TEST(Mis, RefusesAGraphThatIsNotAsSymmetricAsItSays) {
  for (const double far_ratio : {0.0, 1.0}) {
    const auto result = RunKernel("mis", {"", 4, {{0, 1}, {2, 3}, {3, 2}}},
                                  {.far_ratio = far_ratio, .is_said_to_be_symmetric = true});
    EXPECT_EQ(result.status().code(), absl::StatusCode::kDataLoss) << result.status();
    EXPECT_TRUE(absl::StrContains(result.status().message(), "convert the graph again"));
  }
}

TEST(Mis, ReadsFewFarListsWhereThoseOfHubsAreAtHand) {
  const GraphManifest graph = {
      .vertices = 1000, .edges = 30'000, .symmetric = true, .order = VertexOrder::kDegree};
  const auto list_reads = [&](double far_ratio, GraphKind kind) {
    const ListTraits lists = {.far_ratio = far_ratio, .kind = kind};
    return KernelNamed("mis").EffortOn(graph, {}, lists).list_reads;
  };
  EXPECT_LT(list_reads(0.8, GraphKind::kHubs), 0.2 * list_reads(1, GraphKind::kHubs));
  EXPECT_EQ(list_reads(0.8, GraphKind::kClustered), list_reads(1, GraphKind::kClustered));
}

class MisVerifier : public VerifierTest {
 protected:
  MisVerifier() : VerifierTest("mis", GraphCase{"", 5, {{0, 1}, {0, 2}, {3, 0}, {3, 3}}}) {}
};

TEST_F(MisVerifier, RejectsASetThatIsNotIndependent) {
  SetValues<int32_t>(result_, {1, 1, 0, 0, 1});
  ExpectRejected("not independent: 0 and 1 are members and neighbours");
}

TEST_F(MisVerifier, RejectsASetThatIsNotMaximal) {
  SetValues<int32_t>(result_, {0, 1, 0, 1, 1});
  ExpectRejected("not maximal: 2 is neither a member nor a neighbour of one");
}

TEST_F(MisVerifier, RejectsTheSetOfAnotherOrder) {
  SetValues<int32_t>(result_, {1, 0, 0, 0, 1});
  ExpectRejected("vertex 0 has member 1, where the verifier finds 0");
}

TEST_F(MisVerifier, RejectsAValueThatIsNeither) {
  SetValues<int32_t>(result_, {2, 1, 1, 1, 1});
  ExpectRejected("vertex 0 has member 2, where the verifier finds 0");
}

}  // namespace
}  // namespace fargraph

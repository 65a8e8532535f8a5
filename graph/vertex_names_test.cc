#include "graph/vertex_names.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "gmock/gmock.h"
#include "graph/test_names.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::IsEmpty;

// Different ids with holes between them, in no order; more than fill one checksum block.
std::vector<uint64_t> ScatteredIds(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  std::vector<uint64_t> ids(count);
  uint64_t id = random() % 5;
  for (uint64_t& next : ids) next = id += 1 + random() % 1000;
  ids.back() = std::numeric_limits<uint64_t>::max();
  std::shuffle(ids.begin(), ids.end(), random);
  return ids;
}

void ExpectRoundTrip(const VertexNames& names, const std::vector<uint64_t>& ids, size_t step) {
  for (VertexId v = 0; v < ids.size(); v += step) {
    ASSERT_EQ(*names.IdOf(v), ids[v]);
    ASSERT_EQ(**names.Find(ids[v]), v);
  }
  EXPECT_EQ(*names.ReadIds(), ids);
}

// Of ids that are one more or less than an id, those that are none.
void ExpectNoOthers(const VertexNames& names, const std::vector<uint64_t>& ids, size_t step) {
  std::vector<uint64_t> known = ids;
  std::sort(known.begin(), known.end());
  for (size_t i = 0; i < ids.size(); i += step) {
    for (const uint64_t id : {ids[i] - 1, ids[i] + 1}) {
      if (std::binary_search(known.begin(), known.end(), id)) continue;
      ASSERT_EQ(*names.Find(id), std::nullopt) << id;
    }
  }
}

TEST(VertexNames, LeadFromVerticesToIdsAndBack) {
  for (const size_t count : {1, 2, 1000}) {
    const std::vector<uint64_t> ids = ScatteredIds(count, count);
    const TestNames test(ids);
    ExpectRoundTrip(test.names(), ids, 1);
    ExpectNoOthers(test.names(), ids, 1);
  }
}

TEST(VertexNames, FindIdsInEveryBlock) {
  const std::vector<uint64_t> ids = ScatteredIds(1, 5 * kArrayBlockBytes / sizeof(uint64_t) + 7);
  const TestNames test(ids);
  ExpectRoundTrip(test.names(), ids, 1009);
  ExpectNoOthers(test.names(), ids, 1009);
}

TEST(VertexNames, AscendWhateverTheOrderOfTheVertices) {
  std::vector<uint64_t> ids = ScatteredIds(2, 1000);
  const TestNames test(ids);
  AscendingNames ascending(test.names());
  std::vector<uint64_t> walked;
  for (size_t i = 0; i < ids.size(); ++i) {
    VertexName name;
    ASSERT_TRUE(ascending.Next(name).ok());
    EXPECT_EQ(name.id, ids[name.vertex]);
    EXPECT_EQ(name.id, *test.names().IdOfRank(i));
    walked.push_back(name.id);
  }
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(walked, ids);
}

TEST(VertexNames, WithoutFilesAreTheNumbersOfTheVertices) {
  const VertexNames names(3, {});
  EXPECT_TRUE(names.identity());
  ExpectRoundTrip(names, {0, 1, 2}, 1);
  EXPECT_EQ(*names.Find(3), std::nullopt);
  EXPECT_THAT(*VertexNames(0, {}).ReadIds(), IsEmpty());
  EXPECT_EQ(*VertexNames(0, {}).Find(0), std::nullopt);
}

TEST(VertexNames, WithHolesAloneAscendWithTheVertices) {
  const MemoryArray<uint64_t> ids({5, 7, uint64_t{1} << 40});
  const VertexNames names(3, {.ids = &ids});
  EXPECT_FALSE(names.identity());
  EXPECT_TRUE(names.ascending());
  ExpectRoundTrip(names, {5, 7, uint64_t{1} << 40}, 1);
  ExpectNoOthers(names, {5, 7, uint64_t{1} << 40}, 1);
}

TEST(VertexNames, RenumberedWithoutHolesNeedNoIds) {
  const MemoryArray<VertexId> order({2, 0, 1});
  const MemoryArray<VertexId> ranks({1, 2, 0});
  const VertexNames names(3, {.order = &order, .ranks = &ranks});
  EXPECT_FALSE(names.ascending());
  ExpectRoundTrip(names, {1, 2, 0}, 1);
  EXPECT_EQ(*names.Find(3), std::nullopt);
}

TEST(VertexNames, ANumberThatIsNoVertexIsDataLoss) {
  const MemoryArray<VertexId> wrong({0, 3, 1});
  const VertexNames names(3, {.order = &wrong, .ranks = &wrong});
  EXPECT_EQ(names.IdOf(1).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(names.Find(1).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(names.ReadIds().status().code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace fargraph

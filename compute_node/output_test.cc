#include "compute_node/output.h"

#include <sys/resource.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "common/files/output_file.h"
#include "common/files/test_directory.h"
#include "gmock/gmock.h"
#include "graph/test_names.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class OutputTest : public ::testing::Test {
 protected:
  const TestDirectory directory_;
};

template <typename T>
VertexArray<T> Values(const std::vector<T>& values) {
  return VertexArray<T>(values);
}

std::vector<Column> BfsColumns() {
  return {{.name = "level", .values = Values<int32_t>({0, 1, -1})},
          {.name = "parent", .values = Values<VertexId>({0, 0, kNoVertex})}};
}

TEST_F(OutputTest, TextHasOneLinePerVertexInTheIdsOfTheInput) {
  const TestNames test({30, 7, uint64_t{1} << 40});
  ASSERT_TRUE(
      WriteOutput(directory_.Path("out"), OutputFormat::kText, BfsColumns(), test.names()).ok());
  EXPECT_EQ(directory_.Read("out"),
            "# vertex level parent\n7 1 30\n30 0 30\n1099511627776 -1 -1\n");
  EXPECT_THAT(directory_.Names(), ElementsAre("out"));
}

TEST_F(OutputTest, TextTellsTheLargestIdFromAVertexThatIsNotThere) {
  const TestNames test({~uint64_t{0}, 7, 9});
  ASSERT_TRUE(
      WriteOutput(directory_.Path("out"), OutputFormat::kText, BfsColumns(), test.names()).ok());
  EXPECT_EQ(directory_.Read("out"),
            "# vertex level parent\n7 1 18446744073709551615\n9 -1 -1\n"
            "18446744073709551615 0 18446744073709551615\n");
}

TEST_F(OutputTest, WithoutOtherNamesVerticesKeepTheirNumbers) {
  ASSERT_TRUE(
      WriteOutput(directory_.Path("out"), OutputFormat::kText, BfsColumns(), VertexNames(3, {}))
          .ok());
  EXPECT_EQ(directory_.Read("out"), "# vertex level parent\n0 0 0\n1 1 0\n2 -1 -1\n");
}

TEST_F(OutputTest, AGraphWithoutVerticesGivesOnlyTheHeader) {
  const std::vector<Column> columns = {{.name = "rank", .values = Values<double>({})}};
  ASSERT_TRUE(
      WriteOutput(directory_.Path("out"), OutputFormat::kText, columns, VertexNames(0, {})).ok());
  EXPECT_EQ(directory_.Read("out"), "# vertex rank\n");
}

// Columns of random values, long enough for several blocks and threads. Vertices are not in the
// order of their ids.
struct RandomOutput {
  explicit RandomOutput(uint64_t seed) {
    std::mt19937_64 random(seed);
    const uint64_t vertices = 1 + random() % 300'000;
    uint64_t id = random() % 3;
    for (uint64_t v = 0; v < vertices; ++v, id += 1 + random() % 1000) {
      ids.push_back(id);
      levels.push_back(static_cast<int32_t>(random()));
      parents.push_back(random() % 4 == 0 ? kNoVertex : static_cast<VertexId>(random() % vertices));
      const double value = std::bit_cast<double>(random());
      ranks.push_back(std::isfinite(value) ? value : 0.1);
      order.push_back(v);
    }
    std::shuffle(ids.begin(), ids.end(), random);
    std::sort(order.begin(), order.end(), [&](VertexId a, VertexId b) { return ids[a] < ids[b]; });
  }
  std::vector<Column> Columns() const {
    return {{.name = "level", .values = Values(levels)},
            {.name = "parent", .values = Values(parents)},
            {.name = "rank", .values = Values(ranks)}};
  }
  uint64_t ParentId(uint64_t v) const {
    return parents[v] == kNoVertex ? std::numeric_limits<uint64_t>::max() : ids[parents[v]];
  }

  std::vector<uint64_t> ids;
  std::vector<VertexId> order;  // ascending by id
  std::vector<int32_t> levels;
  std::vector<VertexId> parents;
  std::vector<double> ranks;
};

class OutputPropertyTest : public OutputTest, public ::testing::WithParamInterface<int> {
 protected:
  OutputPropertyTest() : expected_(GetParam()) {}
  const RandomOutput expected_;
  const TestNames names_{expected_.ids};
};

TEST_P(OutputPropertyTest, TextReadsBackToTheSameValues) {
  const std::string path = directory_.Path("out");
  ASSERT_TRUE(WriteOutput(path, OutputFormat::kText, expected_.Columns(), names_.names()).ok());
  std::ifstream in(path);
  std::string line;
  ASSERT_TRUE(std::getline(in, line));
  for (const VertexId v : expected_.order) {
    ASSERT_TRUE(std::getline(in, line)) << v;
    const std::string parent =
        expected_.parents[v] == kNoVertex ? "-1" : absl::StrCat(expected_.ParentId(v));
    absl::string_view rank = line;
    ASSERT_TRUE(absl::ConsumePrefix(
        &rank, absl::StrCat(expected_.ids[v], " ", expected_.levels[v], " ", parent, " ")))
        << line;
    ASSERT_FALSE(absl::StrContains(rank, ' ')) << line;
    double value = 0;
    ASSERT_TRUE(absl::SimpleAtod(rank, &value)) << line;
    ASSERT_EQ(std::bit_cast<uint64_t>(value), std::bit_cast<uint64_t>(expected_.ranks[v])) << line;
  }
  EXPECT_FALSE(std::getline(in, line));
}

template <typename Value>
std::vector<Value> TakeColumn(std::string& bytes, size_t count) {
  std::vector<Value> values(count);
  const size_t padded = (count * sizeof(Value) + 7) / 8 * 8;
  EXPECT_GE(bytes.size(), padded);
  if (bytes.size() < padded) return values;
  std::memcpy(values.data(), bytes.data(), count * sizeof(Value));
  bytes.erase(0, padded);
  return values;
}

TEST_P(OutputPropertyTest, BinaryHoldsTheHeaderAndEveryColumn) {
  const std::string path = directory_.Path("out");
  ASSERT_TRUE(WriteOutput(path, OutputFormat::kBinary, expected_.Columns(), names_.names()).ok());
  std::string bytes = directory_.Read("out");

  const size_t count = expected_.ids.size();
  ASSERT_GE(bytes.size(), 24 + 4 * 32u);
  EXPECT_EQ(bytes.substr(0, 16), std::string("FGRESULT\1\0\0\0\4\0\0\0", 16));
  bytes.erase(0, 16);
  EXPECT_EQ(TakeColumn<uint64_t>(bytes, 1), std::vector<uint64_t>{count});
  for (const auto& [name, type] : {std::pair("vertex", "uint64"), std::pair("level", "int32"),
                                   std::pair("parent", "uint64"), std::pair("rank", "float64")}) {
    EXPECT_STREQ(bytes.substr(0, 24).c_str(), name);
    EXPECT_STREQ(bytes.substr(24, 8).c_str(), type);
    bytes.erase(0, 32);
  }
  const std::vector<uint64_t> ids = TakeColumn<uint64_t>(bytes, count);
  const std::vector<int32_t> levels = TakeColumn<int32_t>(bytes, count);
  const std::vector<uint64_t> parents = TakeColumn<uint64_t>(bytes, count);
  const std::vector<double> ranks = TakeColumn<double>(bytes, count);
  for (size_t row = 0; row < count; ++row) {
    const VertexId v = expected_.order[row];
    ASSERT_EQ(ids[row], expected_.ids[v]);
    ASSERT_EQ(levels[row], expected_.levels[v]);
    ASSERT_EQ(parents[row], expected_.ParentId(v));
    ASSERT_EQ(ranks[row], expected_.ranks[v]);
  }
  EXPECT_THAT(bytes, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Seeds, OutputPropertyTest, ::testing::Range(0, 4));

TEST_F(OutputTest, AFullDiskIsOneSentenceAndLeavesTheOldFile) {
  ASSERT_TRUE(WriteWholeFile(directory_.Path("out"), "the old answer").ok());
  struct rlimit before {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const absl::Cleanup restore = [&] {
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, old_handler);
  };
  const struct rlimit small = {.rlim_cur = 100'000, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);

  const RandomOutput output(5);
  const TestNames test(output.ids);
  const absl::Status status =
      WriteOutput(directory_.Path("out"), OutputFormat::kText, output.Columns(), test.names());
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("Writing " + directory_.Path("out")));
  EXPECT_THAT(directory_.Names(), ElementsAre("out"));
  EXPECT_EQ(directory_.Read("out"), "the old answer");
}

TEST_F(OutputTest, AnInterruptedOutputLeavesNothing) {
  const std::atomic<bool> cancelled = true;
  const absl::Status status = WriteOutput(directory_.Path("out"), OutputFormat::kText, BfsColumns(),
                                          VertexNames(3, {}), &cancelled);
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  EXPECT_THAT(directory_.Names(), IsEmpty());
}

TEST_F(OutputTest, ColumnsOfDifferentLengthsAreRefused) {
  std::vector<Column> columns = BfsColumns();
  columns.push_back({.name = "rank", .values = Values<double>({1})});
  EXPECT_EQ(
      WriteOutput(directory_.Path("out"), OutputFormat::kText, columns, VertexNames(3, {})).code(),
      absl::StatusCode::kInternal);
  EXPECT_THAT(directory_.Names(), IsEmpty());
}

}  // namespace
}  // namespace fargraph

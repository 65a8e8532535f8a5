#include "graph/readers/binary_pairs_reader.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "graph/readers/reader_test_util.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Pairs(const std::vector<uint32_t>& ids) {
  std::string bytes;
  for (const uint32_t id : ids) AppendBinary(bytes, id);
  return bytes;
}

TEST(BinaryPairsReader, ReadsPairs) {
  const auto contents = ReadBytes(Pairs({0, 0, 5, 7, 16777215, 2}));
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_EQ(contents->properties.format, "binary pairs");
  EXPECT_EQ(contents->properties.weight_type, WeightType::kNone);
  EXPECT_THAT(contents->edges,
              ElementsAre(InputEdge{0, 0, 0}, InputEdge{5, 7, 0}, InputEdge{16777215, 2, 0}));
}

TEST(BinaryPairsReader, PlausibleIdsGrowWithTheFile) {
  EXPECT_EQ(LargestPlausibleId(1), 16777215U);
  // A Kronecker graph of scale 24 as GridGraph's own evaluation has it, and one with more ids.
  EXPECT_GE(LargestPlausibleId(uint64_t{1} << 28), (uint64_t{1} << 24) - 1);
  EXPECT_GE(LargestPlausibleId(uint64_t{1} << 32), (uint64_t{1} << 32) - 1);
}

TEST(BinaryPairsReader, RefusesAnImplausibleIdBehindTheBeginning) {
  std::string bytes = Pairs(std::vector<uint32_t>(100000, 3));
  bytes.replace(160008, 4, "\xFF\xFF\xFF\xFF");
  const absl::Status status = ReadBytes(bytes).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(status.ToString(), HasSubstr("byte offset 160008: the pair 4294967295 3 has an id"));
}

TEST(BinaryPairsReader, RefusesAFileThatEndsWithinAPair) {
  std::string bytes = Pairs({1, 2, 3, 4});
  bytes.pop_back();
  const absl::Status status = ReadBytes(bytes).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(status.ToString(), HasSubstr("its 15 bytes are not a multiple of 8"));
}

TEST(BinaryPairsReader, RefusesZerosOnly) {
  const absl::Status status = ReadBytes(std::string(4096, '\0')).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(status.ToString(), HasSubstr("it begins with zeros only"));
}

TEST(BinaryPairsReader, RefusesRandomBytesOfAnySize) {
  std::mt19937_64 random(7);
  for (const size_t words : {2, 3, 16, 1024, 1 << 18}) {
    std::string bytes;
    for (size_t i = 0; i < words; ++i) AppendBinary(bytes, uint64_t{random()});
    const absl::Status status = ReadBytes(bytes).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << words << " words: " << status;
  }
}

TEST(BinaryPairsReader, RefusesAProgram) {
  const auto reader = OpenEdgeReader(std::string("/proc/self/exe"));
  ASSERT_FALSE(reader.ok());
  EXPECT_EQ(reader.status().code(), absl::StatusCode::kDataLoss) << reader.status();
}

}  // namespace
}  // namespace fargraph

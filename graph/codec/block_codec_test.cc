#include "graph/codec/block_codec.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "graph/codec/block_decoders.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

constexpr VertexId kLastId = std::numeric_limits<VertexId>::max();

std::vector<std::byte> Encode(VertexId vertex, const std::vector<VertexId>& neighbors) {
  std::vector<std::byte> code(MaxBlockBytes(neighbors.size()));
  code.resize(EncodeBlock(vertex, neighbors, code.data()));
  return code;
}

std::vector<uint8_t> Numbers(const std::vector<std::byte>& bytes) {
  std::vector<uint8_t> numbers;
  for (const std::byte byte : bytes) numbers.push_back(static_cast<uint8_t>(byte));
  return numbers;
}

/// Ascending ids whose differences have between one and `bits` significant bits.
std::vector<VertexId> RandomList(size_t edges, int bits, std::mt19937_64& random) {
  std::vector<VertexId> list;
  VertexId last = 0;
  for (size_t i = 0; i < edges; ++i) {
    const VertexId difference = random() >> (64 - 1 - random() % bits);
    last = std::min<VertexId>(kLastId - last, difference) + last;
    list.push_back(last);
  }
  return list;
}

class BlockDecoderTest : public ::testing::TestWithParam<BlockDecoder> {
 protected:
  /// Decodes a copy whose slack is all that may be read beyond it, into memory that is all that may
  /// be written: what AddressSanitizer guards.
  static size_t Decode(VertexId vertex, const std::vector<std::byte>& code, size_t edges,
                       std::vector<VertexId>* neighbors) {
    std::vector<std::byte> padded(code);
    padded.resize(code.size() + kCodeSlackBytes, std::byte{0xa5});
    padded.shrink_to_fit();
    neighbors->assign(DecodedEdges(edges), 0);
    const size_t bytes = GetParam().decode(vertex, absl::MakeConstSpan(padded).first(code.size()),
                                           edges, neighbors->data());
    neighbors->resize(edges);
    return bytes;
  }

  static void ExpectRoundTrip(VertexId vertex, const std::vector<VertexId>& neighbors) {
    const std::vector<std::byte> code = Encode(vertex, neighbors);
    ASSERT_LE(code.size(), MaxBlockBytes(neighbors.size()));
    std::vector<VertexId> decoded;
    ASSERT_EQ(Decode(vertex, code, neighbors.size(), &decoded), code.size());
    ASSERT_THAT(decoded, ElementsAreArray(neighbors));
  }
};

TEST(EncodeBlockTest, TheBytesAreThoseOfTheDocument) {
  // The zigzag of 1000 - 1003 and the differences 0, 255 and 256, then 65536 in a group of its own.
  EXPECT_THAT(Numbers(Encode(1003, {1000, 1000, 1255, 1511, 67047})),
              sizeof(VertexId) == 4
                  ? ElementsAreArray<uint8_t>({0x40, 0x02, 5, 0, 255, 0, 1, 0, 0, 1})
                  : ElementsAreArray<uint8_t>({0x40, 0x01, 5, 0, 255, 0, 1, 0, 0, 0, 1}));
}

TEST(EncodeBlockTest, ANeighborThatIsNearTakesTwoBytesOnEitherSide) {
  EXPECT_THAT(Numbers(Encode(500'000, {500'000})), ElementsAre(0, 0));
  EXPECT_THAT(Numbers(Encode(500'000, {500'127})), ElementsAre(0, 254));
  EXPECT_THAT(Numbers(Encode(500'000, {499'872})), ElementsAre(0, 255));
}

TEST_P(BlockDecoderTest, EveryLengthUpToABlock) {
  std::mt19937_64 random(1);
  for (size_t edges = 1; edges <= kBlockEdges; ++edges) {
    ExpectRoundTrip(static_cast<VertexId>(random()), RandomList(edges, 12, random));
  }
}

TEST_P(BlockDecoderTest, EveryMixOfDifferenceLengths) {
  std::mt19937_64 random(2);
  for (int bits = 1; bits <= std::numeric_limits<VertexId>::digits; ++bits) {
    for (int i = 0; i < 50; ++i) {
      ExpectRoundTrip(static_cast<VertexId>(random()), RandomList(1 + random() % 40, bits, random));
    }
  }
}

TEST_P(BlockDecoderTest, TheEndsOfTheRangeOfIds) {
  ExpectRoundTrip(0, {0});
  ExpectRoundTrip(0, {kLastId});
  ExpectRoundTrip(kLastId, {0, kLastId});
  ExpectRoundTrip(kLastId, {kLastId, kLastId, kLastId});
  ExpectRoundTrip(kLastId / 2, {0, 0, kLastId / 2, kLastId / 2 + 1, kLastId});
}

TEST_P(BlockDecoderTest, FindsTheEndOfABlockAndNoEndInAPart) {
  std::mt19937_64 random(3);
  const std::vector<VertexId> list = RandomList(100, 20, random);
  const std::vector<std::byte> code = Encode(7, list);
  std::vector<VertexId> decoded;
  for (size_t bytes = 0; bytes < code.size(); ++bytes) {
    const std::vector<std::byte> part(code.begin(), code.begin() + bytes);
    EXPECT_EQ(Decode(7, part, list.size(), &decoded), 0u) << bytes << " of " << code.size();
  }
  std::vector<std::byte> longer = code;
  longer.push_back(std::byte{0});
  EXPECT_EQ(Decode(7, longer, list.size(), &decoded), code.size());
  EXPECT_THAT(decoded, ElementsAreArray(list));
}

TEST_P(BlockDecoderTest, WhateverTheBytesAreItGivesWhatThePortableDecoderGives) {
  std::mt19937_64 random(4);
  int accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    const size_t edges = 1 + random() % 20;
    const auto vertex = static_cast<VertexId>(random());
    std::vector<std::byte> code = Encode(vertex, RandomList(edges, 16, random));
    code[random() % code.size()] ^= std::byte(1 << random() % 8);
    std::vector<std::byte> padded = code;
    padded.resize(code.size() + kCodeSlackBytes);
    std::vector<VertexId> expected(DecodedEdges(edges));
    const size_t bytes = DecodeBlockPortable(vertex, absl::MakeConstSpan(padded).first(code.size()),
                                             edges, expected.data());
    expected.resize(edges);

    std::vector<VertexId> decoded;
    ASSERT_EQ(Decode(vertex, code, edges, &decoded), bytes);
    if (bytes > 0) {
      ASSERT_THAT(decoded, ElementsAreArray(expected));
    }
    accepted += bytes > 0;
  }
  EXPECT_GT(accepted, 0);
  EXPECT_LT(accepted, 20'000);
}

INSTANTIATE_TEST_SUITE_P(AllInstructions, BlockDecoderTest, ::testing::ValuesIn(BlockDecoders()),
                         [](const auto& test) { return test.param.instructions; });

TEST(DecodeBlockTest, DecodesWithTheBestInstructions) {
  std::mt19937_64 random(5);
  const std::vector<VertexId> list = RandomList(kBlockEdges, 20, random);
  std::vector<std::byte> code = Encode(3, list);
  const size_t bytes = code.size();
  code.resize(bytes + kCodeSlackBytes);
  std::vector<VertexId> decoded(DecodedEdges(list.size()));
  ASSERT_EQ(DecodeBlock(3, absl::MakeConstSpan(code).first(bytes), list.size(), decoded.data()),
            bytes);
  EXPECT_THAT(decoded, ElementsAreArray(list));
}

}  // namespace
}  // namespace fargraph

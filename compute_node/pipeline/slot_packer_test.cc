#include "compute_node/pipeline/slot_packer.h"

#include <algorithm>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "compute_node/testing/fake_tier.h"
#include "compute_node/tiers/far_space.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr uint64_t kEdgesPerChunk = 100;
constexpr uint64_t kEdgeAddress = 1000;
constexpr uint64_t kWeightAddress = 50'003;

/// An array whose chunks lie one behind the other from `address` on.
PlacedArray FarArrayAt(uint64_t address, uint64_t element_bytes, size_t chunks) {
  PlacedArray array = {.element_bytes = element_bytes};
  for (size_t chunk = 0; chunk < chunks; ++chunk) {
    array.places.push_back({.far_address = address + chunk * kEdgesPerChunk * element_bytes});
  }
  return array;
}

/// A list in each chunk. `weight_bytes`: 0 for lists without weights.
EdgeLists FarLists(uint64_t weight_bytes, size_t chunks = 2, uint64_t edge_address = kEdgeAddress) {
  VertexArray<EdgeOffset> index(chunks + 1);
  for (size_t v = 0; v <= chunks; ++v) index[v] = v * kEdgesPerChunk;
  ChunkTable table(index, sizeof(VertexId), kEdgesPerChunk * sizeof(VertexId));
  return EdgeLists(
      std::move(index), std::move(table), FarArrayAt(edge_address, sizeof(VertexId), chunks),
      weight_bytes > 0 ? FarArrayAt(kWeightAddress, weight_bytes, chunks) : PlacedArray());
}

FetchRun RunOf(size_t chunk, EdgeOffset begin, EdgeOffset end) {
  const auto vertex = static_cast<VertexId>(chunk);
  return {.first_vertex = vertex, .end_vertex = vertex + 1, .range = {begin, end}};
}

/// Nothing is read: a packer asks it for the sizes of blocks alone.
FakeTier TierWithBlocksOf(uint64_t block_bytes) {
  return FakeTier({}, /*seed=*/1, /*fail_after=*/~uint64_t{0}, /*one_by_one=*/false, block_bytes);
}

/// Memory nodes beside an SSD.
class TwoTiers : public FakeTier {
 public:
  explicit TwoTiers(uint64_t block_bytes)
      : FakeTier({}, /*seed=*/1, /*fail_after=*/~uint64_t{0}, /*one_by_one=*/false, block_bytes) {}
  uint64_t BlockBytesAt(uint64_t address) const override {
    return IsOnSsd(address) ? block_bytes() : 1;
  }
};

TEST(SlotPacker, PiecesLieOneBehindTheOtherWithTheirWeightsBehindThem) {
  const EdgeLists lists = FarLists(/*weight_bytes=*/1);
  const FakeTier tier = TierWithBlocksOf(1);
  std::vector<std::byte> slot(SlotPacker::SlotBytes(40, 10, 1));
  SlotPacker packer(tier, slot.size());
  packer.DivideSlots(lists);
  EXPECT_EQ(packer.slot_elements(), 10u);
  packer.BeginSlot(slot.data());
  EXPECT_TRUE(packer.HasRoomFor(10));

  const EdgePiece first = packer.Add(0, RunOf(0, 7, 10), 3);
  EXPECT_EQ(first.elements, slot.data());
  EXPECT_EQ(first.weights, slot.data() + 40);
  const EdgePiece second = packer.Add(1, RunOf(1, 150, 199), 5);
  EXPECT_EQ(second.chunk, 1u);
  EXPECT_EQ(second.first_vertex, 1u);
  EXPECT_EQ(second.end_vertex, 2u);
  EXPECT_EQ(second.begin, 150u);
  EXPECT_EQ(second.end, 155u) << "the first of the run";
  EXPECT_EQ(second.elements, slot.data() + 3 * sizeof(VertexId));
  EXPECT_EQ(second.weights, slot.data() + 43);
  EXPECT_TRUE(packer.HasRoomFor(2));
  EXPECT_FALSE(packer.HasRoomFor(3));

  ASSERT_EQ(packer.extents().size(), 4u);
  const Extent& edges = packer.extents()[2];
  EXPECT_EQ(edges.address, kEdgeAddress + 150 * sizeof(VertexId));
  EXPECT_EQ(edges.length, 5 * sizeof(VertexId));
  EXPECT_EQ(edges.destination, second.elements);
  EXPECT_EQ(packer.extents()[3].address, kWeightAddress + 150);
}

TEST(SlotPacker, ASlotBeginsEmpty) {
  const EdgeLists lists = FarLists(/*weight_bytes=*/0);
  const FakeTier tier = TierWithBlocksOf(1);
  std::vector<std::byte> slots(2 * 40);
  SlotPacker packer(tier, 40);
  packer.DivideSlots(lists);
  packer.BeginSlot(slots.data());
  packer.Add(0, RunOf(0, 0, 10), 10);
  EXPECT_FALSE(packer.HasRoomFor(1));
  packer.BeginSlot(slots.data() + 40);
  EXPECT_TRUE(packer.HasRoomFor(10));
  EXPECT_TRUE(packer.extents().empty());
  const EdgePiece piece = packer.Add(0, RunOf(0, 10, 20), 10);
  EXPECT_EQ(piece.elements, slots.data() + 40) << "also where it goes on with what came before";
  EXPECT_EQ(packer.extents().size(), 1u);
}

TEST(SlotPacker, RunsThatShareABlockShareItInTheSlot) {
  const EdgeLists lists = FarLists(/*weight_bytes=*/0);
  const FakeTier tier = TierWithBlocksOf(64);
  std::vector<std::byte> slot(SlotPacker::SlotBytes(200, 0, 64));
  SlotPacker packer(tier, slot.size());
  packer.DivideSlots(lists);
  packer.BeginSlot(slot.data());
  // Blocks begin at 960 and 1024.
  EXPECT_EQ(packer.Add(0, RunOf(0, 1, 2), 1).elements, slot.data() + 44);
  EXPECT_EQ(packer.Add(0, RunOf(0, 5, 8), 3).elements, slot.data() + 60)
      << "on into the next block";
  ASSERT_EQ(packer.extents().size(), 1u);
  EXPECT_EQ(packer.extents()[0].address, 960u);
  EXPECT_EQ(packer.extents()[0].length, 128u);
  EXPECT_EQ(packer.Add(0, RunOf(0, 60, 61), 1).elements, slot.data() + 128 + 24) << "at 1240";
  ASSERT_EQ(packer.extents().size(), 2u);
  EXPECT_EQ(packer.extents()[1].address, 1216u);
}

TEST(SlotPacker, FewPiecesAreMoreThanEnough) {
  const EdgeLists lists = FarLists(/*weight_bytes=*/4, /*chunks=*/10);
  const FakeTier tier = TierWithBlocksOf(1);
  std::vector<std::byte> slot(SlotPacker::SlotBytes(4000, 4000, 1));
  SlotPacker packer(tier, slot.size());
  packer.DivideSlots(lists);
  packer.BeginSlot(slot.data());
  size_t pieces = 0;
  for (EdgeOffset edge = 0; packer.HasRoomFor(1); edge += 2, ++pieces) {
    const size_t chunk = edge / kEdgesPerChunk;
    packer.Add(chunk, RunOf(chunk, edge, edge + 1), 1);
  }
  EXPECT_EQ(pieces, 128u);
}

TEST(SlotPacker, WhatMemoryNodesSendBeginsOnABlockOfTheSsds) {
  const TwoTiers tiers(64);
  const EdgeLists lists = FarLists(/*weight_bytes=*/0);
  std::vector<std::byte> slot(SlotPacker::SlotBytes(400, 0, 64));
  SlotPacker packer(tiers, slot.size());
  packer.DivideSlots(lists);
  packer.BeginSlot(slot.data());
  packer.Add(0, RunOf(0, 1, 2), 1);
  EXPECT_EQ(packer.Add(0, RunOf(0, 5, 8), 3).elements, slot.data() + 64);
  ASSERT_EQ(packer.extents().size(), 2u);
  EXPECT_EQ(packer.extents()[1].address, kEdgeAddress + 5 * sizeof(VertexId));
  EXPECT_EQ(packer.extents()[1].length, 3 * sizeof(VertexId)) << "no whole block";
}

/// Bytes of the tier's blocks, and of a weight.
class SlotPackerProperties : public ::testing::TestWithParam<std::tuple<uint64_t, uint64_t>> {};

TEST_P(SlotPackerProperties, AnyRunsThatHaveRoomComeAsWholeBlocksIntoTheirPartOfTheSlot) {
  const auto [block_bytes, weight_bytes] = GetParam();
  constexpr size_t kChunks = 4;
  const EdgeLists lists = FarLists(weight_bytes, kChunks);
  const FakeTier tier = TierWithBlocksOf(block_bytes);
  const uint64_t slot_bytes = SlotPacker::SlotBytes(kEdgesPerChunk * sizeof(VertexId),
                                                    kEdgesPerChunk * weight_bytes, block_bytes);
  std::vector<std::byte> slot(slot_bytes);
  SlotPacker packer(tier, slot_bytes);
  packer.DivideSlots(lists);
  EXPECT_GE(packer.slot_elements(), kEdgesPerChunk);

  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    packer.BeginSlot(slot.data());
    EXPECT_TRUE(packer.HasRoomFor(packer.slot_elements()));
    std::vector<EdgePiece> pieces;
    EdgeOffset edge = random() % kEdgesPerChunk;
    while (edge < kChunks * kEdgesPerChunk) {
      const size_t chunk = edge / kEdgesPerChunk;
      const uint64_t left = (chunk + 1) * kEdgesPerChunk - edge;
      const uint64_t elements = 1 + random() % std::min<uint64_t>(left, 20);
      if (!packer.HasRoomFor(elements)) break;
      pieces.push_back(packer.Add(chunk, RunOf(chunk, edge, edge + elements), elements));
      edge += elements + random() % 10;
    }
    ASSERT_FALSE(pieces.empty());

    // Nothing comes to the same place, or from the same place, twice.
    std::vector<uint64_t> source_of(slot_bytes, 0);
    std::vector<uint64_t> sources;
    for (const Extent& extent : packer.extents()) {
      const auto begin = static_cast<uint64_t>(extent.destination - slot.data());
      ASSERT_EQ(extent.address % block_bytes, 0u);
      ASSERT_EQ(extent.length % block_bytes, 0u);
      ASSERT_EQ(begin % block_bytes, 0u);
      ASSERT_LE(begin + extent.length, slot_bytes);
      for (uint64_t i = 0; i < extent.length; ++i) {
        ASSERT_EQ(source_of[begin + i], 0u);
        source_of[begin + i] = extent.address + i;
        sources.push_back(extent.address + i);
      }
    }
    std::sort(sources.begin(), sources.end());
    EXPECT_EQ(std::adjacent_find(sources.begin(), sources.end()), sources.end());
    for (const EdgePiece& piece : pieces) {
      for (uint64_t i = 0; i < (piece.end - piece.begin) * sizeof(VertexId); ++i) {
        ASSERT_EQ(source_of[piece.elements - slot.data() + i],
                  kEdgeAddress + piece.begin * sizeof(VertexId) + i);
      }
      for (uint64_t i = 0; i < (piece.end - piece.begin) * weight_bytes; ++i) {
        ASSERT_EQ(source_of[piece.weights - slot.data() + i],
                  kWeightAddress + piece.begin * weight_bytes + i);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SlotPackerProperties,
                         ::testing::Combine(::testing::Values(1, 16, 64),
                                            ::testing::Values(0, 1, 4)));

}  // namespace
}  // namespace fargraph

#include "common/layered_bitmap.h"

#include <algorithm>
#include <random>
#include <set>

#include "common/units.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

LayeredBitmap Make(uint64_t bits) {
  auto bitmap = LayeredBitmap::Create(bits);
  EXPECT_TRUE(bitmap.ok()) << bitmap.status();
  return *std::move(bitmap);
}

TEST(LayeredBitmap, FindsWhatASetOfBitsHolds) {
  std::mt19937_64 random(1);
  for (const uint64_t bits : {1u, 63u, 64u, 65u, 4096u, 4097u, 300000u}) {
    LayeredBitmap bitmap = Make(bits);
    std::set<uint64_t> expected;
    for (int step = 0; step < 300; ++step) {
      const uint64_t begin = random() % bits;
      const uint64_t end = begin + 1 + random() % std::min<uint64_t>(bits - begin, 200);
      if (random() % 3 == 0) {
        bitmap.ResetRange(begin, end);
        expected.erase(expected.lower_bound(begin), expected.lower_bound(end));
      } else {
        bitmap.SetRange(begin, end);
        for (uint64_t bit = begin; bit < end; ++bit) expected.insert(bit);
      }
      const uint64_t from = random() % (bits + 1);
      const auto next = expected.lower_bound(from);
      ASSERT_EQ(bitmap.NextSet(from), next == expected.end() ? bits : *next);
      uint64_t clear = from;
      while (clear < bits && expected.count(clear) > 0) ++clear;
      ASSERT_EQ(bitmap.NextClear(from, bits), clear);
      if (from < clear) {
        ASSERT_EQ(bitmap.NextClear(from, clear), clear);
      }
    }
  }
}

TEST(LayeredBitmap, TheLastBitGoneLeavesNone) {
  LayeredBitmap bitmap = Make(1000000);
  bitmap.SetRange(999999, 1000000);
  EXPECT_EQ(bitmap.NextSet(0), 999999u);
  bitmap.ResetRange(999999, 1000000);
  EXPECT_EQ(bitmap.NextSet(0), 1000000u);
}

TEST(LayeredBitmap, OfATerabyteInBlocksTwoBitsAreTouchedAlone) {
  const uint64_t bits = kTiB / 512;
  LayeredBitmap bitmap = Make(bits);
  bitmap.SetRange(5, 6);
  bitmap.SetRange(bits - 1, bits);
  EXPECT_EQ(bitmap.NextSet(6), bits - 1);
  EXPECT_EQ(bitmap.NextSet(bits), bits);
}

TEST(LayeredBitmap, RefusesNoBitsAndTooMany) {
  EXPECT_EQ(LayeredBitmap::Create(0).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(LayeredBitmap::Create(~uint64_t{0}).status().code(),
            absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace fargraph

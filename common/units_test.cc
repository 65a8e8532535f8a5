#include "common/units.h"

#include "gtest/gtest.h"

namespace fargraph {
namespace {

TEST(ParseBytes, TakesPlainNumbersAndBinaryUnits) {
  EXPECT_EQ(*ParseBytes("0"), 0u);
  EXPECT_EQ(*ParseBytes("4096"), 4096u);
  EXPECT_EQ(*ParseBytes("17B"), 17u);
  EXPECT_EQ(*ParseBytes("64KiB"), 64 * kKiB);
  EXPECT_EQ(*ParseBytes("1.5 GiB"), 3 * kGiB / 2);
  EXPECT_EQ(*ParseBytes("2TiB"), 2 * kTiB);
}

TEST(ParseBytes, KeepsLargeWholeNumbersExact) {
  EXPECT_EQ(*ParseBytes("9007199254740993"), 9007199254740993u);  // 2^53 + 1
}

TEST(ParseBytes, RefusesWhatIsNotASize) {
  for (const char* text :
       {"", "GiB", "-1", "1e999", "4GB", "four", "nan", "9000000000GiB", "0x10"}) {
    EXPECT_EQ(ParseBytes(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

TEST(FormatBytes, UsesTheLargestUnitThatFits) {
  EXPECT_EQ(FormatBytes(0), "0 B");
  EXPECT_EQ(FormatBytes(1023), "1023 B");
  EXPECT_EQ(FormatBytes(1536), "1.5 KiB");
  EXPECT_EQ(FormatBytes(8 * kGiB), "8 GiB");
}

}  // namespace
}  // namespace fargraph

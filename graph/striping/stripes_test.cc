#include "graph/striping/stripes.h"

#include <set>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace fargraph {
namespace {

TEST(Stripes, RunsCoverASegmentWithoutOverlapAndStayWithinTheirParts) {
  for (const size_t parts : {1, 2, 3, 7}) {
    const uint64_t bytes = 11 * kStripeBytes + 1234;
    std::set<std::pair<size_t, uint64_t>> first_bytes;
    std::vector<uint64_t> bytes_on(parts);
    uint64_t offset = 0;
    while (offset < bytes) {
      const StripeRun run = FirstRun(offset, bytes - offset, parts);
      ASSERT_GT(run.length, 0u);
      ASSERT_LT(run.part, parts);
      ASSERT_LE(run.offset + run.length, PartBytes(bytes, parts));
      EXPECT_TRUE(first_bytes.emplace(run.part, run.offset).second);
      bytes_on[run.part] += run.length;
      offset += run.length;
    }
    EXPECT_EQ(offset, bytes);
    for (size_t part = 0; part < parts; ++part) {
      EXPECT_EQ(BytesOnPart(bytes, parts, part), bytes_on[part]) << part << " of " << parts;
    }
  }
}

TEST(Stripes, OfAShortArraySomePartsHoldNothing) {
  EXPECT_EQ(BytesOnPart(kStripeBytes + 1, 3, 0), kStripeBytes);
  EXPECT_EQ(BytesOnPart(kStripeBytes + 1, 3, 1), 1u);
  EXPECT_EQ(BytesOnPart(kStripeBytes + 1, 3, 2), 0u);
}

TEST(Stripes, ARunEndsWithItsStripe) {
  const StripeRun run = FirstRun(kStripeBytes * 4 + 100, kStripeBytes, 3);
  EXPECT_EQ(run.part, 1u);
  EXPECT_EQ(run.offset, kStripeBytes + 100);
  EXPECT_EQ(run.length, kStripeBytes - 100);
}

}  // namespace
}  // namespace fargraph

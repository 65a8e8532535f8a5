#include "common/random.h"

#include <algorithm>
#include <set>
#include <vector>

#include "gtest/gtest.h"

namespace fargraph {
namespace {

TEST(FillRandom, FillsEveryByte) {
  std::vector<std::byte> bytes(100'000);
  ASSERT_TRUE(FillRandom(absl::MakeSpan(bytes)).ok());
  const auto zeros = std::count(bytes.begin(), bytes.end(), std::byte{0});
  EXPECT_LT(zeros, 1000);  // about 390; a piece left out would add its length
}

TEST(RandomHex, NeverRepeats) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const auto hex = RandomHex(8);
    ASSERT_TRUE(hex.ok()) << hex.status();
    EXPECT_EQ(hex->size(), 16u);
    EXPECT_EQ(hex->find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_TRUE(seen.insert(*hex).second);
  }
}

}  // namespace
}  // namespace fargraph

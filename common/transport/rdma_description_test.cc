#include "common/transport/rdma_description.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph::transport {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;

TEST(RankGidsTest, PrefersWhatPeersReachByAnIpAddress) {
  using Type = RdmaGid::Type;
  std::vector<RdmaGid> gids = {
      {0, Type::kRoceV1, "fe80::1", "eth0"},     {1, Type::kRoceV2, "fe80::1", "eth0"},
      {2, Type::kRoceV1, "10.0.0.1", "eth0"},    {3, Type::kRoceV2, "10.0.0.1", "eth0"},
      {4, Type::kRoceV2, "2001:db8::1", "eth0"}, {5, Type::kRoceV2, "10.0.1.1", "eth0.7"}};
  RankGids(gids);
  const auto index = [](uint32_t i) { return Field(&RdmaGid::index, i); };
  EXPECT_THAT(gids, ElementsAre(index(3), index(5), index(4), index(1), index(0), index(2)));
}

}  // namespace
}  // namespace fargraph::transport

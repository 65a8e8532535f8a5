#include "common/transport/verbs/listener.h"

#include "gtest/gtest.h"

namespace fargraph::transport::verbs {
namespace {

TEST(StatedHostTest, IsTheOneThatIsListenedOn) {
  EXPECT_EQ(StatedHost("10.0.0.1", {"10.0.0.2", "10.0.0.1"}), "10.0.0.1");
}

TEST(StatedHostTest, OfAllAddressesIsTheOnlyOneThatReachesBeyondTheLink) {
  EXPECT_EQ(StatedHost("0.0.0.0", {"10.0.0.1", "fe80::1"}), "10.0.0.1");
  EXPECT_EQ(StatedHost("::", {"2001:db8::1", "fe80::1", "fe80::2"}), "2001:db8::1");
}

TEST(StatedHostTest, IsLeftToThePeerWhereThereAreSeveralOrNone) {
  EXPECT_EQ(StatedHost("0.0.0.0", {"10.0.0.1", "10.0.1.1", "fe80::1"}), "0.0.0.0");
  EXPECT_EQ(StatedHost("::", {"fe80::1"}), "::");
  EXPECT_EQ(StatedHost("0.0.0.0", {}), "0.0.0.0");
}

}  // namespace
}  // namespace fargraph::transport::verbs

#include "memory_node/lease_table.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using transport::Kind;

class LeaseTableTest : public ::testing::Test {
 protected:
  const absl::Time start_ = absl::UnixEpoch();
  LeaseTable leases_{absl::Seconds(10)};
};

TEST_F(LeaseTableTest, ARepeatedRequestOpensNoSecondLease) {
  const auto first = *leases_.Open("request", Kind::kTcp, "bfs", start_);
  EXPECT_EQ(*leases_.Open("request", Kind::kTcp, "bfs", start_), first);
  const auto second = *leases_.Open("another", Kind::kTcp, "bfs", start_);
  EXPECT_NE(second->id, first->id);
  EXPECT_NE(second->ticket, first->ticket);
  EXPECT_EQ(leases_.size(), 2u);
}

TEST_F(LeaseTableTest, ExpiresUnlessRenewed) {
  const auto renewed = *leases_.Open("1", Kind::kTcp, "", start_);
  const auto silent = *leases_.Open("2", Kind::kTcp, "", start_);
  EXPECT_TRUE(leases_.Renew(renewed->id, start_ + absl::Seconds(5)).ok());
  EXPECT_THAT(leases_.RemoveExpired(start_ + absl::Seconds(9)), IsEmpty());
  EXPECT_THAT(leases_.RemoveExpired(start_ + absl::Seconds(10)), ElementsAre(silent));
  EXPECT_THAT(leases_.RemoveExpired(start_ + absl::Seconds(14)), IsEmpty());
  EXPECT_EQ(leases_.Renew(silent->id, start_).code(), absl::StatusCode::kAborted);
  EXPECT_EQ(leases_.Find(silent->id).status().code(), absl::StatusCode::kAborted);
  EXPECT_EQ(*leases_.Find(renewed->id), renewed);
}

TEST_F(LeaseTableTest, RemovesOnce) {
  const auto lease = *leases_.Open("1", Kind::kTcp, "", start_);
  EXPECT_EQ(leases_.Remove(lease->id), lease);
  EXPECT_EQ(leases_.Remove(lease->id), nullptr);
  EXPECT_NE(*leases_.Open("1", Kind::kTcp, "", start_), lease);
}

TEST_F(LeaseTableTest, AdmitsATicketToItsTransportWhileItsLeaseLives) {
  const auto lease = *leases_.Open("1", Kind::kTcp, "", start_);
  EXPECT_TRUE(leases_.Admits(Kind::kTcp, lease->ticket));
  EXPECT_FALSE(leases_.Admits(Kind::kShm, lease->ticket));
  EXPECT_FALSE(leases_.Admits(Kind::kTcp, transport::Ticket{}));
  leases_.Remove(lease->id);
  EXPECT_FALSE(leases_.Admits(Kind::kTcp, lease->ticket));
}

TEST_F(LeaseTableTest, CountsWhatItsHoldersSayThatTheyMoved) {
  const auto lease = *leases_.Open("request", Kind::kTcp, "job", start_);
  ASSERT_TRUE(leases_.Renew(lease->id, start_ + absl::Seconds(2), 2000).ok());
  ASSERT_TRUE(leases_.Renew(lease->id, start_ + absl::Seconds(4), 8000).ok());
  ASSERT_TRUE(leases_.Renew(lease->id, start_ + absl::Seconds(4), 8000).ok());  // repeated
  const std::vector<ClientSummary> clients = leases_.Clients();
  ASSERT_EQ(clients.size(), 1u);
  EXPECT_EQ(clients[0].holder, "job");
  EXPECT_EQ(clients[0].bytes_moved_total, 8000u);
  EXPECT_EQ(clients[0].bytes_per_second, 3000);
  leases_.Remove(lease->id, 9000);
  EXPECT_TRUE(leases_.Clients().empty());
  EXPECT_EQ(leases_.bytes_moved_total(), 9000u);
}

}  // namespace
}  // namespace fargraph

#include "memory_node/broker.h"

#include <algorithm>
#include <cstring>
#include <thread>

#include "absl/strings/str_cat.h"
#include "common/monotonic_time.h"
#include "common/units.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "memory_node/fake_device.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using transport::Access;
using transport::Kind;

constexpr uint64_t kBrokerCapacity = kMiB;

class BrokerTest : public ::testing::Test {
 protected:
  BrokerTest() {
    DataPlaneOptions options;
    options.open_device = fake::Opener(journal_, {Kind::kShm, Kind::kTcp});
    options.memory = &arena_->memory();
    options.admit = [this](Kind kind, const transport::Ticket& ticket) {
      return leases_.Admits(kind, ticket);
    };
    plane_ = *DataPlane::Open(options);
    broker_ = std::make_unique<Broker>("node", *arena_, leases_, *plane_);
  }

  std::string OpenLease(Kind kind = Kind::kTcp) {
    return (*broker_->OpenLease(NextRequest(), kind, "test"))->id;
  }
  std::string NextRequest() { return absl::StrCat("request ", ++requests_); }
  LentRegion Allocate(const std::string& lease, const std::string& name, uint64_t bytes = 5000) {
    auto region = broker_->Allocate(lease, NextRequest(), name, bytes);
    EXPECT_TRUE(region.ok()) << region.status();
    return *std::move(region);
  }
  LentRegion AllocateAndSeal(const std::string& lease, const std::string& name, bool keep) {
    auto region = broker_->Seal(lease, Allocate(lease, name).id, keep);
    EXPECT_TRUE(region.ok()) << region.status();
    return *std::move(region);
  }
  fake::Exposure ExposureOf(const LentRegion& region) {
    return journal_.exposed().at(region.key.rkey);
  }
  bool IsExposed(const LentRegion& region) { return journal_.exposed().contains(region.key.rkey); }
  bool IsEmptyAgain() {
    return arena_->FreeBytes() == arena_->capacity() && journal_.exposed().empty() &&
           broker_->regions().size() == 0;
  }

  fake::Journal journal_;
  std::unique_ptr<Arena> arena_ = *Arena::Map(kBrokerCapacity);
  LeaseTable leases_{absl::Seconds(10)};
  std::unique_ptr<DataPlane> plane_;
  std::unique_ptr<Broker> broker_;
  int requests_ = 0;
};

TEST_F(BrokerTest, AnAllocatedRegionCanBeWrittenWithinItsBytes) {
  const LentRegion region = Allocate(OpenLease(), "edges", 5000);
  EXPECT_EQ(region.bytes, 5000u);
  EXPECT_EQ(ExposureOf(region).length, 5000u);
  EXPECT_EQ(ExposureOf(region).access, Access::kReadWrite);
}

TEST_F(BrokerTest, ASealedRegionCanOnlyBeRead) {
  const std::string lease = OpenLease();
  const LentRegion writable = Allocate(lease, "edges");
  const auto sealed = broker_->Seal(lease, writable.id, false);
  ASSERT_TRUE(sealed.ok()) << sealed.status();
  EXPECT_FALSE(IsExposed(writable));
  EXPECT_EQ(ExposureOf(*sealed).access, Access::kRead);
}

TEST_F(BrokerTest, EveryLeaseThatAttachesHasItsOwnKey) {
  const LentRegion sealed = AllocateAndSeal(OpenLease(), "edges", false);
  const std::string other = OpenLease(Kind::kShm);
  const auto attached = broker_->Attach(other, "edges");
  ASSERT_TRUE(attached.ok()) << attached.status();
  EXPECT_EQ(attached->id, sealed.id);
  EXPECT_NE(attached->key.rkey, sealed.key.rkey);
  EXPECT_EQ(ExposureOf(*attached).access, Access::kRead);
  broker_->CloseLease(other);
  EXPECT_FALSE(IsExposed(*attached));
  EXPECT_TRUE(IsExposed(sealed));
}

TEST_F(BrokerTest, AttachingTwiceHoldsOnce) {
  const std::string owner = OpenLease();
  AllocateAndSeal(owner, "edges", false);
  const std::string other = OpenLease();
  const auto first = broker_->Attach(other, "edges");
  const auto again = broker_->Attach(other, "edges");
  EXPECT_EQ(first->key.rkey, again->key.rkey);
  broker_->CloseLease(owner);
  broker_->CloseLease(other);
  EXPECT_TRUE(IsEmptyAgain());
}

TEST_F(BrokerTest, TheEndOfALeaseDisconnectsItAndReclaimsWhatItHeld) {
  const auto lease = *broker_->OpenLease("request", Kind::kTcp, "test");
  Allocate(lease->id, "filling");
  AllocateAndSeal(lease->id, "sealed", false);
  broker_->CloseLease(lease->id);
  EXPECT_THAT(journal_.disconnected(), ElementsAre(lease->ticket));
  EXPECT_TRUE(IsEmptyAgain());
  EXPECT_EQ(broker_->Attach(lease->id, "sealed").status().code(), absl::StatusCode::kAborted);
  broker_->CloseLease(lease->id);  // a repetition
}

TEST_F(BrokerTest, AKeptRegionOutlivesItsLeaseUntilAnOperatorFreesIt) {
  const std::string lease = OpenLease();
  const LentRegion kept = AllocateAndSeal(lease, "edges", true);
  broker_->CloseLease(lease);
  EXPECT_THAT(journal_.exposed(), IsEmpty());
  EXPECT_THAT(broker_->regions().List(""), SizeIs(1));
  const std::string reader = OpenLease();
  EXPECT_TRUE(broker_->Attach(reader, "edges").ok());
  broker_->CloseLease(reader);
  ASSERT_TRUE(broker_->Free("", kept.id).ok());
  EXPECT_TRUE(IsEmptyAgain());
}

TEST_F(BrokerTest, ALeaseThatAttachedCanHaveTheRegionKept) {
  const std::string owner = OpenLease();
  AllocateAndSeal(owner, "edges", false);
  const std::string reader = OpenLease();
  const auto attached = broker_->Attach(reader, "edges");
  const auto kept = broker_->Seal(reader, attached->id, true);
  ASSERT_TRUE(kept.ok()) << kept.status();
  EXPECT_EQ(kept->key.rkey, attached->key.rkey);
  broker_->CloseLease(owner);
  broker_->CloseLease(reader);
  EXPECT_TRUE(broker_->Attach(OpenLease(), "edges").ok());
}

TEST_F(BrokerTest, FreeingAHeldRegionForgetsItsNameAndReturnsItsMemoryLater) {
  const std::string owner = OpenLease();
  const std::string reader = OpenLease();
  const LentRegion kept = AllocateAndSeal(owner, "edges", true);
  const auto attached = broker_->Attach(reader, "edges");
  ASSERT_TRUE(broker_->Free(owner, kept.id).ok());
  EXPECT_FALSE(IsExposed(kept));
  EXPECT_TRUE(IsExposed(*attached));
  EXPECT_EQ(broker_->Attach(owner, "edges").status().code(), absl::StatusCode::kNotFound);
  EXPECT_LT(arena_->FreeBytes(), kBrokerCapacity);
  ASSERT_TRUE(broker_->Free(owner, kept.id).ok());  // a repetition
  ASSERT_TRUE(broker_->Free(reader, kept.id).ok());
  EXPECT_TRUE(IsEmptyAgain());
}

TEST_F(BrokerTest, NobodyFreesWhatAnotherIsFilling) {
  const std::string owner = OpenLease();
  const LentRegion region = Allocate(owner, "edges");
  EXPECT_EQ(broker_->Free("", region.id).code(), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(broker_->Free(OpenLease(), region.id).code(), absl::StatusCode::kPermissionDenied);
  EXPECT_TRUE(broker_->Free(owner, region.id).ok());
  EXPECT_TRUE(IsEmptyAgain());
}

TEST_F(BrokerTest, TheFirstToSealANameWinsAndTheOtherGetsItsRegion) {
  const std::string first = OpenLease();
  const std::string second = OpenLease();
  const LentRegion loser = Allocate(second, "edges");
  const LentRegion winner = AllocateAndSeal(first, "edges", false);
  const auto got = broker_->Seal(second, loser.id, false);
  ASSERT_TRUE(got.ok()) << got.status();
  EXPECT_EQ(got->id, winner.id);
  EXPECT_FALSE(IsExposed(loser));
  EXPECT_EQ(broker_->regions().size(), 1u);

  const auto repeated = broker_->Seal(second, loser.id, false);
  EXPECT_EQ(repeated->key.rkey, got->key.rkey);
  EXPECT_TRUE(broker_->Free(second, loser.id).ok());  // gone already
  broker_->CloseLease(first);
  EXPECT_EQ(broker_->regions().size(), 1u);
  broker_->CloseLease(second);
  EXPECT_TRUE(IsEmptyAgain());
}

TEST_F(BrokerTest, RepetitionsAreAnsweredAsTheFirstTime) {
  const auto lease = *broker_->OpenLease("open", Kind::kTcp, "test");
  EXPECT_EQ(*broker_->OpenLease("open", Kind::kTcp, "test"), lease);
  const auto region = broker_->Allocate(lease->id, "allocate", "edges", 5000);
  const auto again = broker_->Allocate(lease->id, "allocate", "edges", 5000);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->id, region->id);
  EXPECT_EQ(again->key.rkey, region->key.rkey);
  EXPECT_EQ(broker_->Allocate(lease->id, "allocate", "edges", 6000).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(broker_->regions().size(), 1u);

  const auto sealed = broker_->Seal(lease->id, region->id, true);
  EXPECT_EQ(broker_->Seal(lease->id, region->id, true)->key.rkey, sealed->key.rkey);
  EXPECT_TRUE(broker_->Free(lease->id, region->id).ok());
  EXPECT_TRUE(broker_->Free(lease->id, region->id).ok());
}

TEST_F(BrokerTest, AFullNodeRefusesAndServesAgainWhenSomethingWasFreed) {
  const std::string lease = OpenLease();
  const LentRegion region = Allocate(lease, "all", kBrokerCapacity);
  const auto refused = broker_->Allocate(lease, NextRequest(), "more", 1);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(broker_->allocations_refused_total(), 1u);
  ASSERT_TRUE(broker_->Free(lease, region.id).ok());
  EXPECT_EQ(Allocate(lease, "more", kBrokerCapacity).bytes, kBrokerCapacity);
}

TEST_F(BrokerTest, NothingOfOneUserReachesTheNext) {
  const std::string lease = OpenLease();
  const LentRegion region = Allocate(lease, "secret");
  const uint64_t offset = ExposureOf(region).offset;
  std::byte* bytes = arena_->memory().data() + offset;
  std::memset(bytes, 0x5a, region.bytes);
  broker_->CloseLease(lease);
  const LentRegion next = Allocate(OpenLease(), "next");
  ASSERT_EQ(ExposureOf(next).offset, offset);
  EXPECT_TRUE(
      std::all_of(bytes, bytes + next.bytes, [](std::byte byte) { return byte == std::byte{}; }));
}

TEST_F(BrokerTest, MemoryIsNotLentAgainBeforeItsKeyIsRevoked) {
  const std::string lease = OpenLease();
  Allocate(lease, "edges", kBrokerCapacity);
  journal_.FailRevoke(absl::UnavailableError("a peer is in the middle of a copy"));
  broker_->CloseLease(lease);
  broker_->RetryRevocations();
  EXPECT_EQ(broker_->Allocate(OpenLease(), NextRequest(), "next", 1).status().code(),
            absl::StatusCode::kResourceExhausted);
  journal_.FailRevoke(absl::OkStatus());
  broker_->RetryRevocations();
  EXPECT_TRUE(IsEmptyAgain());
}

TEST_F(BrokerTest, ARegionThatCannotBeExposedIsNotAllocated) {
  const std::string lease = OpenLease();
  journal_.FailExpose(absl::FailedPreconditionError("memlock is 64 KiB; raise it"));
  EXPECT_EQ(broker_->Allocate(lease, NextRequest(), "edges", 5000).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(IsEmptyAgain());
}

TEST_F(BrokerTest, ASealWhoseNewKeyFailedCanBeRepeated) {
  const std::string lease = OpenLease();
  const LentRegion region = Allocate(lease, "edges");
  journal_.FailExpose(absl::FailedPreconditionError("memlock is 64 KiB; raise it"));
  EXPECT_FALSE(broker_->Seal(lease, region.id, false).ok());
  EXPECT_FALSE(IsExposed(region));
  journal_.FailExpose(absl::OkStatus());
  const auto sealed = broker_->Seal(lease, region.id, false);
  ASSERT_TRUE(sealed.ok()) << sealed.status();
  EXPECT_EQ(ExposureOf(*sealed).access, Access::kRead);
}

TEST_F(BrokerTest, AnExpiredLeaseIsReclaimed) {
  const auto lease = *broker_->OpenLease("request", Kind::kTcp, "test");
  Allocate(lease->id, "edges");
  broker_->ExpireLeases(MonotonicNow() + absl::Seconds(9));
  EXPECT_TRUE(broker_->RenewLease(lease->id).ok());
  broker_->ExpireLeases(MonotonicNow() + absl::Seconds(11));
  EXPECT_EQ(broker_->RenewLease(lease->id).code(), absl::StatusCode::kAborted);
  EXPECT_EQ(broker_->leases_expired_total(), 1u);
  EXPECT_THAT(journal_.disconnected(), ElementsAre(lease->ticket));
  EXPECT_TRUE(IsEmptyAgain());
}

TEST_F(BrokerTest, MistakesAreRefused) {
  const std::string lease = OpenLease();
  EXPECT_EQ(broker_->Allocate(lease, "r", "edges", 0).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(broker_->Allocate(lease, "r", "", 1).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(broker_->Allocate(lease, "", "edges", 1).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(broker_->OpenLease("", Kind::kTcp, "test").status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(broker_->Allocate("stranger", "r", "edges", 1).status().code(),
            absl::StatusCode::kAborted);
  EXPECT_EQ(broker_->Seal(lease, "node-7", false).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(broker_->Free(lease, "node-7").code(), absl::StatusCode::kNotFound);
  const auto verbs = broker_->OpenLease("r", Kind::kVerbs, "test");
  EXPECT_EQ(verbs.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(verbs.status().message(), HasSubstr("does not serve verbs but shm, tcp"));
}

TEST_F(BrokerTest, AHolderIsCutBetweenCharacters) {
  const std::string most(255, 'x');
  EXPECT_EQ((*broker_->OpenLease("1", Kind::kTcp, most + "\u00e9"))->holder, most);
  EXPECT_EQ((*broker_->OpenLease("2", Kind::kTcp, most + "yz"))->holder, most + "y");
}

TEST_F(BrokerTest, ManyLeasesAtOnceLeaveNothingBehind) {
  std::vector<std::thread> users;
  for (int user = 0; user < 8; ++user) {
    users.emplace_back([this, user] {
      for (int round = 0; round < 50; ++round) {
        const std::string request = absl::StrCat(user, "/", round);
        const std::string lease = (*broker_->OpenLease(request, Kind::kTcp, "test"))->id;
        const auto region = broker_->Allocate(lease, request, absl::StrCat(round % 3), 5000);
        EXPECT_TRUE(region.ok()) << region.status();
        if (!region.ok()) continue;
        const auto sealed = broker_->Seal(lease, region->id, /*keep=*/false);
        EXPECT_TRUE(sealed.ok()) << sealed.status();
        const auto attached = broker_->Attach(lease, absl::StrCat(user % 3));
        EXPECT_TRUE(attached.ok() || attached.status().code() == absl::StatusCode::kNotFound);
        if (user % 2 == 0 && sealed.ok()) {
          EXPECT_TRUE(broker_->Free(lease, sealed->id).ok());
        }
        broker_->CloseLease(lease);
      }
    });
  }
  for (std::thread& user : users) user.join();
  EXPECT_TRUE(IsEmptyAgain());
}

}  // namespace
}  // namespace fargraph

#include "memory_node/data_plane.h"

#include "common/units.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "memory_node/fake_device.h"

namespace fargraph {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using transport::Kind;

class DataPlaneTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<DataPlane>> Open(std::vector<Kind> wanted,
                                                  std::vector<Kind> present) {
    return OpenWith(fake::Opener(journal_, std::move(present)), std::move(wanted));
  }
  absl::StatusOr<std::unique_ptr<DataPlane>> OpenWith(DeviceOpener opener,
                                                      std::vector<Kind> wanted = {}) {
    DataPlaneOptions options;
    options.host = "10.0.0.7";
    options.transports = std::move(wanted);
    options.open_device = std::move(opener);
    options.memory = &memory_;
    options.admit = [](Kind, const transport::Ticket&) { return false; };
    return DataPlane::Open(options);
  }

  fake::Journal journal_;
  MappedMemory memory_ = *MappedMemory::Allocate(kMiB);
};

TEST_F(DataPlaneTest, ServesAllThatTheHostHas) {
  const auto plane = Open({}, {Kind::kShm, Kind::kTcp});
  ASSERT_TRUE(plane.ok()) << plane.status();
  EXPECT_THAT((*plane)->transports(), ElementsAre(Kind::kShm, Kind::kTcp));
  EXPECT_EQ((*plane)->Names(), "shm, tcp");
  EXPECT_THAT((*plane)->absences(), ElementsAre(HasSubstr("verbs: this host has no such device")));
  EXPECT_THAT((*plane)->failures(), IsEmpty());
  EXPECT_FALSE((*plane)->Serves(Kind::kVerbs));
  EXPECT_EQ((*plane)->endpoint(Kind::kTcp), "tcp@10.0.0.7");
}

TEST_F(DataPlaneTest, ServesOnlyWhatWasAskedFor) {
  const auto plane = Open({Kind::kTcp, Kind::kTcp}, {Kind::kVerbs, Kind::kShm, Kind::kTcp});
  ASSERT_TRUE(plane.ok()) << plane.status();
  EXPECT_THAT((*plane)->transports(), ElementsAre(Kind::kTcp));
  EXPECT_THAT((*plane)->absences(), IsEmpty());
}

TEST_F(DataPlaneTest, ATransportThatWasAskedForMustBeThere) {
  const auto plane = Open({Kind::kTcp, Kind::kVerbs}, {Kind::kTcp});
  EXPECT_EQ(plane.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(plane.status().message(),
              AllOf(HasSubstr("cannot serve verbs"), HasSubstr("install one")));
}

TEST_F(DataPlaneTest, AHostWithoutAnyTransportIsRefused) {
  EXPECT_EQ(Open({}, {}).status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(DataPlaneTest, MemoryThatCannotBeExposedShowsAtTheStart) {
  journal_.FailExpose(absl::FailedPreconditionError("memlock is 64 KiB; raise it"));
  const auto plane = Open({Kind::kVerbs}, {Kind::kVerbs});
  EXPECT_EQ(plane.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(plane.status().message(), HasSubstr("memlock is 64 KiB; raise it"));
}

TEST_F(DataPlaneTest, ADeviceThatCannotExposeTheMemoryIsToldFromOneThatIsNotThere) {
  fake::Journal verbs;
  verbs.FailExpose(absl::FailedPreconditionError("memlock is 64 KiB; raise it"));
  const DeviceOpener open_verbs = fake::Opener(verbs, {Kind::kVerbs});
  const DeviceOpener open_other = fake::Opener(journal_, {Kind::kTcp});
  const auto plane = OpenWith(
      [&](Kind kind) { return kind == Kind::kVerbs ? open_verbs(kind) : open_other(kind); });
  ASSERT_TRUE(plane.ok()) << plane.status();
  EXPECT_THAT((*plane)->transports(), ElementsAre(Kind::kTcp));
  EXPECT_THAT((*plane)->absences(), ElementsAre(HasSubstr("shm: this host has no such device")));
  EXPECT_THAT((*plane)->failures(), ElementsAre("verbs: memlock is 64 KiB; raise it"));
  EXPECT_THAT(OpenWith(open_verbs).status().message(), HasSubstr("memlock is 64 KiB; raise it"));
}

TEST_F(DataPlaneTest, ADeviceThatCannotBeOpenedIsToldFromOneThatIsNotThere) {
  const DeviceOpener open_other = fake::Opener(journal_, {Kind::kTcp});
  const auto plane = OpenWith([&](Kind kind) -> absl::StatusOr<std::unique_ptr<transport::Device>> {
    if (kind == Kind::kVerbs) return absl::FailedPreconditionError("no port is active");
    return open_other(kind);
  });
  ASSERT_TRUE(plane.ok()) << plane.status();
  EXPECT_THAT((*plane)->transports(), ElementsAre(Kind::kTcp));
  EXPECT_THAT((*plane)->absences(), ElementsAre(HasSubstr("shm: this host has no such device")));
  EXPECT_THAT((*plane)->failures(), ElementsAre("verbs: no port is active"));
}

TEST_F(DataPlaneTest, ADeviceThatWasLostIsNotServedAnyMore) {
  fake::Journal verbs;
  const DeviceOpener open_verbs = fake::Opener(verbs, {Kind::kVerbs});
  const DeviceOpener open_other = fake::Opener(journal_, {Kind::kTcp});
  const auto plane = OpenWith(
      [&](Kind kind) { return kind == Kind::kVerbs ? open_verbs(kind) : open_other(kind); });
  ASSERT_TRUE(plane.ok()) << plane.status();
  const auto key = (*plane)->Expose(Kind::kVerbs, 0, kMiB, transport::Access::kRead);
  ASSERT_TRUE(key.ok()) << key.status();
  verbs.LoseDevice();
  EXPECT_THAT((*plane)->transports(), ElementsAre(Kind::kTcp));
  EXPECT_FALSE((*plane)->Serves(Kind::kVerbs));
  EXPECT_TRUE((*plane)->Serves(Kind::kTcp));
  EXPECT_TRUE((*plane)->Revoke(Kind::kVerbs, *key).ok());  // of a lease that was open then
}

TEST_F(DataPlaneTest, NothingStaysExposedAfterTheStart) {
  const auto plane = Open({}, {Kind::kVerbs, Kind::kShm, Kind::kTcp});
  ASSERT_TRUE(plane.ok()) << plane.status();
  EXPECT_THAT(journal_.exposed(), IsEmpty());
}

}  // namespace
}  // namespace fargraph

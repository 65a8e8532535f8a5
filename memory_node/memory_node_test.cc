#include "memory_node/memory_node.h"

#include <cstdlib>
#include <cstring>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/control/protocol.h"
#include "common/proto/memory_node.grpc.pb.h"
#include "common/units.h"
#include "gmock/gmock.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "gtest/gtest.h"
#include "memory_node/test_peer.h"

namespace fargraph {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using transport::Kind;

constexpr uint64_t kNodeCapacity = 4 * kMiB;
constexpr uint64_t kMostPage = 2 * kMiB;  ///< which a region takes where huge pages are reserved
constexpr char kToken[] = "token-of-the-test";

template <typename Condition>
bool Eventually(Condition condition) {
  for (int i = 0; i < 3000 && !condition(); ++i) absl::SleepFor(absl::Milliseconds(10));
  return condition();
}

MemoryNodeOptions Options() {
  MemoryNodeOptions options;
  options.capacity_bytes = kNodeCapacity;
  return options;
}

std::unique_ptr<MemoryNode> StartNode(const MemoryNodeOptions& options = Options()) {
  auto node = MemoryNode::Start(options);
  EXPECT_TRUE(node.ok()) << node.status();
  return *std::move(node);
}

MemoryNodeStats StatsOf(MemoryNodeClient& client) {
  const auto stats = client.Stats();
  EXPECT_TRUE(stats.ok()) << stats.status();
  return stats.value_or(MemoryNodeStats{});
}

/// Over every transport. FARGRAPH_TEST_HOST names an address of the RDMA device where there is one.
class MemoryNodeTest : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    if (const auto device = transport::OpenDevice(GetParam()); !device.ok()) {
      GTEST_SKIP() << device.status();
    }
  }
  /// A node that must serve the transport.
  static MemoryNodeOptions Options() {
    MemoryNodeOptions options;
    const char* host = std::getenv("FARGRAPH_TEST_HOST");
    options.listen = absl::StrCat(host == nullptr ? "127.0.0.1" : host, ":0");
    options.capacity_bytes = kNodeCapacity;
    options.transports = {GetParam()};
    options.token = kToken;
    return options;
  }
  static std::unique_ptr<MemoryNode> StartNode() { return fargraph::StartNode(Options()); }
  static std::unique_ptr<MemoryNodeClient> Connect(const std::string& address) {
    auto client = MemoryNodeClient::Connect(address, {.token = kToken});
    EXPECT_TRUE(client.ok()) << client.status();
    return *std::move(client);
  }
  static TestPeer Join(const std::string& address) {
    auto peer = TestPeer::Join(address, GetParam(), {.token = kToken});
    EXPECT_TRUE(peer.ok()) << peer.status();
    return *std::move(peer);
  }
};

INSTANTIATE_TEST_SUITE_P(, MemoryNodeTest, testing::Values(Kind::kVerbs, Kind::kShm, Kind::kTcp),
                         [](const testing::TestParamInfo<Kind>& kind) {
                           return std::string(transport::KindName(kind.param));
                         });

TEST_P(MemoryNodeTest, TellsOfItsHost) {
  const auto node = StartNode();
  const auto diagnosis = Connect(node->address())->Diagnose();
  ASSERT_TRUE(diagnosis.ok()) << diagnosis.status();
  const doctor::Finding& lent = diagnosis->findings.back();
  EXPECT_EQ(lent.check, "lent memory");
  if (lent.level == doctor::Level::kWarning) {  // small pages, which are in the way of huge ones
    EXPECT_THAT(lent.mend, HasSubstr("once the memory node is stopped"));
  }
  EXPECT_EQ(diagnosis->rdma.has_value(), transport::OpenDevice(Kind::kVerbs).ok());
}

TEST_P(MemoryNodeTest, WhatOnePeerSealsAnotherReads) {
  const auto node = StartNode();
  TestPeer writer = Join(node->address());
  const auto region = writer.lease->Allocate("graph/edges", 100'000);
  ASSERT_TRUE(region.ok()) << region.status();
  ASSERT_TRUE(writer.connection->Write(region->key, "0 1 2").ok());
  const auto sealed = writer.lease->Seal(*region, /*keep=*/true);
  ASSERT_TRUE(sealed.ok()) << sealed.status();
  EXPECT_EQ(*writer.connection->Read(sealed->key, 5), "0 1 2");

  TestPeer reader = Join(node->address());
  const auto attached = reader.lease->Attach("graph/edges");
  ASSERT_TRUE(attached.ok()) << attached.status();
  EXPECT_EQ(attached->bytes, 100'000u);
  EXPECT_EQ(*reader.connection->Read(attached->key, 3, 2), "1 2");

  writer = {};
  EXPECT_EQ(*reader.connection->Read(attached->key, 5), "0 1 2");
  const auto list = reader.client->List("graph/");
  ASSERT_TRUE(list.ok()) << list.status();
  ASSERT_EQ(list->size(), 1u);
  EXPECT_EQ((*list)[0].name, "graph/edges");
  EXPECT_TRUE((*list)[0].keep);
  EXPECT_EQ((*list)[0].holders, 1u);
  ASSERT_TRUE(reader.client->Free((*list)[0]).ok());
  EXPECT_EQ(*reader.connection->Read(attached->key, 5), "0 1 2");  // held still
  ASSERT_TRUE(reader.lease->Free(*attached).ok());
  EXPECT_EQ(StatsOf(*reader.client).allocated_bytes, 0u);
}

TEST_P(MemoryNodeTest, NobodyWritesToASealedRegion) {
  const auto node = StartNode();
  TestPeer writer = Join(node->address());
  const auto region = writer.lease->Allocate("edges", 4096);
  const auto sealed = writer.lease->Seal(*region, false);
  ASSERT_TRUE(sealed.ok()) << sealed.status();
  EXPECT_FALSE(writer.connection->Write(region->key, "late").ok());
  EXPECT_FALSE(Join(node->address()).connection->Write(sealed->key, "guessed").ok());
  TestPeer reader = Join(node->address());
  const auto attached = reader.lease->Attach("edges");
  EXPECT_EQ(*reader.connection->Read(attached->key, 4), std::string(4, '\0'));
}

TEST_P(MemoryNodeTest, AKeyEndsWithItsRegion) {
  const auto node = StartNode();
  TestPeer first = Join(node->address());
  const auto region = first.lease->Allocate("edges", 4096);
  ASSERT_TRUE(first.connection->Write(region->key, "secret").ok());
  ASSERT_TRUE(first.lease->Free(*region).ok());

  TestPeer second = Join(node->address());
  const auto next = second.lease->Allocate("edges", 4096);
  ASSERT_TRUE(next.ok()) << next.status();
  EXPECT_EQ(*second.connection->Read(next->key, 6), std::string(6, '\0'));
  EXPECT_FALSE(first.connection->Read(region->key, 6).ok());
}

TEST_P(MemoryNodeTest, ALeaseThatIsNotRenewedLosesItsConnectionsAndItsMemory) {
  MemoryNodeOptions options = Options();
  options.lease_duration = absl::Seconds(2);
  const auto node = fargraph::StartNode(options);
  const auto stub = proto::MemoryNode::NewStub(
      grpc::CreateChannel(node->address(), grpc::InsecureChannelCredentials()));
  proto::OpenLeaseRequest open;
  open.set_request_id("1");
  open.set_transport(ToProto(GetParam()));
  proto::OpenLeaseReply lease;
  grpc::ClientContext context;
  context.AddMetadata(kAuthorizationKey, AuthorizationValue(kToken));
  ASSERT_TRUE(stub->OpenLease(&context, open, &lease).ok());
  transport::Ticket ticket;
  std::memcpy(ticket.data(), lease.ticket().data(), ticket.size());
  const auto connection = TestConnection::Open(GetParam(), lease.endpoint(), ticket);
  ASSERT_TRUE(connection.ok()) << connection.status();
  proto::AllocateRequest allocate;
  allocate.set_lease_id(lease.lease_id());
  allocate.set_request_id("2");
  allocate.set_name("edges");
  allocate.set_bytes(4096);
  proto::Region region;
  grpc::ClientContext second_context;
  second_context.AddMetadata(kAuthorizationKey, AuthorizationValue(kToken));
  ASSERT_TRUE(stub->Allocate(&second_context, allocate, &region).ok());

  const auto client = Connect(node->address());
  ASSERT_TRUE(Eventually([&] { return StatsOf(*client).allocated_bytes == 0; }));
  EXPECT_EQ(StatsOf(*client).leases_expired_total, 1u);
  EXPECT_FALSE((*connection)->Read({region.address(), region.rkey()}, 1).ok());
  EXPECT_EQ(TestConnection::Open(GetParam(), lease.endpoint(), ticket).status().code(),
            absl::StatusCode::kPermissionDenied);
}

TEST_P(MemoryNodeTest, ARenewedLeaseOutlivesItsDuration) {
  MemoryNodeOptions options = Options();
  options.lease_duration = absl::Seconds(1);
  const auto node = fargraph::StartNode(options);
  TestPeer peer = Join(node->address());
  const auto region = peer.lease->Allocate("edges", 4096);
  ASSERT_TRUE(peer.connection->Write(region->key, "kept").ok());
  absl::SleepFor(2 * options.lease_duration);
  EXPECT_TRUE(peer.lease->Health().ok()) << peer.lease->Health();
  EXPECT_EQ(*peer.connection->Read(region->key, 4), "kept");
}

TEST_P(MemoryNodeTest, ManyPeersAtOnce) {
  constexpr int kPeers = 8;
  MemoryNodeOptions options = Options();
  options.capacity_bytes = kPeers * kMostPage;
  const auto node = fargraph::StartNode(options);
  std::vector<std::thread> peers;
  for (int i = 0; i < kPeers; ++i) {
    peers.emplace_back([&, i] {
      TestPeer peer = Join(node->address());
      for (int round = 0; round < 5; ++round) {
        const std::string text = absl::StrCat("peer ", i, " round ", round);
        const auto region = peer.lease->Allocate(text, 50'000);
        ASSERT_TRUE(region.ok()) << region.status();
        ASSERT_TRUE(peer.connection->Write(region->key, text).ok());
        const auto sealed = peer.lease->Seal(*region, round % 2 == 0);
        ASSERT_TRUE(sealed.ok()) << sealed.status();
        EXPECT_EQ(*peer.connection->Read(sealed->key, text.size()), text);
        ASSERT_TRUE(peer.lease->Free(*sealed).ok());
      }
    });
  }
  for (std::thread& peer : peers) peer.join();
  const auto client = Connect(node->address());
  EXPECT_EQ(StatsOf(*client).allocated_bytes, 0u);
  EXPECT_EQ(StatsOf(*client).leases, 0u);
}

TEST_P(MemoryNodeTest, TwoNodesKeepToThemselves) {
  const auto first = StartNode();
  const auto second = StartNode();
  TestPeer on_first = Join(first->address());
  TestPeer on_second = Join(second->address());
  EXPECT_NE(on_first.client->description().node_id, on_second.client->description().node_id);
  const auto region = on_first.lease->Allocate("edges", 4096);
  ASSERT_TRUE(on_first.lease->Seal(*region, true).ok());
  EXPECT_EQ(on_second.lease->Attach("edges").status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(on_second.client->Free({.region_id = region->region_id}).code(),
            absl::StatusCode::kNotFound);
}

TEST_P(MemoryNodeTest, TheEndOfTheNodeShowsInTheLeaseAndOnTheConnection) {
  MemoryNodeOptions options = Options();
  options.lease_duration = absl::Seconds(2);
  auto node = fargraph::StartNode(options);
  const std::string address = node->address();
  TestPeer peer = Join(address);
  const auto region = peer.lease->Allocate("edges", 4096);
  ASSERT_TRUE(region.ok()) << region.status();
  node.reset();
  EXPECT_FALSE(peer.connection->Read(region->key, 1).ok());
  EXPECT_TRUE(Eventually([&] { return !peer.lease->Health().ok(); }));
  EXPECT_THAT(peer.lease->Health().message(), HasSubstr(address));
}

TEST(MemoryNode, DescribesItself) {
  const auto node = StartNode();
  EXPECT_THAT(
      node->Description(),
      AllOf(HasSubstr(absl::StrCat("listening on ", node->address(), ", capacity 4 MiB on")),
            MatchesRegex(".*pages.*, transports .*shm.*")));
  const auto client = MemoryNodeClient::Connect(node->address());
  ASSERT_TRUE(client.ok()) << client.status();
  const MemoryNodeDescription& description = (*client)->description();
  EXPECT_EQ(description.host_id, LocalHostId());
  EXPECT_EQ(description.capacity_bytes, kNodeCapacity);
  EXPECT_THAT(description.pages, HasSubstr("pages"));
  EXPECT_GE(description.extent_bytes, 4 * kKiB);
  EXPECT_EQ(kNodeCapacity % description.extent_bytes, 0u);
  EXPECT_THAT(description.transports, testing::Contains(Kind::kShm));
}

TEST(MemoryNode, AFullNodeSaysWhatIsLeft) {
  const auto node = StartNode();
  const auto client = *MemoryNodeClient::Connect(node->address());
  const auto lease = *client->OpenLease(Kind::kShm);
  ASSERT_TRUE(lease->Allocate("edges", kMostPage).ok());
  const auto refused = lease->Allocate("weights", 3 * kMiB);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(refused.status().message(),
              AllOf(HasSubstr("'weights'"), HasSubstr(node->address()), HasSubstr("3 MiB"),
                    HasSubstr("2 MiB are free"), HasSubstr("--capacity")));
  EXPECT_EQ(StatsOf(*client).allocations_refused_total, 1u);
}

TEST(MemoryNode, OnlyTheRightTokenIsAdmitted) {
  MemoryNodeOptions options = Options();
  options.token = "right-token";
  const auto node = StartNode(options);
  EXPECT_TRUE(MemoryNodeClient::Connect(node->address(), {.token = "right-token"}).ok());
  for (const std::string token : {"", "wrong", "right-tokem", "right-token-and-more"}) {
    const auto client = MemoryNodeClient::Connect(node->address(), {.token = token});
    EXPECT_EQ(client.status().code(), absl::StatusCode::kUnauthenticated) << token;
    EXPECT_THAT(client.status().message(),
                AllOf(HasSubstr(node->address()), HasSubstr("--token_file"),
                      Not(HasSubstr("right-token"))));
  }
}

TEST(MemoryNode, NoCallPassesWithoutTheToken) {
  MemoryNodeOptions options = Options();
  options.token = "right-token";
  const auto node = StartNode(options);
  const auto stub = proto::MemoryNode::NewStub(
      grpc::CreateChannel(node->address(), grpc::InsecureChannelCredentials()));
  const auto is_refused = [&](auto method, auto request, auto reply) {
    grpc::ClientContext context;
    return ((*stub).*method)(&context, request, &reply).error_code() ==
           grpc::StatusCode::UNAUTHENTICATED;
  };
  using Stub = proto::MemoryNode::Stub;
  EXPECT_TRUE(is_refused(&Stub::Describe, proto::DescribeRequest(), proto::DescribeReply()));
  EXPECT_TRUE(is_refused(&Stub::OpenLease, proto::OpenLeaseRequest(), proto::OpenLeaseReply()));
  EXPECT_TRUE(is_refused(&Stub::RenewLease, proto::RenewLeaseRequest(), proto::RenewLeaseReply()));
  EXPECT_TRUE(is_refused(&Stub::CloseLease, proto::CloseLeaseRequest(), proto::CloseLeaseReply()));
  EXPECT_TRUE(is_refused(&Stub::Allocate, proto::AllocateRequest(), proto::Region()));
  EXPECT_TRUE(is_refused(&Stub::Seal, proto::SealRequest(), proto::Region()));
  EXPECT_TRUE(is_refused(&Stub::Attach, proto::AttachRequest(), proto::Region()));
  EXPECT_TRUE(is_refused(&Stub::Free, proto::FreeRequest(), proto::FreeReply()));
  EXPECT_TRUE(is_refused(&Stub::List, proto::ListRequest(), proto::ListReply()));
  EXPECT_TRUE(is_refused(&Stub::Stats, proto::StatsRequest(), proto::StatsReply()));
  EXPECT_TRUE(is_refused(&Stub::Diagnose, proto::DiagnoseRequest(), proto::DiagnoseReply()));
  EXPECT_EQ(proto::DescribeReply::descriptor()->file()->service(0)->method_count(), 11) << "all";
}

TEST(MemoryNode, ListensBeyondLoopbackOnlyWithAToken) {
  MemoryNodeOptions options = Options();
  options.listen = "0.0.0.0:0";
  const auto refused = MemoryNode::Start(options);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(refused.status().message(), HasSubstr("--token_file"));
  options.token = "token";
  const auto node = StartNode(options);
  const std::string port = node->address().substr(node->address().rfind(':'));
  const auto peer =
      TestPeer::Join(absl::StrCat("127.0.0.1", port), Kind::kTcp, {.token = options.token});
  EXPECT_TRUE(peer.ok()) << peer.status();
}

TEST(MemoryNode, AHostThatNobodyKnowsIsRefusedWithAndWithoutAToken) {
  MemoryNodeOptions options = Options();
  options.listen = "no..host:0";  // one that DNS is not asked for
  for (const char* token : {"", "token"}) {
    options.token = token;
    const absl::Status refused = MemoryNode::Start(options).status();
    EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument) << refused;
    EXPECT_THAT(refused.message(), HasSubstr("'no..host' cannot be resolved"));
  }
}

TEST(MemoryNode, APortInUseIsRefused) {
  const auto node = StartNode();
  MemoryNodeOptions options = Options();
  options.listen = node->address();
  const auto second = MemoryNode::Start(options);
  EXPECT_EQ(second.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(second.status().message(),
              AllOf(HasSubstr(node->address()), HasSubstr("Address already in use")));
}

TEST(MemoryNode, ALeaseOverATransportThatIsNotServedIsRefused) {
  MemoryNodeOptions options = Options();
  options.transports = {Kind::kShm};
  const auto node = StartNode(options);
  const auto client = *MemoryNodeClient::Connect(node->address());
  EXPECT_THAT(client->description().transports, ElementsAre(Kind::kShm));
  EXPECT_EQ(client->OpenLease(Kind::kTcp).status().code(), absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace fargraph

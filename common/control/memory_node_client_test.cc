#include "common/control/memory_node_client.h"

#include <atomic>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "common/control/protocol.h"
#include "common/proto/memory_node.grpc.pb.h"
#include "common/units.h"
#include "gmock/gmock.h"
#include "grpcpp/security/server_credentials.h"
#include "grpcpp/server.h"
#include "grpcpp/server_builder.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A memory node that answers as the test sets it up to.
class ScriptedNode : public proto::MemoryNode::Service {
 public:
  ScriptedNode() {
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
    address_ = absl::StrCat("127.0.0.1:", port);
  }
  ~ScriptedNode() override { Stop(); }

  void Stop() { server_->Shutdown(absl::ToChronoTime(absl::Now())); }
  const std::string& address() const { return address_; }

  grpc::Status Describe(grpc::ServerContext* context, const proto::DescribeRequest* /*request*/,
                        proto::DescribeReply* reply) override {
    const auto token = context->client_metadata().find(kAuthorizationKey);
    if (token != context->client_metadata().end()) {
      const absl::MutexLock lock(&mutex_);
      authorization_ = std::string(token->second.data(), token->second.size());
    }
    Delay(*context, describe_delay);
    ++describe_calls;
    if (describe_calls <= unavailable_at_first) {
      return {grpc::StatusCode::UNAVAILABLE, "connection reset"};
    }
    reply->set_protocol_version(protocol_version);
    reply->set_node_id("n1");
    reply->add_transports(proto::TRANSPORT_TCP);
    reply->add_transports(static_cast<proto::Transport>(77));  // of a later version
    reply->set_capacity_bytes(4096);
    reply->set_extent_bytes(512);
    return grpc::Status::OK;
  }

  grpc::Status OpenLease(grpc::ServerContext* /*context*/, const proto::OpenLeaseRequest* request,
                         proto::OpenLeaseReply* reply) override {
    reply->set_lease_id(absl::StrCat("lease of ", request->holder()));
    reply->set_duration_milliseconds(600);
    reply->set_endpoint(endpoint);
    reply->set_ticket(std::string(16, 'x'));
    return grpc::Status::OK;
  }

  grpc::Status RenewLease(grpc::ServerContext* /*context*/,
                          const proto::RenewLeaseRequest* /*request*/,
                          proto::RenewLeaseReply* /*reply*/) override {
    ++renewals;
    return lease_ended ? grpc::Status(grpc::StatusCode::ABORTED, "the lease has ended")
                       : grpc::Status::OK;
  }

  grpc::Status CloseLease(grpc::ServerContext* context, const proto::CloseLeaseRequest* /*request*/,
                          proto::CloseLeaseReply* /*reply*/) override {
    ++closes;
    return WorkOnRegion(*context);
  }

  grpc::Status Allocate(grpc::ServerContext* /*context*/, const proto::AllocateRequest* request,
                        proto::Region* reply) override {
    const absl::MutexLock lock(&mutex_);
    if (allocate_request_id_.empty()) {
      allocate_request_id_ = request->request_id();
      return {grpc::StatusCode::UNAVAILABLE, "the reply was lost"};
    }
    if (allocate_request_id_ != request->request_id()) {
      return {grpc::StatusCode::INTERNAL, "another request id"};
    }
    allocate_request_id_.clear();
    reply->set_region_id("r1");
    reply->set_name(request->name());
    reply->set_bytes(request->bytes());
    reply->set_address(11);
    reply->set_rkey(22);
    return grpc::Status::OK;
  }

  grpc::Status Seal(grpc::ServerContext* context, const proto::SealRequest* /*request*/,
                    proto::Region* /*reply*/) override {
    return WorkOnRegion(*context);
  }

  grpc::Status Attach(grpc::ServerContext* context, const proto::AttachRequest* /*request*/,
                      proto::Region* /*reply*/) override {
    return WorkOnRegion(*context);
  }

  grpc::Status Free(grpc::ServerContext* context, const proto::FreeRequest* /*request*/,
                    proto::FreeReply* /*reply*/) override {
    return WorkOnRegion(*context);
  }

  /// "edges" of `edges_bytes`, and another whose name begins so.
  grpc::Status List(grpc::ServerContext* /*context*/, const proto::ListRequest* /*request*/,
                    proto::ListReply* reply) override {
    reply->add_regions()->set_name("edges.more");
    proto::RegionSummary* edges = reply->add_regions();
    edges->set_name("edges");
    edges->set_bytes(edges_bytes);
    return grpc::Status::OK;
  }

  std::string authorization() {
    const absl::MutexLock lock(&mutex_);
    return authorization_;
  }

  std::atomic<uint32_t> protocol_version = kProtocolVersion;
  std::atomic<int> unavailable_at_first = 0;
  std::atomic<int> describe_calls = 0;
  absl::Duration describe_delay = absl::ZeroDuration();
  absl::Duration region_delay = absl::ZeroDuration();
  std::atomic<double> region_seconds_given = 0;  ///< that the last call on a region has
  uint64_t edges_bytes = 0;
  std::string endpoint = "opaque";
  std::atomic<bool> lease_ended = false;
  std::atomic<int> renewals = 0;
  std::atomic<int> closes = 0;

 private:
  grpc::Status WorkOnRegion(const grpc::ServerContext& context) {
    region_seconds_given =
        absl::ToDoubleSeconds(absl::FromChrono(context.deadline()) - absl::Now());
    return Delay(context, region_delay);
  }

  static grpc::Status Delay(const grpc::ServerContext& context, absl::Duration delay) {
    const absl::Time wake = absl::Now() + delay;
    while (!context.IsCancelled() && absl::Now() < wake) absl::SleepFor(absl::Milliseconds(5));
    return grpc::Status::OK;
  }

  absl::Mutex mutex_;
  std::string authorization_ ABSL_GUARDED_BY(mutex_);
  std::string allocate_request_id_ ABSL_GUARDED_BY(mutex_);
  std::unique_ptr<grpc::Server> server_;
  std::string address_;
};

template <typename Condition>
bool Eventually(Condition condition) {
  for (int i = 0; i < 2000 && !condition(); ++i) absl::SleepFor(absl::Milliseconds(5));
  return condition();
}

TEST(MemoryNodeClient, DescribesTheNode) {
  ScriptedNode node;
  const auto client = MemoryNodeClient::Connect(node.address());
  ASSERT_TRUE(client.ok()) << client.status();
  EXPECT_EQ((*client)->address(), node.address());
  EXPECT_EQ((*client)->description().node_id, "n1");
  EXPECT_EQ((*client)->description().capacity_bytes, 4096u);
  EXPECT_EQ((*client)->description().extent_bytes, 512u);
  EXPECT_THAT((*client)->description().transports, testing::ElementsAre(transport::Kind::kTcp));
}

TEST(MemoryNodeClient, SendsItsTokenWithTheCall) {
  ScriptedNode node;
  ASSERT_TRUE(MemoryNodeClient::Connect(node.address(), {.token = "s3cret"}).ok());
  EXPECT_EQ(node.authorization(), "Bearer s3cret");
}

TEST(MemoryNodeClient, ATokenThatNoMetadataCanCarryIsRefused) {
  const auto client = MemoryNodeClient::Connect("127.0.0.1:1", {.token = "two\nlines"});
  EXPECT_EQ(client.status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(MemoryNodeClient, RepeatsACallWhoseConnectionBroke) {
  ScriptedNode node;
  node.unavailable_at_first = 2;
  const auto client = MemoryNodeClient::Connect(node.address());
  ASSERT_TRUE(client.ok()) << client.status();
  EXPECT_EQ(node.describe_calls, 3);
}

TEST(MemoryNodeClient, GivesUpOnANodeThatStaysUnavailable) {
  ScriptedNode node;
  node.unavailable_at_first = 1000;
  const auto client = MemoryNodeClient::Connect(node.address());
  EXPECT_EQ(client.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_GT(node.describe_calls, 1);
}

TEST(MemoryNodeClient, NobodyThereIsUnavailableWithAddressAndRemedy) {
  ScriptedNode node;
  node.Stop();
  const auto client = MemoryNodeClient::Connect(node.address());
  EXPECT_EQ(client.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(client.status().message(),
              AllOf(HasSubstr(node.address()), HasSubstr("cannot be reached"),
                    HasSubstr("check the address"), Not(HasSubstr("\n"))));
}

TEST(MemoryNodeClient, ANameThatNobodyKnowsIsUnavailable) {
  const auto client = MemoryNodeClient::Connect("no..host:7800");  // one that DNS is not asked for
  EXPECT_EQ(client.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(client.status().message(),
              AllOf(HasSubstr("memory node no..host:7800"), HasSubstr("cannot be resolved")));
}

TEST(MemoryNodeClient, ANodeThatDoesNotAnswerIsUnavailable) {
  ScriptedNode node;
  node.describe_delay = absl::Seconds(30);
  const auto client =
      MemoryNodeClient::Connect(node.address(), {.call_timeout = absl::Milliseconds(100)});
  EXPECT_EQ(client.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(client.status().message(),
              AllOf(HasSubstr(node.address()), HasSubstr("no answer within 100ms")));
}

TEST(MemoryNodeClient, AnAddressThatIsNoneIsRefused) {
  for (const char* address : {"nonsense", "127.0.0.1", "127.0.0.1:0", "unix:/tmp/x"}) {
    EXPECT_EQ(MemoryNodeClient::Connect(address).status().code(),
              absl::StatusCode::kInvalidArgument)
        << address;
  }
}

TEST(MemoryNodeClient, AnotherProtocolVersionIsRefused) {
  ScriptedNode node;
  node.protocol_version = kProtocolVersion + 1;
  const auto client = MemoryNodeClient::Connect(node.address());
  EXPECT_EQ(client.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(client.status().message(), HasSubstr("the same release"));
}

TEST(MemoryNodeClient, ACallTheNodeDoesNotKnowIsExplained) {
  ScriptedNode node;
  const auto client = MemoryNodeClient::Connect(node.address());
  ASSERT_TRUE(client.ok()) << client.status();
  EXPECT_THAT((*client)->Stats().status().message(), HasSubstr("does not know this call"));
}

class LeaseTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto client = MemoryNodeClient::Connect(node_.address());
    ASSERT_TRUE(client.ok()) << client.status();
    client_ = *std::move(client);
  }
  std::unique_ptr<Lease> Open() {
    auto lease = client_->OpenLease(transport::Kind::kTcp);
    EXPECT_TRUE(lease.ok()) << lease.status();
    return *std::move(lease);
  }

  ScriptedNode node_;
  std::unique_ptr<MemoryNodeClient> client_;
};

TEST_F(LeaseTest, IsRenewedWhileItLivesAndThenClosed) {
  std::unique_ptr<Lease> lease = Open();
  EXPECT_TRUE(Eventually([&] { return node_.renewals >= 3; }));
  EXPECT_TRUE(lease->Health().ok()) << lease->Health();
  EXPECT_EQ(node_.closes, 0);
  lease.reset();
  EXPECT_EQ(node_.closes, 1);
}

TEST_F(LeaseTest, HealthTellsThatTheNodeEndedTheLease) {
  const std::unique_ptr<Lease> lease = Open();
  node_.lease_ended = true;
  ASSERT_TRUE(Eventually([&] { return !lease->Health().ok(); }));
  EXPECT_EQ(lease->Health().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(lease->Health().message(),
              AllOf(HasSubstr(node_.address()), HasSubstr("the lease has ended")));
}

TEST_F(LeaseTest, ANodeThatEndedTheLeaseIsNotTakenForOneThatIsGone) {
  const std::unique_ptr<Lease> lease = Open();
  EXPECT_TRUE(lease->CheckNotEnded().ok());
  node_.lease_ended = true;
  EXPECT_EQ(lease->CheckNotEnded().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(lease->CheckNotEnded().message(),
              AllOf(HasSubstr(node_.address()), HasSubstr("the lease has ended")));
  node_.Stop();
  EXPECT_TRUE(lease->CheckNotEnded().ok());
}

TEST_F(LeaseTest, HealthTellsThatTheNodeIsGone) {
  const std::unique_ptr<Lease> lease = Open();
  node_.Stop();
  ASSERT_TRUE(Eventually([&] { return !lease->Health().ok(); }));
  EXPECT_EQ(lease->Health().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(lease->Health().message(), HasSubstr(node_.address()));
}

TEST_F(LeaseTest, ARepeatedAllocationKeepsItsRequestId) {
  const std::unique_ptr<Lease> lease = Open();
  const auto region = lease->Allocate("edges", 1000);  // the node loses the first reply
  ASSERT_TRUE(region.ok()) << region.status();
  EXPECT_EQ(region->region_id, "r1");
  EXPECT_EQ(region->name, "edges");
  EXPECT_EQ(region->bytes, 1000u);
  EXPECT_EQ(region->key.address, 11u);
  EXPECT_EQ(region->key.rkey, 22u);
}

TEST_F(LeaseTest, CallsHaveTimeForTheBytesOfTheirRegion) {
  const auto client = MemoryNodeClient::Connect(node_.address());
  ASSERT_TRUE(client.ok()) << client.status();
  const auto lease = (*client)->OpenLease(transport::Kind::kTcp);
  ASSERT_TRUE(lease.ok()) << lease.status();
  const RemoteRegion large = {.region_id = "r1", .name = "edges", .bytes = kGiB};
  node_.edges_bytes = large.bytes;
  const auto seconds_given_to = [&](const auto& call) {
    node_.region_seconds_given = 0;
    EXPECT_TRUE(call().ok());
    return node_.region_seconds_given.load();
  };
  constexpr double kMoreThanUsual = 7;  // 5 s, and 8 s for the bytes
  EXPECT_GT(seconds_given_to([&] { return (*lease)->Seal(large, /*keep=*/true); }), kMoreThanUsual);
  EXPECT_GT(seconds_given_to([&] { return (*lease)->Attach("edges"); }), kMoreThanUsual);
  EXPECT_GT(seconds_given_to([&] { return (*lease)->Free(large); }), kMoreThanUsual);
  EXPECT_GT(
      seconds_given_to([&] { return (*client)->Free({.region_id = "r1", .bytes = large.bytes}); }),
      kMoreThanUsual);
}

TEST_F(LeaseTest, ClosingHasTimeForTheBytesThatTheNodeReclaims) {
  const auto seconds_to_close_after = [&](const auto& use) {
    std::unique_ptr<Lease> lease = Open();
    const auto region = lease->Allocate("edges", kGiB);
    EXPECT_TRUE(region.ok()) << region.status();
    EXPECT_TRUE(use(*lease, *region).ok());
    lease.reset();
    return node_.region_seconds_given.load();
  };
  constexpr double kMoreThanUsual = 7;  // 5 s, and 8 s for the bytes
  EXPECT_GT(seconds_to_close_after([](Lease&, const RemoteRegion&) { return absl::OkStatus(); }),
            kMoreThanUsual);
  EXPECT_GT(seconds_to_close_after([](Lease& lease, const RemoteRegion& region) {
              return lease.Seal(region, /*keep=*/false).status();
            }),
            kMoreThanUsual);
  EXPECT_LT(seconds_to_close_after([](Lease& lease, const RemoteRegion& region) {
              return lease.Seal(region, /*keep=*/true).status();
            }),
            kMoreThanUsual);
  EXPECT_LT(seconds_to_close_after(
                [](Lease& lease, const RemoteRegion& region) { return lease.Free(region); }),
            kMoreThanUsual);
}

TEST_F(LeaseTest, ACallThatTakesTooLongSaysHowLongItHad) {
  const auto client =
      MemoryNodeClient::Connect(node_.address(), {.call_timeout = absl::Seconds(1)});
  ASSERT_TRUE(client.ok()) << client.status();
  node_.region_delay = absl::Seconds(30);
  const absl::Status status = (*client)->Free({.region_id = "r1", .bytes = 16 * kMiB});
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("no answer within 1.125s"));
}

TEST_F(LeaseTest, AWildcardEndpointIsReachedWhereTheControlPortIs) {
  node_.endpoint = "0.0.0.0:1234";
  EXPECT_EQ(Open()->endpoint(), "127.0.0.1:1234");
  node_.endpoint = "[::]:1234";
  EXPECT_EQ(Open()->endpoint(), "127.0.0.1:1234");
  node_.endpoint = "10.0.0.9:1234";
  EXPECT_EQ(Open()->endpoint(), "10.0.0.9:1234");
  node_.endpoint = "shm-name-without-host";
  EXPECT_EQ(Open()->endpoint(), "shm-name-without-host");
}

TEST(LocalHostId, IsStableAndNotEmpty) {
  EXPECT_FALSE(LocalHostId().empty());
  EXPECT_EQ(LocalHostId(), LocalHostId());
}

}  // namespace
}  // namespace fargraph

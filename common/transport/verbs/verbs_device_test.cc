// What only verbs has; conformance_test.cc has the rest. Needs an RDMA device at FARGRAPH_TEST_HOST
// (tests/testbed provides one) and skips where there is none.
#include "common/transport/verbs/verbs_device.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "common/transport/verbs/cm_channel.h"
#include "common/transport/verbs/completion_queue.h"
#include "common/transport/verbs/connector.h"
#include "common/transport/verbs/device_context.h"
#include "common/transport/verbs/local_regions.h"
#include "common/transport/verbs/memlock_limit_for_test.h"
#include "common/transport/verbs/queue_pair.h"
#include "common/units.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph::transport::verbs {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr uint64_t kBytes = kMiB;

const char* TestHost() { return std::getenv("FARGRAPH_TEST_HOST"); }

/// A device, a listener that exposes patterned memory and admits every ticket, and a registered
/// buffer.
class VerbsDeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    auto device = OpenVerbsDevice();
    if (!device.ok()) GTEST_SKIP() << device.status().message();
    ASSERT_NE(TestHost(), nullptr) << "FARGRAPH_TEST_HOST has to be an address of the RDMA device";
    device_ = *std::move(device);
    memory_ = *MappedMemory::Allocate(kBytes);
    buffer_ = *MappedMemory::Allocate(kBytes);
    std::iota(reinterpret_cast<uint32_t*>(memory_.data()),
              reinterpret_cast<uint32_t*>(memory_.data() + kBytes), 12345);
    listener_ = MakeListener();
    key_ = *listener_->Expose(0, kBytes, Access::kReadWrite);
    region_ = *device_->RegisterMemory(buffer_.bytes());
    completion_queue_ = *device_->CreateCompletionQueue(512);
  }

  std::unique_ptr<Listener> MakeListener() {
    ListenOptions options;
    options.host = TestHost();
    options.memory = &memory_;
    options.admit = [](const Ticket&) { return true; };
    return *device_->Listen(options);
  }

  std::unique_ptr<QueuePair> Connect(const Endpoint& endpoint, size_t capacity = 128) {
    QueuePairOptions options;
    options.capacity = capacity;
    auto queue_pair = device_->Connect(endpoint, Ticket{}, *completion_queue_, options);
    EXPECT_TRUE(queue_pair.ok()) << queue_pair.status();
    return *std::move(queue_pair);
  }

  WorkRequest Read(uint64_t offset, uint64_t length, uint64_t wr_id) const {
    WorkRequest request;
    request.local_address = buffer_.data() + offset;
    request.length = length;
    request.lkey = region_->lkey();
    request.remote_address = key_.address + offset;
    request.rkey = key_.rkey;
    request.wr_id = wr_id;
    return request;
  }

  static std::vector<Completion> Collect(CompletionQueue& completion_queue, size_t count) {
    std::vector<Completion> completions(count);
    size_t arrived = 0;
    const absl::Time limit = absl::Now() + absl::Seconds(60);
    while (arrived < count && absl::Now() < limit) {
      arrived += completion_queue.Poll(absl::MakeSpan(completions).subspan(arrived));
      if (arrived < count) completion_queue.Wait(absl::Seconds(1));
    }
    EXPECT_EQ(arrived, count);
    completions.resize(arrived);
    return completions;
  }

  std::unique_ptr<Device> device_;
  MappedMemory memory_, buffer_;
  std::unique_ptr<Listener> listener_;
  RemoteKey key_;
  std::unique_ptr<MemoryRegion> region_;
  std::unique_ptr<CompletionQueue> completion_queue_;
};

TEST(OpenVerbsDeviceTest, SaysWhatToDoWhereThereIsNoDevice) {
  const auto device = OpenVerbsDevice();
  if (device.ok()) GTEST_SKIP() << "this host has an RDMA device";
  EXPECT_EQ(device.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(device.status().message(), AllOf(HasSubstr("RDMA device"), HasSubstr("rdma_rxe")));
}

TEST_F(VerbsDeviceTest, ADeviceThatIsAskedForByNameHasToBeThere) {
  setenv("FARGRAPH_RDMA_DEVICE", "nonesuch0", 1);
  const auto device = OpenVerbsDevice();
  unsetenv("FARGRAPH_RDMA_DEVICE");
  EXPECT_EQ(device.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(device.status().message(), AllOf(HasSubstr("nonesuch0"), HasSubstr("it has rxe0")));
}

TEST_F(VerbsDeviceTest, ReadDepthIsTheSmallerOfBothSides) {
  const DeviceContext context = *DeviceContext::Open();
  const auto queue_pair = Connect(listener_->endpoint());
  const int depth = dynamic_cast<VerbsQueuePair&>(*queue_pair).read_depth();
  EXPECT_EQ(depth, std::min(context.initiator_depth(), context.responder_resources()));
  EXPECT_GT(depth, 1);
  RecordProperty("negotiated_read_depth", depth);
  std::cout << "negotiated read depth: " << depth << "\n";
}

/// Accepts one connection, offering `depth` responder resources, and keeps it until destruction.
class ShallowTarget {
 public:
  explicit ShallowTarget(uint8_t depth) {
    channel_ = *CreateCmChannel();
    listening_ = *CreateCmId(channel_.get());
    sockaddr_storage address = *ResolveHost({TestHost(), 0});
    EXPECT_EQ(rdma_bind_addr(listening_.get(), reinterpret_cast<sockaddr*>(&address)), 0);
    EXPECT_EQ(rdma_listen(listening_.get(), 1), 0);
    thread_ = std::thread([this, depth] { Accept(depth); });
  }
  ~ShallowTarget() { thread_.join(); }

  Endpoint endpoint() const {
    return ToHostPort(*rdma_get_local_addr(listening_.get())).ToString();
  }

 private:
  void Accept(uint8_t depth) {
    CmEvent event;
    while ((event = NextCmEvent(channel_.get())) == nullptr) {
      pollfd polled = {channel_->fd, POLLIN, 0};
      poll(&polled, 1, -1);
    }
    accepted_.reset(event->id);
    ibv_qp_init_attr attributes = {};
    attributes.qp_type = IBV_QPT_RC;
    attributes.cap = {.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1};
    EXPECT_EQ(rdma_create_qp(accepted_.get(), nullptr, &attributes), 0);
    rdma_conn_param answer = {};
    answer.responder_resources = depth;
    EXPECT_EQ(rdma_accept(accepted_.get(), &answer), 0);
  }

  CmChannel channel_;
  CmId listening_, accepted_;
  std::thread thread_;
};

TEST_F(VerbsDeviceTest, APeerWithASmallerReadDepthIsNotOverrun) {
  const ShallowTarget target(4);
  const auto queue_pair = Connect(target.endpoint());
  EXPECT_EQ(dynamic_cast<VerbsQueuePair&>(*queue_pair).read_depth(), 4);
}

TEST_F(VerbsDeviceTest, APeerThatAnswersNoReadsIsRefused) {
  const ShallowTarget target(0);
  const auto queue_pair = device_->Connect(target.endpoint(), Ticket{}, *completion_queue_, {});
  EXPECT_EQ(queue_pair.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(queue_pair.status().message(), HasSubstr("max_qp_rd_atom"));
}

TEST_F(VerbsDeviceTest, OneReportOfTheHardwareStandsForManyCompletions) {
  const auto queue_pair = Connect(listener_->endpoint());
  std::vector<WorkRequest> batch;
  for (uint64_t i = 0; i < 100; ++i) batch.push_back(Read(i * 1000, 1000, i));
  ASSERT_EQ(queue_pair->Post(batch).value(), 100u);
  const std::vector<Completion> completions = Collect(*completion_queue_, 100);
  for (uint64_t i = 0; i < 100; ++i) EXPECT_EQ(completions[i].wr_id, i);
  // The 16th, 32nd, ... 96th and the last.
  EXPECT_EQ(dynamic_cast<VerbsQueuePair&>(*queue_pair).signals(), 7u);
}

TEST_F(VerbsDeviceTest, TooLittleLockableMemoryIsNamed) {
  absl::Status registering, exposing;
  WithMemlockLimit(64 * kKiB, [&] {
    registering = device_->RegisterMemory(buffer_.bytes()).status();
    exposing = listener_->Expose(0, kBytes, Access::kRead).status();
  });
  for (const absl::Status& status : {registering, exposing}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(status.message(), AllOf(HasSubstr("1 MiB"), HasSubstr("RLIMIT_MEMLOCK) is 64 KiB"),
                                        HasSubstr("ulimit -l unlimited")));
  }
}

TEST_F(VerbsDeviceTest, ListeningOffTheDeviceNamesItsAddresses) {
  ListenOptions options;
  options.host = "127.0.0.1";
  options.memory = &memory_;
  const auto listener = device_->Listen(options);
  EXPECT_EQ(listener.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(listener.status().message(), AllOf(HasSubstr("127.0.0.1"), HasSubstr(TestHost())));
}

TEST_F(VerbsDeviceTest, AWildcardListenerStatesAnAddressOfTheDevice) {
  ListenOptions options;
  options.host = "0.0.0.0";
  options.memory = &memory_;
  options.admit = [](const Ticket&) { return true; };
  const auto listener = device_->Listen(options);
  ASSERT_TRUE(listener.ok()) << listener.status();
  EXPECT_THAT((*listener)->endpoint(), testing::StartsWith(TestHost()));
  Connect((*listener)->endpoint());
}

TEST_F(VerbsDeviceTest, AnAddressOffTheDevicesNetworkIsUnreachable) {
  // The loopback device carries no RDMA, and no route leads to the other one, kept for documents.
  for (const char* endpoint : {"127.0.0.1:7", "198.51.100.1:7"}) {
    const auto queue_pair = device_->Connect(endpoint, Ticket{}, *completion_queue_,
                                             {.connect_timeout = absl::Seconds(2)});
    EXPECT_THAT(queue_pair.status().code(), testing::AnyOf(absl::StatusCode::kFailedPrecondition,
                                                           absl::StatusCode::kUnavailable))
        << queue_pair.status();
    EXPECT_THAT(queue_pair.status().message(), HasSubstr(endpoint));
  }
}

TEST_F(VerbsDeviceTest, AKeyOfAnotherListenerIsOfNoUse) {
  const auto other = MakeListener();
  const auto queue_pair = Connect(other->endpoint());
  ASSERT_EQ(queue_pair->Post({Read(0, 100, 1)}).value(), 1u);
  EXPECT_EQ(Collect(*completion_queue_, 1)[0].status, CompletionStatus::kRemoteAccessError);
}

/// A queue pair as on a device whose messages are short, so that requests are split.
class VerbsSplitTest : public VerbsDeviceTest {
 protected:
  static constexpr uint64_t kPieceBytes = 4097;
  static constexpr size_t kPieces = kBytes / kPieceBytes + 1;

  void SetUp() override {
    VerbsDeviceTest::SetUp();
    if (IsSkipped()) return;
    VerbsQueuePair::Shape shape;
    shape.capacity = 4;
    shape.max_piece_bytes = kPieceBytes;
    shape.pieces_per_request = kPieces;
    domain_.reset(ibv_alloc_pd(context_->verbs()));
    regions_ = std::make_unique<LocalRegions>(domain_.get());
    split_region_ = *regions_->Register(buffer_.bytes());
    queue_ = *VerbsCompletionQueue::Create(*context_, kPieces);
    connector_.emplace(*Connector::Create(*context_, listener_->endpoint(), absl::Seconds(5)));
    ASSERT_TRUE(connector_->ResolveAddress().ok());
    ASSERT_TRUE(connector_->ResolveRoute().ok());
    ASSERT_TRUE(
        connector_->CreateQueuePair(domain_.get(), queue_->hardware(), shape.queue_depth()).ok());
    ASSERT_TRUE(connector_->Connect(Ticket{}).ok());
    queue_pair_ = std::make_unique<VerbsQueuePair>(
        connector_->TakeConnection(), listener_->endpoint(), shape, *regions_, *queue_);
  }

  WorkRequest SplitRead(uint64_t offset, uint64_t length, uint64_t wr_id) const {
    WorkRequest request = Read(offset, length, wr_id);
    request.lkey = split_region_->lkey();
    return request;
  }

  const absl::StatusOr<DeviceContext> context_ = DeviceContext::Open();
  ProtectionDomain domain_;
  std::unique_ptr<LocalRegions> regions_;
  std::unique_ptr<MemoryRegion> split_region_;
  std::unique_ptr<VerbsCompletionQueue> queue_;
  std::optional<Connector> connector_;
  std::unique_ptr<VerbsQueuePair> queue_pair_;
};

TEST_F(VerbsSplitTest, PiecesMakeOneRequest) {
  ASSERT_EQ(queue_pair_->Post({SplitRead(0, kBytes - 4097, 1), SplitRead(kBytes - 4097, 4097, 2)})
                .value(),
            2u);
  const std::vector<Completion> completions = Collect(*queue_, 2);
  EXPECT_EQ(completions[0].wr_id, 1u);
  EXPECT_EQ(completions[0].status, CompletionStatus::kSuccess);
  EXPECT_EQ(completions[1].wr_id, 2u);
  EXPECT_EQ(std::memcmp(buffer_.data(), memory_.data(), kBytes), 0);
}

TEST_F(VerbsSplitTest, ARequestIsAcceptedWhenAllItsPiecesHaveRoom) {
  ASSERT_EQ(queue_pair_->Post({SplitRead(0, kBytes, 1), SplitRead(0, 1, 2)}).value(), 1u);
  Collect(*queue_, 1);
  ASSERT_EQ(queue_pair_->Post({SplitRead(0, 1, 2), SplitRead(0, kBytes, 3)}).value(), 1u);
  EXPECT_EQ(Collect(*queue_, 1)[0].wr_id, 2u);
}

TEST_F(VerbsSplitTest, AFailedPieceFailsItsRequestOnce) {
  const uint64_t length = kBytes / 4;
  WorkRequest beyond = SplitRead(0, length, 2);
  beyond.remote_address += kBytes - length / 2;
  ASSERT_EQ(queue_pair_->Post({SplitRead(0, length, 1), beyond, SplitRead(0, length, 3)}).value(),
            3u);
  const std::vector<Completion> completions = Collect(*queue_, 3);
  EXPECT_EQ(completions[0].status, CompletionStatus::kSuccess);
  EXPECT_EQ(completions[1].wr_id, 2u);
  EXPECT_EQ(completions[1].status, CompletionStatus::kRemoteAccessError);
  EXPECT_EQ(completions[2].wr_id, 3u);
  EXPECT_EQ(completions[2].status, CompletionStatus::kFlushed);
  EXPECT_EQ(queue_pair_->outstanding(), 0u);
}

using PostSend = int (*)(ibv_qp*, ibv_send_wr*, ibv_send_wr**);
PostSend real_post_send = nullptr;

/// Takes the first two work requests of a chain.
int PostTwoAndFail(ibv_qp* queue_pair, ibv_send_wr* chain, ibv_send_wr** rejected) {
  ibv_send_wr* const rest = std::exchange(chain->next->next, nullptr);
  EXPECT_EQ(real_post_send(queue_pair, chain, rejected), 0);
  chain->next->next = *rejected = rest;
  return ENOMEM;
}

/// Takes all of a chain, but cannot tell the device.
int PostAllAndFail(ibv_qp* queue_pair, ibv_send_wr* chain, ibv_send_wr** rejected) {
  EXPECT_EQ(real_post_send(queue_pair, chain, rejected), 0);
  return EIO;
}

/// Reports nothing, ever, as a device that goes away.
int PostNothing(ibv_qp*, ibv_send_wr*, ibv_send_wr**) { return 0; }

std::vector<ibv_send_wr> held_back;

/// Holds back what is posted until something else is, as Soft-RoCE what it has forgotten.
int PostWithTheNext(ibv_qp* queue_pair, ibv_send_wr* chain, ibv_send_wr** rejected) {
  if (held_back.empty()) {
    for (; chain != nullptr; chain = chain->next) held_back.push_back(*chain);
    return 0;
  }
  for (size_t i = 0; i + 1 < held_back.size(); ++i) held_back[i].next = &held_back[i + 1];
  held_back.back().next = chain;
  const int error = real_post_send(queue_pair, held_back.data(), rejected);
  held_back.clear();
  return error;
}

int posts = 0;

/// Counts how often it is called, and reports nothing.
int CountPosts(ibv_qp*, ibv_send_wr*, ibv_send_wr**) {
  ++posts;
  return 0;
}

/// Has the queue pair of a VerbsSplitTest post through `post_send`.
class VerbsPostTest : public VerbsSplitTest {
 protected:
  void PostThrough(PostSend post_send) {
    real_post_send = std::exchange(context_->verbs()->ops.post_send, post_send);
  }
  void TearDown() override {
    if (real_post_send == nullptr) return;
    context_->verbs()->ops.post_send = std::exchange(real_post_send, nullptr);
  }

  /// The two requests that were posted, and what is posted from now on.
  void ExpectThatBothFail() {
    const std::vector<Completion> completions = Collect(*queue_, 2);
    EXPECT_EQ(completions[0].status, CompletionStatus::kRetryExceeded);
    EXPECT_EQ(completions[1].status, CompletionStatus::kFlushed);
    EXPECT_EQ(queue_pair_->outstanding(), 0u);
    EXPECT_EQ(queue_pair_->Post({SplitRead(0, 1, 3)}).status().code(),
              absl::StatusCode::kUnavailable);
  }
};

TEST_F(VerbsPostTest, ARequestOfWhichAPartWasTakenFails) {
  PostThrough(PostTwoAndFail);
  EXPECT_EQ(
      queue_pair_->Post({SplitRead(0, kPieceBytes, 1), SplitRead(0, 3 * kPieceBytes, 2)}).value(),
      2u);
  ExpectThatBothFail();
}

TEST_F(VerbsPostTest, WhatMayHaveBeenTakenFails) {
  PostThrough(PostAllAndFail);
  EXPECT_EQ(queue_pair_->Post({SplitRead(0, 1, 1), SplitRead(0, 1, 2)}).value(), 2u);
  ExpectThatBothFail();
}

TEST_F(VerbsPostTest, WhatTheDeviceForgetsItIsRemindedOf) {
  PostThrough(PostWithTheNext);
  for (int round = 0; round < 2; ++round) {
    std::memset(buffer_.data(), 0, kBytes);
    ASSERT_EQ(queue_pair_->Post({SplitRead(0, kBytes / 2, 1), SplitRead(kBytes / 2, kBytes / 4, 2)})
                  .value(),
              2u);
    for (const Completion& completion : Collect(*queue_, 2)) {
      EXPECT_EQ(completion.status, CompletionStatus::kSuccess);
    }
    EXPECT_EQ(std::memcmp(buffer_.data(), memory_.data(), kBytes / 4 * 3), 0);
  }
}

TEST_F(VerbsPostTest, OneNudgeIsOutstandingAtMostAndNoneBehindNothing) {
  posts = 0;
  PostThrough(CountPosts);
  queue_pair_->OnSilence();
  EXPECT_EQ(posts, 0);
  ASSERT_EQ(queue_pair_->Post({SplitRead(0, 1, 1)}).value(), 1u);
  queue_pair_->OnSilence();
  queue_pair_->OnSilence();
  EXPECT_EQ(posts, 2);
}

TEST_F(VerbsPostTest, WhatIsOutstandingFailsAfterAMinuteOfSilence) {
  PostThrough(PostNothing);
  ASSERT_EQ(queue_pair_->Post({SplitRead(0, 1, 1), SplitRead(0, 1, 2)}).value(), 2u);
  for (int second = 0; second < 60; ++second) queue_pair_->OnSilence();
  EXPECT_FALSE(queue_pair_->HasFinished());
  queue_pair_->OnSilence();
  ExpectThatBothFail();
}

TEST_F(VerbsPostTest, WhatIsOutstandingFailsWhenTheDeviceGoes) {
  PostThrough(PostNothing);
  ASSERT_EQ(queue_pair_->Post({SplitRead(0, 1, 1), SplitRead(0, 1, 2)}).value(), 2u);
  std::thread event_thread([&] {
    absl::SleepFor(absl::Milliseconds(50));
    queue_pair_->OnDeviceLost();
  });
  queue_->Wait(absl::InfiniteDuration());
  event_thread.join();
  ExpectThatBothFail();
}

}  // namespace
}  // namespace fargraph::transport::verbs

#include "common/transport/conformance/fixture.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

namespace fargraph::transport::conformance {

std::string Host() {
  const char* host = std::getenv("FARGRAPH_TEST_HOST");
  return host == nullptr ? "127.0.0.1" : host;
}

Ticket MakeTicket(uint8_t number) {
  Ticket ticket;
  ticket.fill(std::byte{0x5A});
  ticket[0] = std::byte{number};
  return ticket;
}

void FillPattern(absl::Span<std::byte> bytes, uint64_t seed) {
  for (uint64_t offset = 0; offset + 8 <= bytes.size(); offset += 8) {
    const uint64_t word = (offset + seed) * 0x9E3779B97F4A7C15u;
    std::memcpy(bytes.data() + offset, &word, sizeof word);
  }
}

WorkRequest Initiator::Request(WorkRequest::Opcode opcode, uint64_t local_offset, uint64_t length,
                               const RemoteKey& key, uint64_t remote_offset, uint64_t id) const {
  return {.opcode = opcode,
          .local_address = buffer.data() + local_offset,
          .length = length,
          .lkey = region->lkey(),
          .remote_address = key.address + remote_offset,
          .rkey = key.rkey,
          .wr_id = id};
}

std::vector<Completion> Initiator::Carry(QueuePair& queue_pair,
                                         absl::Span<const WorkRequest> requests) {
  const size_t total = requests.size();
  std::vector<Completion> all;
  const absl::Time deadline = absl::Now() + kLimit;
  while (all.size() < total) {
    if (!requests.empty()) {
      const auto posted = queue_pair.Post(requests);
      if (!posted.ok()) {
        ADD_FAILURE() << posted.status();
        return all;
      }
      requests.remove_prefix(*posted);
    }
    Completion completions[7];
    const size_t count = completion_queue->Poll(absl::MakeSpan(completions));
    all.insert(all.end(), completions, completions + count);
    if (count == 0) completion_queue->Wait(absl::Milliseconds(100));
    if (absl::Now() > deadline) {
      ADD_FAILURE() << "only " << all.size() << " of " << total << " requests completed";
      return all;
    }
  }
  return all;
}

CompletionStatus Initiator::CarryOne(const WorkRequest& request) {
  const auto completions = Carry(*queue_pairs.front(), {request});
  if (completions.size() != 1) return CompletionStatus::kRetryExceeded;
  EXPECT_EQ(completions.front().wr_id, request.wr_id);
  return completions.front().status;
}

std::vector<Completion> Initiator::Collect(size_t count) {
  std::vector<Completion> all;
  const absl::Time deadline = absl::Now() + kLimit;
  while (all.size() < count) {
    Completion completions[7];
    const size_t most = std::min(std::size(completions), count - all.size());
    const size_t got = completion_queue->Poll(absl::MakeSpan(completions).first(most));
    all.insert(all.end(), completions, completions + got);
    if (got == 0) completion_queue->Wait(absl::Milliseconds(100));
    if (absl::Now() > deadline) {
      ADD_FAILURE() << "only " << all.size() << " of " << count << " completions came";
      return all;
    }
  }
  return all;
}

void ConformanceTest::SetUp() {
  auto device = GetParam().open();
  if (!device.ok()) GTEST_SKIP() << device.status();
  device_ = *std::move(device);
}

Target ConformanceTest::MakeTarget(uint64_t bytes, uint64_t seed) {
  Target target;
  target.memory = std::make_unique<MappedMemory>(
      MappedMemory::Allocate(bytes, MappedMemory::Sharing::kShareable, MappedMemory::Pages::kSmall)
          .value());
  FillPattern(target.memory->bytes(), seed);
  target.listener = device_
                        ->Listen({.host = Host(),
                                  .memory = target.memory.get(),
                                  .admit =
                                      [](const Ticket& ticket) {
                                        return uint8_t(ticket[0]) < kTickets &&
                                               ticket == MakeTicket(uint8_t(ticket[0]));
                                      }})
                        .value();
  target.key = target.listener->Expose(0, target.memory->size(), Access::kReadWrite).value();
  return target;
}

Initiator ConformanceTest::MakeInitiator(uint64_t buffer_bytes, size_t capacity) {
  Initiator initiator;
  initiator.buffer = MappedMemory::Allocate(buffer_bytes, MappedMemory::Sharing::kPrivate,
                                            MappedMemory::Pages::kSmall)
                         .value();
  initiator.region = device_->RegisterMemory(initiator.buffer.bytes()).value();
  initiator.completion_queue = device_->CreateCompletionQueue(capacity).value();
  return initiator;
}

Initiator ConformanceTest::MakeInitiator(uint64_t buffer_bytes, const Target& target,
                                         size_t capacity) {
  Initiator initiator = MakeInitiator(buffer_bytes, capacity);
  Connect(initiator, target.listener->endpoint(), capacity);
  return initiator;
}

void ConformanceTest::Connect(Initiator& initiator, const Endpoint& endpoint, size_t capacity,
                              uint8_t ticket) {
  auto queue_pair = device_->Connect(endpoint, MakeTicket(ticket), *initiator.completion_queue,
                                     {.capacity = capacity, .connect_timeout = kLimit});
  ASSERT_TRUE(queue_pair.ok()) << queue_pair.status();
  initiator.queue_pairs.push_back(*std::move(queue_pair));
}

}  // namespace fargraph::transport::conformance

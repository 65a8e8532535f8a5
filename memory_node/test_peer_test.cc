#include "memory_node/test_peer.h"

#include <array>
#include <cstring>
#include <utility>

#include "common/status_macros.h"
#include "common/units.h"

namespace fargraph {

absl::StatusOr<std::unique_ptr<TestConnection>> TestConnection::Open(
    transport::Kind kind, const transport::Endpoint& endpoint, const transport::Ticket& ticket) {
  auto connection = std::make_unique<TestConnection>();
  FARGRAPH_ASSIGN_OR_RETURN(connection->device_, transport::OpenDevice(kind));
  FARGRAPH_ASSIGN_OR_RETURN(connection->buffer_, MappedMemory::Allocate(kMiB));
  FARGRAPH_ASSIGN_OR_RETURN(connection->region_,
                            connection->device_->RegisterMemory(connection->buffer_.bytes()));
  transport::QueuePairOptions options;
  FARGRAPH_ASSIGN_OR_RETURN(connection->completion_queue_,
                            connection->device_->CreateCompletionQueue(options.capacity));
  FARGRAPH_ASSIGN_OR_RETURN(
      connection->queue_pair_,
      connection->device_->Connect(endpoint, ticket, *connection->completion_queue_, options));
  return connection;
}

absl::Status TestConnection::Write(const transport::RemoteKey& key, const std::string& text) {
  std::memcpy(buffer_.data(), text.data(), text.size());
  transport::WorkRequest request;
  request.opcode = transport::WorkRequest::Opcode::kWrite;
  request.length = text.size();
  request.remote_address = key.address;
  request.rkey = key.rkey;
  return Carry(request);
}

absl::StatusOr<std::string> TestConnection::Read(const transport::RemoteKey& key, uint64_t length,
                                                 uint64_t offset) {
  transport::WorkRequest request;
  request.length = length;
  request.remote_address = key.address + offset;
  request.rkey = key.rkey;
  FARGRAPH_RETURN_IF_ERROR(Carry(request));
  return std::string(reinterpret_cast<const char*>(buffer_.data()), length);
}

absl::Status TestConnection::Carry(transport::WorkRequest request) {
  request.local_address = buffer_.data();
  request.lkey = region_->lkey();
  FARGRAPH_ASSIGN_OR_RETURN(const size_t accepted, queue_pair_->Post({&request, 1}));
  if (accepted != 1) return absl::InternalError("an empty queue is full");
  std::array<transport::Completion, 1> completions;
  while (completion_queue_->Poll(absl::MakeSpan(completions)) == 0) {
    completion_queue_->Wait(absl::Seconds(1));
  }
  if (completions[0].status == transport::CompletionStatus::kSuccess) return absl::OkStatus();
  return absl::AbortedError(transport::CompletionStatusName(completions[0].status));
}

absl::StatusOr<TestPeer> TestPeer::Join(const std::string& address, transport::Kind kind,
                                        const ControlOptions& options) {
  TestPeer peer;
  FARGRAPH_ASSIGN_OR_RETURN(peer.client, MemoryNodeClient::Connect(address, options));
  FARGRAPH_ASSIGN_OR_RETURN(peer.lease, peer.client->OpenLease(kind));
  FARGRAPH_ASSIGN_OR_RETURN(
      peer.connection, TestConnection::Open(kind, peer.lease->endpoint(), peer.lease->ticket()));
  return peer;
}

}  // namespace fargraph

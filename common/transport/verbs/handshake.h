#ifndef FARGRAPH_COMMON_TRANSPORT_VERBS_HANDSHAKE_H_
#define FARGRAPH_COMMON_TRANSPORT_VERBS_HANDSHAKE_H_

#include <rdma/rdma_cma.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "common/transport/transport.h"

/// What both sides say to each other in the private data of rdma_cm's messages, in the byte order
/// of x86-64 and little-endian ARM.
namespace fargraph::transport::verbs {

inline constexpr uint32_t kHandshakeMagic = 0x66677631;

/// In the connection request. At most 56 bytes fit there.
struct ConnectRequest {
  uint32_t magic = kHandshakeMagic;
  Ticket ticket;
};

enum class Refusal : uint32_t { kNotAdmitted = 1, kOutOfResources = 2, kOtherDevice = 3 };

/// In the rejection.
struct ConnectRefusal {
  uint32_t magic = kHandshakeMagic;
  Refusal reason;
};

/// The Message in an event's private data; empty when something else is in there. rdma_cm pads
/// private data, so there may be more bytes than were sent.
template <typename Message>
std::optional<Message> ReadPrivateData(const rdma_conn_param& parameters) {
  Message message;
  if (parameters.private_data == nullptr || parameters.private_data_len < sizeof message) return {};
  std::memcpy(&message, parameters.private_data, sizeof message);
  if (message.magic != kHandshakeMagic) return {};
  return message;
}

}  // namespace fargraph::transport::verbs

#endif  // FARGRAPH_COMMON_TRANSPORT_VERBS_HANDSHAKE_H_

#include "common/transport/verbs/cm_channel.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "common/status_macros.h"
#include "common/transport/verbs/errors.h"
#include "common/transport/verbs/event_thread.h"

namespace fargraph::transport::verbs {

absl::StatusOr<CmChannel> CreateCmChannel() {
  CmChannel channel(rdma_create_event_channel());
  if (channel == nullptr) return VerbsError("open /dev/infiniband/rdma_cm", errno);
  SetNonBlocking(channel->fd);
  return channel;
}

absl::StatusOr<CmId> CreateCmId(rdma_event_channel* channel) {
  rdma_cm_id* id = nullptr;
  if (rdma_create_id(channel, &id, nullptr, RDMA_PS_TCP) != 0) {
    return VerbsError("create an RDMA connection", errno);
  }
  return CmId(id);
}

CmEvent NextCmEvent(rdma_event_channel* channel) {
  rdma_cm_event* event = nullptr;
  if (rdma_get_cm_event(channel, &event) != 0) return nullptr;
  return CmEvent(event);
}

absl::StatusOr<sockaddr_storage> ResolveHost(const HostPort& address) {
  FARGRAPH_ASSIGN_OR_RETURN(const SocketAddresses found, LookUp(address));
  sockaddr_storage result = {};
  std::memcpy(&result, found->ai_addr, found->ai_addrlen);
  return result;
}

HostPort ToHostPort(const sockaddr& address) {
  std::array<char, INET6_ADDRSTRLEN> text = {};
  if (address.sa_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
    inet_ntop(AF_INET6, &v6.sin6_addr, text.data(), text.size());
    return {text.data(), ntohs(v6.sin6_port)};
  }
  const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
  inet_ntop(AF_INET, &v4.sin_addr, text.data(), text.size());
  return {text.data(), ntohs(v4.sin_port)};
}

}  // namespace fargraph::transport::verbs

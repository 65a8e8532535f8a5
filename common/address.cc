#include "common/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

bool IsLoopbackAddress(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
    return (ntohl(v4.sin_addr.s_addr) >> 24) == IN_LOOPBACKNET;
  }
  const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
  return address.sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr);
}

}  // namespace

std::string HostPort::ToString() const {
  const bool v6 = host.find(':') != std::string::npos;
  return v6 ? absl::StrCat("[", host, "]:", port) : absl::StrCat(host, ":", port);
}

absl::StatusOr<HostPort> ParseHostPort(absl::string_view text) {
  HostPort result;
  const size_t colon = text.rfind(':');
  absl::string_view host = text.substr(0, colon);
  const bool bracketed = absl::ConsumePrefix(&host, "[") && absl::ConsumeSuffix(&host, "]");
  uint32_t port = 0;
  const bool port_is_valid = colon != absl::string_view::npos &&
                             absl::SimpleAtoi(text.substr(colon + 1), &port) && port <= 65535;
  const bool host_is_valid = !host.empty() &&
                             host.find_first_of("[]/ \t") == absl::string_view::npos &&
                             (bracketed || host.find(':') == absl::string_view::npos);
  if (!port_is_valid || !host_is_valid) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", text, "' is not an address; write HOST:PORT, such as 10.0.0.7:7800 or [::1]:7800"));
  }
  result.host = std::string(host);
  result.port = static_cast<uint16_t>(port);
  return result;
}

bool IsWildcard(absl::string_view host) { return host == "0.0.0.0" || host == "::"; }

absl::StatusOr<SocketAddresses> LookUp(const HostPort& address) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error =
      getaddrinfo(address.host.c_str(), absl::StrCat(address.port).c_str(), &hints, &found);
  if (error == 0) return SocketAddresses(found, &freeaddrinfo);
  return LookUpError(address.host, error);
}

absl::Status LookUpError(const std::string& host, int error) {
  const std::string why =
      absl::StrCat("the host '", host, "' cannot be resolved (", gai_strerror(error), "); ");
  if (error != EAI_AGAIN) {
    return absl::InvalidArgumentError(why + "check its spelling or use its address");
  }
  return absl::UnavailableError(why + "see that the DNS server answers, or use its address");
}

absl::StatusOr<bool> IsLoopback(const std::string& host) {
  FARGRAPH_ASSIGN_OR_RETURN(const SocketAddresses addresses, LookUp({host, 0}));
  for (const addrinfo* address = addresses.get(); address != nullptr; address = address->ai_next) {
    if (!IsLoopbackAddress(*address->ai_addr)) return false;
  }
  return true;
}

absl::StatusOr<std::vector<HostPort>> Resolve(const HostPort& address) {
  FARGRAPH_ASSIGN_OR_RETURN(const SocketAddresses addresses, LookUp(address));
  std::vector<HostPort> resolved;
  for (const addrinfo* next = addresses.get(); next != nullptr; next = next->ai_next) {
    char text[NI_MAXHOST];
    if (getnameinfo(next->ai_addr, next->ai_addrlen, text, sizeof text, nullptr, 0,
                    NI_NUMERICHOST) == 0) {
      resolved.push_back({text, address.port});
    }
  }
  if (resolved.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("'", address.host, "' has no numeric address"));
  }
  return resolved;
}

}  // namespace fargraph

#ifndef FARGRAPH_COMMON_ADDRESS_H_
#define FARGRAPH_COMMON_ADDRESS_H_

#include <netdb.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace fargraph {

/// A name or numeric address (without the brackets of IPv6) and a port.
struct HostPort {
  std::string host;
  uint16_t port = 0;

  /// HOST:PORT, with an IPv6 address in brackets.
  std::string ToString() const;
};

/// Reads HOST:PORT or [IPV6]:PORT. InvalidArgument names the text and an example.
absl::StatusOr<HostPort> ParseHostPort(absl::string_view text);

/// True for 0.0.0.0 and ::, which name every address of a host.
bool IsWildcard(absl::string_view host);

using SocketAddresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

/// Where to listen or to connect to, as the system's resolver finds it (/etc/hosts, DNS).
/// InvalidArgument when there is nothing, Unavailable when that cannot be told for now. It may wait
/// for DNS.
absl::StatusOr<SocketAddresses> LookUp(const HostPort& address);

/// The error of LookUp where getaddrinfo gave that one, which is not 0.
absl::Status LookUpError(const std::string& host, int error);

/// The numeric addresses that LookUp finds, at least one. Errors: as LookUp's.
absl::StatusOr<std::vector<HostPort>> Resolve(const HostPort& address);

/// Whether every address that `host` resolves to is one of this host's loopback addresses.
/// Errors: as LookUp's.
absl::StatusOr<bool> IsLoopback(const std::string& host);

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_ADDRESS_H_

#ifndef FARGRAPH_COMMON_CONTROL_ADDRESS_H_
#define FARGRAPH_COMMON_CONTROL_ADDRESS_H_

#include <cstdint>
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

/// The numeric addresses of a host, as the system's resolver finds them (/etc/hosts, DNS), all of
/// the family of the first. InvalidArgument when there are none. It may wait for DNS.
absl::StatusOr<std::vector<HostPort>> Resolve(const HostPort& address);

/// Whether every address that `host` resolves to is one of this host's loopback addresses.
/// InvalidArgument when it resolves to none.
absl::StatusOr<bool> IsLoopback(const std::string& host);

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_CONTROL_ADDRESS_H_

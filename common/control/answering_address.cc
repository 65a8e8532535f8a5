#include "common/control/answering_address.h"

#include "common/monotonic_time.h"
#include "common/transport/tcp/socket.h"

namespace fargraph {

HostPort AnsweringAddress(absl::Span<const HostPort> addresses, absl::Duration patience) {
  if (addresses.size() == 1) return addresses.front();
  const absl::Time end = MonotonicNow() + patience;
  for (size_t i = 0; i < addresses.size(); ++i) {
    const absl::Time now = MonotonicNow();
    const absl::Time deadline = now + (end - now) / static_cast<double>(addresses.size() - i);
    if (transport::tcp::ConnectTo(addresses[i].ToString(), deadline).ok()) return addresses[i];
  }
  return addresses.front();
}

}  // namespace fargraph

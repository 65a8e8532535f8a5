#ifndef FARGRAPH_COMMON_CONTROL_ANSWERING_ADDRESS_H_
#define FARGRAPH_COMMON_CONTROL_ANSWERING_ADDRESS_H_

#include "absl/time/time.h"
#include "absl/types/span.h"
#include "common/address.h"

namespace fargraph {

/// The first of the numeric addresses of a host (at least one) that accepts a TCP connection, each
/// of which gets an equal share of the time that is left; of none, the first of all. It does not
/// ask a single one. Any thread may call.
HostPort AnsweringAddress(absl::Span<const HostPort> addresses, absl::Duration patience);

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_CONTROL_ANSWERING_ADDRESS_H_

#ifndef FARGRAPH_COMMON_TRANSPORT_VERBS_ERRORS_H_
#define FARGRAPH_COMMON_TRANSPORT_VERBS_ERRORS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace fargraph::transport::verbs {

/// The error of a verbs or rdma_cm call that set errno to `error` while `doing` ("create a
/// completion queue of 128 entries on rxe0"). A call that failed for want of locked memory gets a
/// FailedPrecondition that names RLIMIT_MEMLOCK, its value and how to raise it.
absl::Status VerbsError(absl::string_view doing, int error);

}  // namespace fargraph::transport::verbs

#endif  // FARGRAPH_COMMON_TRANSPORT_VERBS_ERRORS_H_

#ifndef FARGRAPH_COMMON_STATUS_MACROS_H_
#define FARGRAPH_COMMON_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

/// Returns from the enclosing function if `expr`, an absl::Status, is an error.
#define FARGRAPH_RETURN_IF_ERROR(expr)                                  \
  do {                                                                  \
    if (absl::Status fargraph_status = (expr); !fargraph_status.ok()) { \
      return fargraph_status;                                           \
    }                                                                   \
  } while (false)

/// Assigns the value of `expr`, an absl::StatusOr, to `lhs`, or returns its error from the
/// enclosing function.
#define FARGRAPH_ASSIGN_OR_RETURN(lhs, expr) \
  FARGRAPH_ASSIGN_OR_RETURN_IMPL_(FARGRAPH_CONCAT_(status_or_, __LINE__), lhs, expr)

#define FARGRAPH_ASSIGN_OR_RETURN_IMPL_(status_or, lhs, expr) \
  auto status_or = (expr);                                    \
  if (!status_or.ok()) {                                      \
    return std::move(status_or).status();                     \
  }                                                           \
  lhs = std::move(status_or).value()

#define FARGRAPH_CONCAT_(a, b) FARGRAPH_CONCAT_IMPL_(a, b)
#define FARGRAPH_CONCAT_IMPL_(a, b) a##b

#endif  // FARGRAPH_COMMON_STATUS_MACROS_H_

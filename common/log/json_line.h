#ifndef FARGRAPH_COMMON_LOG_JSON_LINE_H_
#define FARGRAPH_COMMON_LOG_JSON_LINE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "common/log/log_fields.h"

namespace fargraph {

/// What is told of every line of the log.
struct LogRecord {
  absl::Time time;
  absl::string_view severity;  ///< INFO, WARNING, ERROR or FATAL
  absl::string_view source;    ///< FILE:LINE
  absl::string_view message;
};

/// One JSON object in one line, without its end: "time" (RFC 3339, UTC, microseconds), "severity",
/// "source", "message", then the fields. Bytes that are not UTF-8 become U+FFFD.
std::string FormatJsonLine(const LogRecord& record, absl::Span<const LogField> fields);

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_LOG_JSON_LINE_H_

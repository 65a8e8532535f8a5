#ifndef FARGRAPH_COMMON_LOG_LOG_H_
#define FARGRAPH_COMMON_LOG_LOG_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace fargraph {

/// Sends warnings and errors of glog to standard error, with `verbose` all that is logged, as glog
/// formats them. Once, from main's thread.
void StartLogging(const char* program, bool verbose = false);

/// "text": as above. "json": from now on one JSON object a line, as FormatJsonLine makes it, news
/// (INFO) included. InvalidArgument for anything else. From main's thread, before there are others.
absl::Status SetLogFormat(absl::string_view format);

/// Whether that is "json". Any thread may call.
bool LogIsJson();

/// Says on standard error, in one line of the format that is set, why `program` ends.
void SayWhyItEnds(absl::string_view program, const absl::Status& error);

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_LOG_LOG_H_

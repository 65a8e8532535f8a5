#include "common/log/log.h"

#include <atomic>
#include <cstdio>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "common/log/json_line.h"
#include "glog/logging.h"

namespace fargraph {
namespace {

std::atomic<bool> is_json = false;

/// One write a line, so that lines of several threads and processes do not mix.
void WriteToStandardError(std::string line) {
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

/// Called by the thread that logs.
class JsonSink : public google::LogSink {
 public:
  using google::LogSink::send;
  void send(google::LogSeverity severity, const char* /*full_filename*/, const char* base_filename,
            int line, const google::LogMessageTime& time, const char* message,
            size_t message_bytes) override {
    const std::string source = absl::StrCat(base_filename, ":", line);
    WriteToStandardError(
        FormatJsonLine({.time = absl::FromTimeT(time.timestamp()) + absl::Microseconds(time.usec()),
                        .severity = google::GetLogSeverityName(severity),
                        .source = source,
                        .message = {message, message_bytes}},
                       LogFields::OfThisThread()));
  }
};

/// glog's own lines go nowhere, neither to standard error nor to files.
void SendToJsonSink() {
  FLAGS_logtostderr = false;
  FLAGS_stderrthreshold = google::NUM_SEVERITIES;
  for (int severity = google::GLOG_INFO; severity < google::NUM_SEVERITIES; ++severity) {
    google::SetLogDestination(severity, "");
  }
  FLAGS_minloglevel = google::GLOG_INFO;
  static auto& sink = *new JsonSink;  // threads may log until the process is gone
  google::AddLogSink(&sink);
}

}  // namespace

void StartLogging(const char* program, bool verbose) {
  FLAGS_logtostderr = true;
  FLAGS_minloglevel = verbose ? google::GLOG_INFO : google::GLOG_WARNING;
  FLAGS_v = verbose ? 1 : 0;
  google::InitGoogleLogging(program);
}

absl::Status SetLogFormat(absl::string_view format) {
  if (format == "text") return absl::OkStatus();
  if (format != "json") {
    return absl::InvalidArgumentError(
        absl::StrCat("--log_format cannot be '", format, "': it takes text or json"));
  }
  if (!is_json.exchange(true)) SendToJsonSink();
  return absl::OkStatus();
}

bool LogIsJson() { return is_json; }

void SayWhyItEnds(absl::string_view program, const absl::Status& error) {
  if (LogIsJson()) {
    LOG(ERROR) << error.message();
    return;
  }
  // One line, whatever a library put into its message.
  WriteToStandardError(
      absl::StrCat(program, ": ", absl::StrReplaceAll(error.message(), {{"\n", " "}})));
}

}  // namespace fargraph

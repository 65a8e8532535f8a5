#ifndef FARGRAPH_COMPUTE_NODE_CLI_REPORTS_WRITE_JSON_H_
#define FARGRAPH_COMPUTE_NODE_CLI_REPORTS_WRITE_JSON_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/files/output_file.h"

namespace fargraph {

/// Writes a report to the file that --json names, or nothing where it names none. `Json`: of
/// nlohmann's. Paths in it may be any bytes, and JSON is UTF-8: what is not is replaced.
template <typename Json>
absl::Status WriteJson(const std::string& path, const Json& report) {
  if (path.empty()) return absl::OkStatus();
  const std::string text =
      report.dump(/*indent=*/2, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
  return WriteWholeFile(path, absl::StrCat(text, "\n"));
}

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_REPORTS_WRITE_JSON_H_

#include "common/log/json_line.h"

#include "nlohmann/json.hpp"

namespace fargraph {

using nlohmann::ordered_json;

std::string FormatJsonLine(const LogRecord& record, absl::Span<const LogField> fields) {
  ordered_json line = {
      {"time", absl::FormatTime("%Y-%m-%d%ET%H:%M:%E6SZ", record.time, absl::UTCTimeZone())},
      {"severity", std::string(record.severity)},
      {"source", std::string(record.source)},
      {"message", std::string(record.message)}};
  for (const LogField& field : fields) {
    std::visit([&](const auto& value) { line[field.name] = value; }, field.value);
  }
  return line.dump(-1, ' ', /*ensure_ascii=*/false, ordered_json::error_handler_t::replace);
}

}  // namespace fargraph

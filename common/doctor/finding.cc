#include "common/doctor/finding.h"

namespace fargraph::doctor {

absl::string_view LevelName(Level level) {
  switch (level) {
    case Level::kOk:
      return "ok";
    case Level::kWarning:
      return "warning";
    case Level::kProblem:
      return "problem";
  }
  return "unknown";
}

}  // namespace fargraph::doctor

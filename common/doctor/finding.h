#ifndef FARGRAPH_COMMON_DOCTOR_FINDING_H_
#define FARGRAPH_COMMON_DOCTOR_FINDING_H_

#include <string>

#include "absl/strings/string_view.h"

namespace fargraph::doctor {

/// A warning costs speed or will cost trouble; with a problem jobs fail or cannot use what is
/// there.
enum class Level { kOk, kWarning, kProblem };

/// "ok", "warning" or "problem".
absl::string_view LevelName(Level level);

/// What one check found.
struct Finding {
  std::string check;  ///< its name, as in docs/doctor.md
  Level level = Level::kOk;
  std::string value;  ///< what is there now, on one line
  std::string mend;   ///< the command that mends it, or what to do; empty where nothing is wrong
};

}  // namespace fargraph::doctor

#endif  // FARGRAPH_COMMON_DOCTOR_FINDING_H_

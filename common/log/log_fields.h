#ifndef FARGRAPH_COMMON_LOG_LOG_FIELDS_H_
#define FARGRAPH_COMMON_LOG_LOG_FIELDS_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <variant>
#include <vector>

#include "absl/types/span.h"

namespace fargraph {

/// A name, which must be a literal, and a value: text of any bytes or a number.
struct LogField {
  const char* name;
  std::variant<std::string, uint64_t> value;
};

/// While it lives, the lines that its thread logs carry these fields where the format has fields
/// (json), besides those of the LogFields that live already. Destroyed in reverse order, by the
/// thread that made it.
class [[nodiscard]] LogFields {
 public:
  LogFields(std::initializer_list<LogField> fields);
  LogFields(const LogFields&) = delete;
  LogFields& operator=(const LogFields&) = delete;
  ~LogFields();

  /// Those of the calling thread; valid until it makes or destroys a LogFields.
  static absl::Span<const LogField> OfThisThread();

 private:
  const ptrdiff_t count_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_LOG_LOG_FIELDS_H_

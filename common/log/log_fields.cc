#include "common/log/log_fields.h"

#include <iterator>

namespace fargraph {
namespace {

std::vector<LogField>& Fields() {
  thread_local std::vector<LogField> fields;
  return fields;
}

}  // namespace

LogFields::LogFields(std::initializer_list<LogField> fields) : count_(std::ssize(fields)) {
  Fields().insert(Fields().end(), fields);
}

LogFields::~LogFields() { Fields().erase(Fields().end() - count_, Fields().end()); }

absl::Span<const LogField> LogFields::OfThisThread() { return Fields(); }

}  // namespace fargraph

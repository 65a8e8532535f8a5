#ifndef FARGRAPH_GRAPH_READERS_TEXT_FIELDS_H_
#define FARGRAPH_GRAPH_READERS_TEXT_FIELDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "graph/ids.h"

/// The fields of a line of text and the numbers in them. Parsing says no more than yes or no, for
/// speed; the Describe functions find the words for a field that does not parse.
namespace fargraph {

/// What some programs write in front of text in UTF-8. It is no part of the text.
inline constexpr absl::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// What separates fields.
inline bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == ',' || c == '\r' || c == '\v' || c == '\f';
}

/// What begins a comment, which reaches to the end of the line.
inline bool IsCommentStart(char c) { return c == '#' || c == '%'; }

/// Walks the fields of one line, without its line end.
class FieldScanner {
 public:
  explicit FieldScanner(absl::string_view line)
      : next_(line.data()), end_(line.data() + line.size()) {
    SkipBlanks();
  }

  /// True if no field is left.
  bool AtEnd() const { return next_ == end_ || IsCommentStart(*next_); }

  /// True if nothing is left, not even a comment.
  bool AtEndOfLine() const { return next_ == end_; }

  /// Takes the next field if it is a vertex id, an unsigned decimal number; false if not.
  bool ReadId(uint64_t& id);

  /// Takes the next field, empty at the end.
  absl::string_view ReadField();

 private:
  void SkipBlanks() {
    while (next_ != end_ && IsBlank(*next_)) ++next_;
  }

  const char* next_;
  const char* end_;
};

inline bool FieldScanner::ReadId(uint64_t& id) {
  constexpr int kSafeDigits = 19;  // any number of that many digits fits 64 bits
  const char* digit = next_;
  const char* safe_end = end_ - next_ > kSafeDigits ? next_ + kSafeDigits : end_;
  uint64_t value = 0;
  for (; digit != safe_end && static_cast<unsigned char>(*digit - '0') < 10; ++digit) {
    value = 10 * value + static_cast<uint64_t>(*digit - '0');
  }
  if (digit == next_) return false;
  if (digit != end_ && static_cast<unsigned char>(*digit - '0') < 10) {
    const auto last = static_cast<uint64_t>(*digit - '0');
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, last, &value)) {
      return false;
    }
    ++digit;
  }
  if (digit != end_ && !IsBlank(*digit) && !IsCommentStart(*digit)) return false;
  id = value;
  next_ = digit;
  SkipBlanks();
  return true;
}

inline absl::string_view FieldScanner::ReadField() {
  const char* begin = next_;
  while (next_ != end_ && !IsBlank(*next_) && !IsCommentStart(*next_)) ++next_;
  const absl::string_view field(begin, static_cast<size_t>(next_ - begin));
  SkipBlanks();
  return field;
}

/// The fields of a line, without its comment.
std::vector<absl::string_view> SplitFields(absl::string_view line);

/// Reads all of `field` as a vertex id; false if it is none.
bool ParseId(absl::string_view field, uint64_t& id);

/// Reads `field` as a weight of the type and gives its 32 bits; false if it is none, or not finite,
/// or out of the type's range. What is too small for a float is rounded.
bool ParseWeight(absl::string_view field, WeightType type, uint32_t& bits);

/// kInt32 if `field` looks like a whole number, kFloat32 if it has a point, an exponent or anything
/// else.
WeightType WeightTypeOf(absl::string_view field);

/// A field in quotes, shortened and with what does not print escaped.
std::string Quote(absl::string_view field);

/// Why `field` is no vertex id and what to do: "the vertex id '-3' is negative; ...".
std::string DescribeBadId(absl::string_view field);

/// The same of a weight of that type.
std::string DescribeBadWeight(absl::string_view field, WeightType type);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_READERS_TEXT_FIELDS_H_

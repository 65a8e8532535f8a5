#include "common/host/kernel_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace fargraph {

std::string ReadKernelFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();  // unlike an iterator it does not throw where the kernel refuses to read
  return text.str();
}

std::string ReadKernelLine(const std::string& path) {
  return std::string(absl::StripAsciiWhitespace(ReadKernelFile(path)));
}

std::optional<int64_t> ReadKernelNumber(const std::string& path) {
  int64_t number = 0;
  if (!absl::SimpleAtoi(ReadKernelFile(path), &number)) return std::nullopt;
  return number;
}

uint64_t ReadKernelCount(const std::string& path) {
  return static_cast<uint64_t>(ReadKernelNumber(path).value_or(0));
}

std::optional<uint64_t> ReadKernelField(const std::string& path, absl::string_view name) {
  const std::string text = ReadKernelFile(path);
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<absl::string_view> words =
        absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
    if (words.size() < 2 || absl::StripSuffix(words[0], ":") != name) continue;
    uint64_t number = 0;
    return absl::SimpleAtoi(words[1], &number) ? std::optional(number) : std::nullopt;
  }
  return std::nullopt;
}

std::vector<std::string> ListKernelDirectory(const std::string& path) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(path, error);
  for (; entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace fargraph

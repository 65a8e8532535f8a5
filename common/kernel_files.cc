#include "common/kernel_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"

namespace fargraph {

std::string ReadKernelFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string ReadKernelLine(const std::string& path) {
  return std::string(absl::StripAsciiWhitespace(ReadKernelFile(path)));
}

std::optional<int64_t> ReadKernelNumber(const std::string& path) {
  int64_t number = 0;
  if (!absl::SimpleAtoi(ReadKernelFile(path), &number)) return std::nullopt;
  return number;
}

std::vector<std::string> ListKernelDirectory(const std::string& path) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace fargraph

#include "common/files/cache_file.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "common/files/file.h"
#include "common/files/output_file.h"
#include "common/unique_fd.h"
#include "common/units.h"

namespace fargraph {
namespace {

using nlohmann::json;

constexpr uint64_t kMostBytes = 4 * kMiB;

/// Waits until nobody else writes in the directory, and keeps others from it as long as it is open.
UniqueFd LockDirectory(const std::filesystem::path& directory) {
  UniqueFd lock(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  flock(lock.get(), LOCK_EX);
  return lock;
}

}  // namespace

std::string CacheFile::DefaultPath(absl::string_view name) {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    return absl::StrCat(cache, "/fargraph/", name);
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    return absl::StrCat(home, "/.cache/fargraph/", name);
  }
  return "";
}

json CacheFile::Entries() const {
  if (path_.empty()) return json::array();
  const absl::StatusOr<std::string> text = ReadSmallFile(path_, kMostBytes);
  if (!text.ok()) return json::array();
  const json file = json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!file.is_object() || file.value("version", json()) != format_.version) return json::array();
  json entries = file.value(std::string(format_.entries), json());
  return entries.is_array() ? entries : json::array();
}

bool CacheFile::HasKey(const json& entry, const json& key) const {
  return entry.is_object() && entry.value(std::string(format_.key), json()) == key;
}

std::optional<json> CacheFile::Find(const json& key) const {
  for (json& entry : Entries()) {
    if (HasKey(entry, key)) return std::move(entry);
  }
  return std::nullopt;
}

absl::Status CacheFile::Put(const json& entry) const {
  return Replace(entry.at(std::string(format_.key)), json::array({entry}));
}

absl::Status CacheFile::Remove(const json& key) const { return Replace(key, json::array()); }

absl::Status CacheFile::Replace(const json& key, json entries) const {
  if (path_.empty()) return absl::OkStatus();
  const std::filesystem::path directory = std::filesystem::path(path_).parent_path();
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) return FileError(error.value(), "Making the directory of", path_);

  const UniqueFd lock = LockDirectory(directory);
  for (json& older : Entries()) {
    if (entries.size() < format_.most_entries && !HasKey(older, key)) {
      entries.push_back(std::move(older));
    }
  }
  const json file = {{"version", format_.version},
                     {std::string(format_.entries), std::move(entries)}};
  return WriteWholeFile(
      path_, absl::StrCat(file.dump(1, ' ', false, json::error_handler_t::replace), "\n"));
}

}  // namespace fargraph

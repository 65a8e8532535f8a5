#ifndef FARGRAPH_COMMON_FILES_CACHE_FILE_H_
#define FARGRAPH_COMMON_FILES_CACHE_FILE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"

namespace fargraph {

/// A small file of JSON in which jobs leave what they measured for later ones. It can go at any
/// time: a file that is missing, damaged or of another version has no entries. Processes and
/// threads may use it at the same time; those that write take turns, where the file system has
/// locks.
class CacheFile {
 public:
  struct Format {
    int version = 1;
    absl::string_view entries;  ///< what the file calls them
    absl::string_view key;      ///< the member by which an entry is found
    size_t most_entries = 64;
  };

  /// The file `name` in $XDG_CACHE_HOME/fargraph or ~/.cache/fargraph; empty when neither is set.
  static std::string DefaultPath(absl::string_view name);

  /// An empty path is a cache that keeps nothing.
  CacheFile(std::string path, const Format& format) : path_(std::move(path)), format_(format) {}

  /// All entries, newest first. Somebody may have edited the file: nothing is known of them.
  nlohmann::json Entries() const;
  /// The entry with that key, if there is one: an object.
  std::optional<nlohmann::json> Find(const nlohmann::json& key) const;
  /// Puts an entry, which holds its key, in the place of the one with the same key. Errors of the
  /// file system; the file is then as it was.
  absl::Status Put(const nlohmann::json& entry) const;
  /// Removes the entry with that key, if there is one. Errors as Put's.
  absl::Status Remove(const nlohmann::json& key) const;

 private:
  /// Writes `entries` and, behind them, the older ones without that key.
  absl::Status Replace(const nlohmann::json& key, nlohmann::json entries) const;
  bool HasKey(const nlohmann::json& entry, const nlohmann::json& key) const;

  std::string path_;
  Format format_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_FILES_CACHE_FILE_H_

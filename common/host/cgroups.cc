#include "common/host/cgroups.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/host/kernel_files.h"

namespace fargraph {
namespace {

constexpr absl::string_view kMount = "/sys/fs/cgroup";

/// From the group, a path below the mount, up to that.
std::vector<std::string> FoldersFrom(const std::string& mount, std::string group) {
  if (group == "/") group.clear();
  std::vector<std::string> folders;
  for (; !group.empty(); group.resize(std::min(group.size(), group.rfind('/'))))
    folders.push_back(absl::StrCat(mount, group));
  folders.push_back(mount);
  return folders;
}

}  // namespace

Cgroups FindCgroups(absl::string_view controller, const std::string& root) {
  std::string unified_group;
  // Lines "ID:CONTROLLERS:GROUP", in version 2 without controllers.
  for (const absl::string_view line :
       absl::StrSplit(ReadKernelFile(root + "/proc/self/cgroup"), '\n')) {
    const std::vector<std::string> fields = absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (fields.size() < 3) continue;
    const std::vector<absl::string_view> controllers = absl::StrSplit(fields[1], ',');
    if (absl::c_linear_search(controllers, controller))
      return {.folders = FoldersFrom(absl::StrCat(kMount, "/", controller), fields[2])};
    if (fields[1].empty()) unified_group = fields[2];
  }
  return {.unified = true, .folders = FoldersFrom(std::string(kMount), unified_group)};
}

}  // namespace fargraph

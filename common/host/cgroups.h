#ifndef FARGRAPH_COMMON_HOST_CGROUPS_H_
#define FARGRAPH_COMMON_HOST_CGROUPS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace fargraph {

/// Where the cgroups that hold this process have the files of a controller.
struct Cgroups {
  bool unified = false;  ///< of version 2, whose files have other names
  /// The process' own group first, then those above it, up to the mount. In a container the paths
  /// can be such that only the host sees; the mount then is the container's own group.
  std::vector<std::string> folders;
};

/// Of `controller`, memory or cpu: version 1 where that has the controller, else version 2. `root`:
/// put before /proc; the folders are below it, too.
Cgroups FindCgroups(absl::string_view controller, const std::string& root);

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_HOST_CGROUPS_H_

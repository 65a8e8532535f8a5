#include "common/doctor/container.h"

#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "common/host/kernel_files.h"
#include "common/units.h"

namespace fargraph::doctor {
namespace {

bool Exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

}  // namespace

std::string ContainerName(const HostView& host) {
  if (Exists(host.Path("/.dockerenv"))) return "docker";
  if (Exists(host.Path("/run/.containerenv"))) return "podman";
  return ReadKernelLine(host.Path("/run/systemd/container"));
}

std::vector<Finding> CheckContainer(const HostView& host) {
  const std::string name = ContainerName(host);
  if (name.empty()) return {};
  const bool locks = !host.lock_limit_bytes.has_value();
  return {{.check = "container",
           .value = absl::StrCat(name, "; ", locks ? "any" : FormatBytes(*host.lock_limit_bytes),
                                 " memory may be locked; ",
                                 Exists(host.Path("/dev/infiniband")) ? "with" : "without",
                                 " /dev/infiniband"),
           .mend = {}}};
}

}  // namespace fargraph::doctor

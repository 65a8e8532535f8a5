#include <unistd.h>

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/doctor/container.h"
#include "common/doctor/rdma_checks.h"
#include "common/host/kernel_files.h"

namespace fargraph::doctor {
namespace {

/// The files that a process opens to use verbs; empty where one of the two kinds is missing.
std::vector<std::string> VerbsFiles(const HostView& host) {
  std::vector<std::string> files;
  for (const std::string& name : ListKernelDirectory(host.Path("/dev/infiniband"))) {
    if (absl::StartsWith(name, "uverbs") || name == "rdma_cm") {
      files.push_back("/dev/infiniband/" + name);
    }
  }
  const bool has_both = files.size() >= 2 && absl::EndsWith(files.front(), "rdma_cm");
  return has_both ? files : std::vector<std::string>();
}

std::string MakeThem(const HostView& host) {
  const std::string container = ContainerName(host);
  if (container.empty()) return "modprobe -a ib_uverbs rdma_ucm";
  return absl::StrCat(
      "start the container with --device=/dev/infiniband --cap-add=IPC_LOCK "
      "--ulimit=memlock=-1 --network=host, and on its host: modprobe -a ib_uverbs "
      "rdma_ucm");
}

}  // namespace

std::vector<Finding> CheckRdmaAccess(const HostView& host) {
  if (ListKernelDirectory(host.Path("/sys/class/infiniband")).empty()) return {};
  Finding finding = {.check = "RDMA access", .value = {}, .mend = {}};
  const std::vector<std::string> files = VerbsFiles(host);
  if (files.empty()) {
    finding.level = Level::kProblem;
    finding.value = "/dev/infiniband lacks uverbs or rdma_cm";
    finding.mend = MakeThem(host);
    return {finding};
  }
  for (const std::string& file : files) {
    if (access(host.Path(file).c_str(), R_OK | W_OK) == 0) continue;
    finding.level = Level::kProblem;
    finding.value = absl::StrCat("this user may not open ", file);
    finding.mend = absl::StrCat("chmod a+rw ", file);
    return {finding};
  }
  finding.value = "/dev/infiniband can be opened";
  return {finding};
}

}  // namespace fargraph::doctor

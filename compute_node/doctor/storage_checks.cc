#include "compute_node/doctor/storage_checks.h"

#include <omp.h>
#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/doctor/numa_checks.h"
#include "common/host/block_device.h"
#include "common/units.h"
#include "compute_node/tiers/async_io.h"
#include "compute_node/tiers/direct_file.h"
#include "compute_node/tiers/ssd_queue.h"

namespace fargraph::doctor {
namespace {

constexpr uint64_t kTrialFileBytes = 4096;

/// The directory's device in /sys; empty where it has none of its own (overlay, network).
std::string DeviceDirectory(const HostView& host, const std::string& directory) {
  struct stat info {};
  if (stat(directory.c_str(), &info) != 0) return "";
  const std::string path = BlockDeviceDirectory(info.st_dev);
  std::error_code error;
  return std::filesystem::exists(host.Path(path), error) ? path : "";
}

/// A file of the directory, for one that cannot be written to; empty where it has none.
std::string AnyFile(const std::string& directory) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    if (entry.is_regular_file(error)) return entry.path();
  }
  return "";
}

absl::StatusOr<DirectFile> OpenDirectly(const std::string& directory) {
  absl::StatusOr<DirectFile> file = DirectFile::CreateUnnamed(directory, kTrialFileBytes);
  if (file.ok() || absl::IsFailedPrecondition(file.status())) return file;
  const std::string existing = AnyFile(directory);
  return existing.empty() ? std::move(file) : DirectFile::OpenForReading(existing);
}

/// `instead`: what to do where the directory cannot be used.
Finding CheckDirectIo(const HostView& host, const std::string& directory, const std::string& device,
                      const std::string& instead) {
  Finding finding = {.check = "direct IO", .value = {}, .mend = {}};
  const absl::StatusOr<DirectFile> file = OpenDirectly(directory);
  if (!file.ok()) {
    finding.level = Level::kProblem;
    finding.value = std::string(file.status().message());
    finding.mend =
        absl::IsFailedPrecondition(file.status())
            ? "lsblk -o NAME,ROTA,FSTYPE,MOUNTPOINT  # name a directory on one of these SSDs"
            : instead;
    return finding;
  }
  finding.value = absl::StrCat(directory, ": in blocks of ", FormatBytes(file->block_bytes()));
  const std::optional<int64_t> device_block =
      BlockQueueSetting(host.Path(device), "physical_block_size");
  if (device_block.has_value()) {
    absl::StrAppend(&finding.value, ", those of its device ",
                    FormatBytes(static_cast<uint64_t>(*device_block)));
  }
  if (BlockQueueSetting(host.Path(device), "rotational") == 1) {
    finding.level = Level::kWarning;
    absl::StrAppend(&finding.value, ", on what the kernel takes for a rotating disk");
    finding.mend = absl::StrCat("name a directory on an SSD; if this is one: echo 0 > ", device,
                                "/queue/rotational");
  }
  return finding;
}

std::vector<Finding> Check(const HostView& host, const std::string& directory,
                           const std::string& instead) {
  const std::string device = DeviceDirectory(host, directory);
  std::vector<Finding> findings = {CheckDirectIo(host, directory, device, instead)};
  if (!device.empty()) {
    findings.push_back(CheckNumaDistance(host, "the device of " + directory, device));
  }
  return findings;
}

}  // namespace

std::vector<Finding> CheckDirectory(const HostView& host, const std::string& directory) {
  return Check(host, directory, absl::StrCat("install -d -o $USER ", directory));
}

std::vector<Finding> CheckGraphDirectory(const HostView& host, const std::string& directory) {
  return Check(host, directory, "name a directory that fargraph convert wrote");
}

Finding CheckAsyncIo(size_t devices) {
  const uint32_t threads = omp_get_max_threads();
  const uint32_t requests = threads * SsdQueue::Depth(devices, threads);
  Finding finding = {.check = "asynchronous IO",
                     .value = absl::StrCat("room for ", requests, " requests"),
                     .mend = {}};
  const auto queue = OpenAsyncIo(requests);  // which counts as much as one for each thread
  if (queue.ok()) return finding;
  finding.level = Level::kProblem;
  finding.value = std::string(queue.status().message());
  finding.mend = absl::IsFailedPrecondition(queue.status())
                     ? "sysctl -w fs.aio-max-nr=1048576"
                     : "start the container with --security-opt=seccomp=unconfined";
  return finding;
}

}  // namespace fargraph::doctor

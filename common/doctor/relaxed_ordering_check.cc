#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "common/doctor/rdma_checks.h"
#include "common/host/kernel_files.h"

/// The PCI Express capability in a device's configuration space, by the PCI Express base
/// specification, 7.5.3.
namespace fargraph::doctor {
namespace {

constexpr size_t kFirstPointer = 0x34;
constexpr size_t kReadableByAll = 64;  ///< bytes; the capabilities behind them need privileges
constexpr uint8_t kExpressId = 0x10;
constexpr size_t kDeviceControl = 8;  ///< from the start of the capability
constexpr uint8_t kRelaxedOrdering = 1 << 4;

/// The lower byte of the device control register; nullopt where it has none.
std::optional<uint8_t> DeviceControl(const std::string& config) {
  const auto byte = [&](size_t at) { return static_cast<uint8_t>(config[at]); };
  if (config.size() <= kFirstPointer) return std::nullopt;
  size_t at = byte(kFirstPointer);
  for (int left = 48; left > 0 && at != 0 && at + kDeviceControl < config.size(); --left) {
    if (byte(at) == kExpressId) return byte(at + kDeviceControl);
    at = byte(at + 1);
  }
  return std::nullopt;
}

}  // namespace

std::vector<Finding> CheckRelaxedOrdering(const HostView& host) {
  if (!host.rdma.ok()) return {};
  const std::filesystem::path device =
      host.Path(absl::StrCat("/sys/class/infiniband/", host.rdma->device, "/device"));
  const std::string config = ReadKernelFile(device / "config");
  Finding finding = {.check = "relaxed ordering", .value = {}, .mend = {}};
  if (config.empty()) {
    finding.value = absl::StrCat(host.rdma->device, " is no PCI device, so there is none");
    return {finding};
  }
  std::error_code error;
  const std::string address = std::filesystem::canonical(device, error).filename();
  const std::optional<uint8_t> control = DeviceControl(config);
  if (!control.has_value()) {
    const bool hidden = config.size() <= kReadableByAll;
    finding.level = hidden ? Level::kWarning : Level::kOk;
    finding.value = hidden ? "cannot be seen by this user" : "no PCI Express device";
    finding.mend = hidden ? absl::StrCat("sudo lspci -vvs ", address, " | grep RlxdOrd") : "";
  } else if ((*control & kRelaxedOrdering) == 0) {
    finding.level = Level::kWarning;
    finding.value = absl::StrCat("off for ", address);
    finding.mend = absl::StrCat("setpci -s ", address, " CAP_EXP+8.w=0010:0010");
  } else {
    finding.value = absl::StrCat("on for ", address);
  }
  return {finding};
}

}  // namespace fargraph::doctor

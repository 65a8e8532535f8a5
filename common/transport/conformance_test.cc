// The transports that run the conformance suite (conformance/*_test.cc).
#include "common/transport/conformance/fixture.h"
#include "common/transport/faulty/faulty_device.h"

namespace fargraph::transport::conformance {
namespace {

/// The decorator without faults is like any device.
absl::StatusOr<std::unique_ptr<Device>> OpenFaulty(Kind kind) {
  auto device = OpenDevice(kind);
  if (!device.ok()) return device;
  return MakeFaultyDevice(*std::move(device), {});
}

}  // namespace

const std::vector<Case>& Cases() {
  static const auto* cases = new std::vector<Case>{
      {"Shm", [] { return OpenDevice(Kind::kShm); }},
      {"Tcp", [] { return OpenDevice(Kind::kTcp); }},
      {"Verbs", [] { return OpenDevice(Kind::kVerbs); }},
      {"FaultyShm", [] { return OpenFaulty(Kind::kShm); }},
      {"FaultyTcp", [] { return OpenFaulty(Kind::kTcp); }},
  };
  return *cases;
}

}  // namespace fargraph::transport::conformance

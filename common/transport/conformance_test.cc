// The transports that run the conformance suite (conformance/*_test.cc).
#include "common/transport/conformance/fixture.h"

namespace fargraph::transport::conformance {

const std::vector<Case>& Cases() {
  static const auto* cases = new std::vector<Case>{
      {"Shm", [] { return OpenDevice(Kind::kShm); }},
      {"Tcp", [] { return OpenDevice(Kind::kTcp); }},
      {"Verbs", [] { return OpenDevice(Kind::kVerbs); }},
  };
  return *cases;
}

}  // namespace fargraph::transport::conformance

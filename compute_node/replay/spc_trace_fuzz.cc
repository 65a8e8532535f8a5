// Any bytes as a trace, in blocks of any size: reading them ends in requests that lie on the
// device, or in one DataLoss.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "compute_node/replay/spc_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const size_t block_bytes = 1 + size_t{data[0]} * data[0];
  std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto trace =
      fargraph::ReadSpcTrace(fargraph::MakeMemoryInput("fuzz", std::move(bytes), block_bytes));
  if (!trace.ok()) {
    if (trace.status().code() != absl::StatusCode::kDataLoss) std::abort();
    return 0;
  }
  if (trace->requests.empty() || trace->writes > trace->requests.size()) std::abort();
  for (const fargraph::ByteRange& range : trace->requests) {
    if (range.length == 0 || range.length > trace->device_bytes) std::abort();
    if (range.offset > trace->device_bytes - range.length) std::abort();
  }
  return 0;
}

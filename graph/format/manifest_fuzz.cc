// Feeds arbitrary text to the manifest decoder. Most mutations fail the manifest's checksum, so a
// second attempt carries the right one and reaches what comes after.

#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/strings/str_format.h"
#include "graph/format/manifest.h"

namespace {

using fargraph::DecodeManifest;
using nlohmann::json;

void CheckRoundTrip(const std::string& text) {
  const auto manifest = DecodeManifest(text);
  if (!manifest.ok()) return;
  const auto again = DecodeManifest(fargraph::EncodeManifest(*manifest));
  if (!again.ok() || again->graph.content_id != manifest->graph.content_id) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  CheckRoundTrip(text);

  json object = json::parse(text, /*cb=*/nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return 0;
  object.erase("checksum");
  const std::string canonical = object.dump(-1, ' ', false, json::error_handler_t::replace);
  object["checksum"] = absl::StrFormat("%016x", XXH3_64bits(canonical.data(), canonical.size()));
  CheckRoundTrip(object.dump(-1, ' ', false, json::error_handler_t::replace));
  return 0;
}

// What a user may write after reading docs/directives.md: in-degrees of a list of edges, most of
// which is far.
//
//   program HOST:PORT
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "compute_node/fargraph.h"

using namespace fargraph;

constexpr size_t kTargets = 0;
constexpr uint32_t kVertices = 1000;

int Fail(const absl::Status& status) {
  std::fprintf(stderr, "program: %s\n", std::string(status.message()).c_str());
  return 1;
}

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: program HOST:PORT\n"), 2;
  std::vector<uint32_t> targets(1 << 20), expected(kVertices), degrees(kVertices);
  for (uint32_t e = 0; e < targets.size(); ++e)
    ++expected[targets[e] = e * 2654435761u % kVertices];

  auto program = Add_transferable_flag({{.name = "targets",
                                         .bytes = targets.size() * sizeof(uint32_t),
                                         .sensitivity = Sensitivity::kStreamed}},
                                       {.far_ratio = 0.8});
  if (!program.ok()) return Fail(program.status());
  absl::Status status = Build_connection(**program, {argv[1]});
  const auto* next = reinterpret_cast<const std::byte*>(targets.data());
  for (uint64_t chunk = 0; status.ok() && chunk < Far_chunks(**program, kTargets); ++chunk) {
    const uint64_t length = Far_chunk_bytes(**program, kTargets, chunk);
    status = Far_write_start(**program, kTargets, chunk, {next, length});
    next += length;
  }
  status.Update(Far_write_complete(**program, kTargets));
  if (!status.ok()) return Fail(status);
  targets = {};

  for (uint64_t chunk = 0; status.ok() && chunk < Far_chunks(**program, kTargets); ++chunk) {
    status = Far_read_start(**program, kTargets, chunk);
    const auto bytes = Far_read_complete(**program, kTargets, chunk);
    if (!bytes.ok()) return Fail(bytes.status());
    const auto* part = reinterpret_cast<const uint32_t*>(bytes->data());
    for (size_t i = 0; i < bytes->size() / sizeof(uint32_t); ++i) ++degrees[part[i]];
    status.Update(Far_release(**program, kTargets, chunk));
  }
  if (!status.ok()) return Fail(status);
  std::puts(degrees == expected ? "same" : "DIFFERENT");
  return degrees == expected ? 0 : 1;
}

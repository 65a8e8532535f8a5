// Writes a Kronecker graph as binary 32-bit pairs, every edge in both directions: the input of
// evaluation/conversion.
//
//   write_pairs SCALE FILE     2^SCALE vertices, 2^(SCALE + 5) pairs of 8 bytes
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "graph/generators/generator.h"

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: write_pairs SCALE FILE\n"), 2;
  auto reader = fargraph::OpenGenerator({.scale = std::atoi(argv[1])});
  std::FILE* file = std::fopen(argv[2], "wb");
  if (!reader.ok() || file == nullptr)
    return std::fprintf(stderr, "write_pairs: cannot make %s\n", argv[2]), 1;

  std::vector<fargraph::InputEdge> edges(1 << 20);
  std::vector<uint32_t> pairs;
  for (size_t count = 1; count > 0;) {
    count = (*reader)->Read(absl::MakeSpan(edges)).value_or(0);
    pairs.clear();
    for (size_t i = 0; i < count; ++i) {
      const auto source = static_cast<uint32_t>(edges[i].source);
      const auto target = static_cast<uint32_t>(edges[i].target);
      pairs.insert(pairs.end(), {source, target, target, source});
    }
    if (std::fwrite(pairs.data(), sizeof(uint32_t), pairs.size(), file) != pairs.size()) return 1;
  }
  return std::fclose(file) == 0 ? 0 : 1;
}

#include <filesystem>
#include <system_error>

#include "compute_node/cli/build_command.h"
#include "compute_node/cli/command.h"
#include "graph/edge_reader.h"

namespace fargraph {
namespace {

std::string Details() {
  return R"(
IN is an edge list (SNAP), a MatrixMarket, AdjacencyGraph or
WeightedAdjacencyGraph (Ligra, Aspen), .sg or .wsg (GAPBS) file, or pairs of
32-bit binary numbers (GridGraph); plain, gzip or zstd. Its content tells which.
OUT is the directory to make.
)";
}

absl::Status Run(const std::vector<std::string>& arguments) {
  const std::string& input = arguments.at(0);
  std::error_code no_file;
  const uint64_t bytes = std::filesystem::file_size(input, no_file);
  return BuildAndReport([&] { return OpenEdgeReader(input); }, arguments.at(1),
                        no_file ? 0 : bytes);
}

}  // namespace

const Command& ConvertCommand() {
  static const auto& command =
      *new Command{.name = "convert",
                   .arguments = {"IN", "OUT"},
                   .summary = "Converts a graph file of any supported format.",
                   .details = Details,
                   .flags = BuildFlags(),
                   .run = Run};
  return command;
}

}  // namespace fargraph

#include "common/status_macros.h"
#include "compute_node/cli/command.h"
#include "compute_node/cli/commands/build_command.h"
#include "graph/convert.h"

namespace fargraph {
namespace {

std::string ConvertDetails() {
  return R"(
IN is an edge list (SNAP), a MatrixMarket, AdjacencyGraph or
WeightedAdjacencyGraph (Ligra, Aspen), .sg or .wsg (GAPBS) file, or pairs of
32-bit binary numbers (GridGraph); plain, gzip or zstd. Its content tells which.
OUT is the directory to make.
)";
}

absl::Status Convert(const std::vector<std::string>& arguments) {
  const std::string& input = arguments.at(0);
  const auto convert = [&](const BuildOptions& build) {
    return ConvertGraph({.input = input, .output = arguments.at(1), .build = build});
  };
  return BuildAndReport(convert, input);
}

}  // namespace

const Command& ConvertCommand() {
  static const auto& command =
      *new Command{.name = "convert",
                   .arguments = {"IN", "OUT"},
                   .summary = "Converts a graph file of any supported format.",
                   .details = ConvertDetails,
                   .flags = BuildFlags(),
                   .run = Convert};
  return command;
}

}  // namespace fargraph

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "compute_node/cli/command.h"
#include "compute_node/cli/commands/build_command.h"
#include "compute_node/cli/flags/flag_values.h"
#include "gflags/gflags.h"
#include "graph/convert.h"
#include "graph/generators/generator.h"

DEFINE_int32(scale, 20, "2^scale vertices");
DEFINE_string(degree, "16", "Edges per vertex");
DEFINE_string(seed, "1", "Another seed is another graph");
DEFINE_bool(weights, false, "Give every edge a random weight, a whole number from 1 to 255");
DEFINE_double(a, 0.57, "rmat: the probability of the upper left quarter of the adjacency matrix");
DEFINE_double(b, 0.19, "rmat: the probability of the upper right quarter");
DEFINE_double(c, 0.19, "rmat: the probability of the lower left quarter");
DEFINE_double(rewire, 0.1, "smallworld: the probability that an edge becomes a shortcut");

namespace fargraph {
namespace {

std::string GenerateDetails() {
  return R"(
The same flags give the same bytes, whatever the number of threads.

MODEL is one of:
  kron        Kronecker graph with the parameters of Graph500, vertices shuffled
  rmat        the same with --a, --b and --c, vertices not shuffled
  uniform     both ends of every edge at random (Erdos-Renyi)
  smallworld  a ring whose edges are rewired at random (Watts-Strogatz)
)";
}

std::vector<absl::string_view> GenerateFlags() {
  std::vector<absl::string_view> flags = {"scale", "degree", "seed", "weights",
                                          "a",     "b",      "c",    "rewire"};
  const std::vector<absl::string_view> build_flags = BuildFlags();
  flags.insert(flags.end(), build_flags.begin(), build_flags.end());
  return flags;
}

/// InvalidArgument if a flag is set that is another model's.
absl::Status CheckModelFlags(absl::string_view model) {
  using FlagOfModel = std::pair<absl::string_view, absl::string_view>;
  for (const auto& [flag, owner] :
       {FlagOfModel{"a", "rmat"}, FlagOfModel{"b", "rmat"}, FlagOfModel{"c", "rmat"},
        FlagOfModel{"rewire", "smallworld"}}) {
    if (model == owner || !IsSet(flag)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(model, " takes no --", flag, "; ", owner, " does"));
  }
  return absl::OkStatus();
}

absl::Status Generate(const std::vector<std::string>& arguments) {
  GeneratorOptions options = {.scale = FLAGS_scale,
                              .weights = FLAGS_weights,
                              .a = FLAGS_a,
                              .b = FLAGS_b,
                              .c = FLAGS_c,
                              .rewire = FLAGS_rewire};
  FARGRAPH_ASSIGN_OR_RETURN(const auto degree, OptionalWhole("degree", FLAGS_degree, 1));
  FARGRAPH_ASSIGN_OR_RETURN(const auto seed, OptionalWhole("seed", FLAGS_seed));
  options.degree = degree.value_or(options.degree);
  options.seed = seed.value_or(options.seed);
  FARGRAPH_ASSIGN_OR_RETURN(options.kind, ParseGeneratorKind(arguments.at(0)));
  FARGRAPH_RETURN_IF_ERROR(CheckModelFlags(arguments.at(0)));
  const auto generate = [&](const BuildOptions& build) {
    return GenerateGraph({.generator = options, .output = arguments.at(1), .build = build});
  };
  return BuildAndReport(generate, /*input=*/"");
}

}  // namespace

const Command& GenerateCommand() {
  static const auto& command = *new Command{.name = "generate",
                                            .arguments = {"MODEL", "OUT"},
                                            .summary = "Makes a random graph.",
                                            .details = GenerateDetails,
                                            .flags = GenerateFlags(),
                                            .run = Generate};
  return command;
}

}  // namespace fargraph

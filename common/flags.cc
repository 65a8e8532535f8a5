#include "common/flags.h"

#include <algorithm>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "common/status_macros.h"
#include "gflags/gflags.h"

namespace fargraph {
namespace {

using gflags::CommandLineFlagInfo;
using FlagNames = absl::Span<const absl::string_view>;

/// One argument that begins with a dash, taken apart.
struct FlagArgument {
  std::string name;  ///< as the flag is registered: with underscores
  std::optional<std::string> value;
};

FlagArgument TakeApart(absl::string_view argument) {
  argument.remove_prefix(absl::StartsWith(argument, "--") ? 2 : 1);
  const size_t equals = argument.find('=');
  FlagArgument flag;
  flag.name = absl::StrReplaceAll(argument.substr(0, equals), {{"-", "_"}});
  if (equals != absl::string_view::npos) flag.value = std::string(argument.substr(equals + 1));
  return flag;
}

std::optional<CommandLineFlagInfo> Find(absl::string_view name, FlagNames flags) {
  CommandLineFlagInfo info;
  if (std::find(flags.begin(), flags.end(), name) == flags.end() ||
      !gflags::GetCommandLineFlagInfo(std::string(name).c_str(), &info)) {
    return std::nullopt;
  }
  return info;
}

/// --noNAME is --NAME=false for a bool.
std::optional<CommandLineFlagInfo> FindNegated(absl::string_view name, FlagNames flags) {
  if (!absl::ConsumePrefix(&name, "no")) return std::nullopt;
  std::optional<CommandLineFlagInfo> info = Find(name, flags);
  return info && info->type == "bool" ? info : std::nullopt;
}

absl::string_view WhatItTakes(const CommandLineFlagInfo& info) {
  if (info.type == "bool") return "true or false";
  if (info.type == "double") return "a number";
  if (info.type == "string") return "a text";
  return "a whole number";
}

absl::Status Set(const CommandLineFlagInfo& info, const std::string& value) {
  if (!gflags::SetCommandLineOption(info.name.c_str(), value.c_str()).empty()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--", info.name, " cannot be '", value, "': it takes ", WhatItTakes(info),
                   info.has_validator_fn ? " within its limits" : "", "; see --help"));
}

std::string Defaulted(const CommandLineFlagInfo& info) {
  if (info.type == "bool") return info.default_value == "true" ? "on" : "off";
  return info.default_value;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ParseFlags(absl::Span<const char* const> arguments,
                                                    FlagNames flags) {
  std::vector<std::string> positional;
  bool flags_ended = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const absl::string_view argument = arguments[i];
    if (flags_ended || argument.size() < 2 || argument[0] != '-') {
      positional.emplace_back(argument);
      continue;
    }
    if (argument == "--") {
      flags_ended = true;
      continue;
    }

    FlagArgument flag = TakeApart(argument);
    std::optional<CommandLineFlagInfo> info = Find(flag.name, flags);
    if (!info && !flag.value) {
      info = FindNegated(flag.name, flags);
      if (info) flag.value = "false";
    }
    if (!info) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no flag '", argument, "'; see --help for those there are"));
    }
    if (!flag.value && info->type == "bool") flag.value = "true";
    if (!flag.value) {
      if (i + 1 == arguments.size()) {
        return absl::InvalidArgumentError(
            absl::StrCat("--", info->name, " lacks its value; write --", info->name, "=VALUE"));
      }
      flag.value = arguments[++i];
    }
    FARGRAPH_RETURN_IF_ERROR(Set(*info, *flag.value));
  }
  return positional;
}

std::string DescribeFlags(FlagNames flags) {
  std::string text;
  for (const absl::string_view name : flags) {
    const auto info = Find(name, flags);
    if (!info) continue;
    absl::StrAppend(&text, "  --", info->name, info->type == "bool" ? "" : "=VALUE", "\n      ",
                    info->description);
    const std::string standard = Defaulted(*info);
    if (!standard.empty()) absl::StrAppend(&text, " (default: ", standard, ")");
    absl::StrAppend(&text, "\n");
  }
  return text;
}

}  // namespace fargraph

#ifndef FARGRAPH_COMPUTE_NODE_CLI_TEXT_LINES_H_
#define FARGRAPH_COMPUTE_NODE_CLI_TEXT_LINES_H_

#include <string>

#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "graph/graph_files.h"

namespace fargraph {

/// Adds "  NAME   VALUE"; the values of several lines stand below each other.
inline void AppendLine(absl::string_view name, absl::string_view value, std::string& text) {
  absl::StrAppendFormat(&text, "  %-16s %s\n", name, value);
}

/// What a person wants to know of a converted graph, as such lines. `remapped`: its ids are not the
/// input's.
std::string GraphText(const GraphManifest& manifest, bool remapped);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_TEXT_LINES_H_

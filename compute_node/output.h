#ifndef FARGRAPH_COMPUTE_NODE_OUTPUT_H_
#define FARGRAPH_COMPUTE_NODE_OUTPUT_H_

#include <atomic>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "compute_node/engine/kernel.h"
#include "graph/vertex_names.h"

namespace fargraph {

enum class OutputFormat : uint8_t { kText, kBinary };

/// Writes a kernel's columns, one value for each of the named vertices, to `path` ("-": standard
/// output), in the input's own ids and in ascending order of them; docs/output-format.md gives the
/// bytes. On all cores. `path` keeps what it had until all is written. Cancelled once `*cancelled`
/// is true (nullptr: never); ResourceExhausted when the disk is full; errors of reading names.
absl::Status WriteOutput(const std::string& path, OutputFormat format,
                         absl::Span<const Column> columns, const VertexNames& names,
                         const std::atomic<bool>* cancelled = nullptr);

/// The bytes that WriteOutput may hold beside the columns: the ids by vertex, if a column names
/// vertices, and the blocks that are being formatted.
uint64_t OutputBytes(const VertexNames& names, bool names_vertices);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_OUTPUT_H_

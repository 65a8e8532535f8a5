#ifndef FARGRAPH_GRAPH_DESCRIBE_H_
#define FARGRAPH_GRAPH_DESCRIBE_H_

#include <nlohmann/json.hpp>
#include <string>

#include "absl/status/statusor.h"
#include "graph/builder.h"
#include "graph/graph_files.h"

/// Graphs and conversions in words, for machines (JSON) and for people (lines of text, each ended).
namespace fargraph {

/// What is known of a graph: path, vertices, edges, symmetric, reverse, weights, order, heads,
/// compressed,
/// ids_remapped, max_out_degree, max_in_degree (where in-edges are stored), average_degree,
/// vertices_without_out_edges, self_loops, self_loops_removed, duplicates, duplicates_removed,
/// source_format, content_id, bytes (an object: bytes of each array), total_bytes and
/// bytes_per_edge (of the out-lists alone). Reads the indexes once, in little memory.
absl::StatusOr<nlohmann::json> DescribeGraph(const GraphFiles& files);

/// The same as text; with "files_verified", that they are.
std::string FormatGraphDescription(const nlohmann::json& description);

/// What a conversion did: input_edges, vertices, edges, isolated_vertices, self_loops,
/// self_loops_removed, duplicates, duplicates_removed, symmetric, reverse, weights, order, heads,
/// compressed, ids_remapped, source_format, content_id.
nlohmann::json DescribeReport(const BuildReport& report);

/// The same as text.
std::string FormatReport(const BuildReport& report);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_DESCRIBE_H_

#ifndef FARGRAPH_COMPUTE_NODE_OUTPUT_H_
#define FARGRAPH_COMPUTE_NODE_OUTPUT_H_

#include <atomic>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "compute_node/engine/kernel.h"

namespace fargraph {

enum class OutputFormat : uint8_t { kText, kBinary };

/// Writes a kernel's columns, all of one length, to `path` ("-": standard output), in the input's
/// own ids and in ascending order of them; docs/output-format.md gives the bytes. `original_ids` is
/// what GraphFiles::ReadOriginalIds gives: ascending, empty where the ids are the input's. On all
/// cores. `path` keeps what it had until all is written. Cancelled once `*cancelled` is true
/// (nullptr: never); ResourceExhausted when the disk is full.
absl::Status WriteOutput(const std::string& path, OutputFormat format,
                         absl::Span<const Column> columns, absl::Span<const uint64_t> original_ids,
                         const std::atomic<bool>* cancelled = nullptr);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_OUTPUT_H_

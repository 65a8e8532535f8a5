#ifndef FARGRAPH_GRAPH_FORMAT_ARRAY_READER_H_
#define FARGRAPH_GRAPH_FORMAT_ARRAY_READER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "graph/format/array_format.h"
#include "graph/graph_files.h"

namespace fargraph {

/// What mends a graph directory.
inline constexpr absl::string_view kConvertAgain = "convert the graph again";

/// Opens an array file that has to have the header `expected`. DataLoss when it is missing, or the
/// header, the checksum table or the file's size say otherwise; NotFound when it may not be read.
absl::StatusOr<std::unique_ptr<ArrayFile>> OpenArrayFile(const std::string& path,
                                                         const ArrayHeader& expected);

/// The same of a file that no manifest lists: its own header says what its checksums are. `mend`:
/// what errors say to do.
absl::StatusOr<std::unique_ptr<ArrayFile>> OpenArrayFile(const std::string& path, ElementType type,
                                                         uint64_t elements, absl::string_view mend);

/// The error of a damaged file of a graph directory: what is wrong with it and what to do.
absl::Status DamagedFileError(const std::string& path, absl::string_view what,
                              absl::string_view mend = kConvertAgain);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_FORMAT_ARRAY_READER_H_

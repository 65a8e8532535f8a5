#ifndef FARGRAPH_GRAPH_FORMAT_ARRAY_READER_H_
#define FARGRAPH_GRAPH_FORMAT_ARRAY_READER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "graph/format/array_format.h"
#include "graph/graph_files.h"

namespace fargraph {

/// Opens an array file that has to have the header `expected`. DataLoss when it is missing, or the
/// header, the checksum table or the file's size say otherwise; NotFound when it may not be read.
absl::StatusOr<std::unique_ptr<ArrayFile>> OpenArrayFile(const std::string& path,
                                                         const ArrayHeader& expected);

/// The error of a damaged file of a graph directory: what is wrong with it and what to do.
absl::Status DamagedFileError(const std::string& path, absl::string_view what,
                              absl::string_view mend = "convert the graph again");

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_FORMAT_ARRAY_READER_H_

#ifndef FARGRAPH_COMPUTE_NODE_DOCTOR_PATH_CHECKS_H_
#define FARGRAPH_COMPUTE_NODE_DOCTOR_PATH_CHECKS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/control/memory_node_client.h"
#include "common/doctor/finding.h"
#include "common/transport/rdma_description.h"
#include "common/transport/transport.h"

namespace fargraph::doctor {

/// How jobs reach a memory node.
struct PathOptions {
  std::string memory_node;  ///< HOST:PORT
  std::string token;
  std::optional<transport::Kind> transport;  ///< nullopt: as jobs choose it
};

/// The way from here to a memory node, and its own host by its own word: whether its control port
/// answers and admits us, whether a read comes over the transport that a job takes, and where both
/// ends have an RDMA device, whether they fit each other.
std::vector<Finding> CheckPath(const PathOptions& options,
                               const absl::StatusOr<transport::RdmaDescription>& here);

/// Whether the two ends of a link have the same MTU.
Finding CompareMtu(const transport::RdmaDescription& here, const NodeDiagnosis::RdmaEnd& there);

/// The reads that a queue pair between them has outstanding: the smaller of what one end issues and
/// the other answers.
Finding CompareReadDepth(const transport::RdmaDescription& here,
                         const NodeDiagnosis::RdmaEnd& there);

}  // namespace fargraph::doctor

#endif  // FARGRAPH_COMPUTE_NODE_DOCTOR_PATH_CHECKS_H_

#ifndef FARGRAPH_MEMORY_NODE_SERVICE_H_
#define FARGRAPH_MEMORY_NODE_SERVICE_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/control/memory_node_client.h"
#include "common/proto/memory_node.grpc.pb.h"
#include "memory_node/broker.h"

namespace fargraph {

/// The gRPC face of a node: admits callers by their token and translates messages into the
/// broker's operations. Thread-safe.
class ControlService final : public proto::MemoryNode::Service {
 public:
  /// `token` is empty when no caller needs one. The others must outlive the service.
  ControlService(std::string node_id, std::string token, const Arena& arena,
                 const LeaseTable& leases, const DataPlane& data_plane, Broker& broker);

  /// What this node counts, also for its metrics.
  MemoryNodeStats Stats() const;

  grpc::Status Describe(grpc::ServerContext* context, const proto::DescribeRequest* request,
                        proto::DescribeReply* reply) override;
  grpc::Status OpenLease(grpc::ServerContext* context, const proto::OpenLeaseRequest* request,
                         proto::OpenLeaseReply* reply) override;
  grpc::Status RenewLease(grpc::ServerContext* context, const proto::RenewLeaseRequest* request,
                          proto::RenewLeaseReply* reply) override;
  grpc::Status CloseLease(grpc::ServerContext* context, const proto::CloseLeaseRequest* request,
                          proto::CloseLeaseReply* reply) override;
  grpc::Status Allocate(grpc::ServerContext* context, const proto::AllocateRequest* request,
                        proto::Region* reply) override;
  grpc::Status Seal(grpc::ServerContext* context, const proto::SealRequest* request,
                    proto::Region* reply) override;
  grpc::Status Attach(grpc::ServerContext* context, const proto::AttachRequest* request,
                      proto::Region* reply) override;
  grpc::Status Free(grpc::ServerContext* context, const proto::FreeRequest* request,
                    proto::FreeReply* reply) override;
  grpc::Status List(grpc::ServerContext* context, const proto::ListRequest* request,
                    proto::ListReply* reply) override;
  grpc::Status Stats(grpc::ServerContext* context, const proto::StatsRequest* request,
                     proto::StatsReply* reply) override;
  grpc::Status Diagnose(grpc::ServerContext* context, const proto::DiagnoseRequest* request,
                        proto::DiagnoseReply* reply) override;

 private:
  /// Carries out an operation for a caller who shows the token.
  grpc::Status Serve(const grpc::ServerContext& context,
                     absl::FunctionRef<absl::Status()> operation) const;
  absl::Status Authenticate(const grpc::ServerContext& context) const;

  const std::string node_id_;
  const std::string token_;
  const Arena& arena_;
  const LeaseTable& leases_;
  const DataPlane& data_plane_;
  Broker& broker_;
  const absl::Time started_;
};

}  // namespace fargraph

#endif  // FARGRAPH_MEMORY_NODE_SERVICE_H_

#ifndef FARGRAPH_MEMORY_NODE_CONTROL_SERVER_H_
#define FARGRAPH_MEMORY_NODE_CONTROL_SERVER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "common/address.h"
#include "grpcpp/impl/service_type.h"
#include "grpcpp/server.h"

namespace fargraph {

/// A gRPC server on one address. Its destruction refuses new calls at once, gives those under way a
/// moment, and waits until the last handler has returned.
class ControlServer {
 public:
  /// `service` must outlive the server. FailedPrecondition when the address cannot be listened on,
  /// with the system's reason.
  static absl::StatusOr<std::unique_ptr<ControlServer>> Start(const HostPort& listen,
                                                              grpc::Service& service);
  ~ControlServer();

  /// HOST:PORT with the real port.
  const std::string& address() const { return address_; }

 private:
  ControlServer(std::unique_ptr<grpc::Server> server, std::string address);

  std::unique_ptr<grpc::Server> server_;
  std::string address_;
};

}  // namespace fargraph

#endif  // FARGRAPH_MEMORY_NODE_CONTROL_SERVER_H_

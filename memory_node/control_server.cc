#include "memory_node/control_server.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "common/control/grpc_log.h"
#include "common/unique_fd.h"
#include "grpcpp/security/server_credentials.h"
#include "grpcpp/server_builder.h"

namespace fargraph {
namespace {

constexpr absl::Duration kGrace = absl::Milliseconds(500);

/// gRPC does not say why it cannot listen, so the same is tried once more by hand.
std::string WhyNot(const HostPort& listen) {
  const absl::StatusOr<SocketAddresses> found = LookUp(listen);
  if (!found.ok()) return std::string(found.status().message());
  const addrinfo& address = **found;
  const UniqueFd fd(socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int reuse = 1;
  const bool listens = fd.valid() &&
                       setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof(reuse)) == 0 &&
                       bind(fd.get(), address.ai_addr, address.ai_addrlen) == 0 &&
                       ::listen(fd.get(), SOMAXCONN) == 0;
  return listens ? "refused by gRPC" : std::strerror(errno);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ControlServer>> ControlServer::Start(const HostPort& listen,
                                                                    grpc::Service& service) {
  LogGrpcQuietly();
  grpc::ServerBuilder builder;
  // Two nodes on one port would each see some of the calls.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  int port = 0;
  builder.AddListeningPort(listen.ToString(), grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&service);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr || port == 0) {
    return absl::FailedPreconditionError(absl::StrCat("cannot listen on ", listen.ToString(), ": ",
                                                      WhyNot(listen),
                                                      "; choose another address or port"));
  }
  const HostPort address = {listen.host, static_cast<uint16_t>(port)};
  return std::unique_ptr<ControlServer>(new ControlServer(std::move(server), address.ToString()));
}

ControlServer::ControlServer(std::unique_ptr<grpc::Server> server, std::string address)
    : server_(std::move(server)), address_(std::move(address)) {}

ControlServer::~ControlServer() {
  server_->Shutdown(absl::ToChronoTime(absl::Now() + kGrace));
  server_->Wait();
}

}  // namespace fargraph

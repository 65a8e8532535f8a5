#ifndef FARGRAPH_COMMON_CONTROL_GRPC_LOG_H_
#define FARGRAPH_COMMON_CONTROL_GRPC_LOG_H_

namespace fargraph {

/// Sends what gRPC would print on standard error to VLOG(1): our errors say it in a sentence. Any
/// thread may call, any number of times.
void LogGrpcQuietly();

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_CONTROL_GRPC_LOG_H_

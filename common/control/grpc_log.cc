#include "common/control/grpc_log.h"

#include <grpc/support/log.h>

#include "glog/logging.h"

namespace fargraph {

void LogGrpcQuietly() {
  static const bool routed = [] {
    gpr_set_log_function([](gpr_log_func_args* entry) { VLOG(1) << "gRPC: " << entry->message; });
    return true;
  }();
  static_cast<void>(routed);
}

}  // namespace fargraph

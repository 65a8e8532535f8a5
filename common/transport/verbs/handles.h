#ifndef FARGRAPH_COMMON_TRANSPORT_VERBS_HANDLES_H_
#define FARGRAPH_COMMON_TRANSPORT_VERBS_HANDLES_H_

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

#include <memory>

/// Owners of what libibverbs and librdmacm hand out.
namespace fargraph::transport::verbs {

struct Release {
  void operator()(ibv_pd* pd) const { ibv_dealloc_pd(pd); }
  void operator()(ibv_mr* mr) const { ibv_dereg_mr(mr); }
  void operator()(ibv_cq* cq) const { ibv_destroy_cq(cq); }
  void operator()(ibv_comp_channel* channel) const { ibv_destroy_comp_channel(channel); }
  void operator()(rdma_event_channel* channel) const { rdma_destroy_event_channel(channel); }
  void operator()(rdma_cm_event* event) const { rdma_ack_cm_event(event); }
  void operator()(rdma_cm_id* id) const {
    if (id->qp != nullptr) rdma_destroy_qp(id);
    rdma_destroy_id(id);
  }
};

using ProtectionDomain = std::unique_ptr<ibv_pd, Release>;
using RegisteredMemory = std::unique_ptr<ibv_mr, Release>;
using HardwareQueue = std::unique_ptr<ibv_cq, Release>;
using CompletionChannel = std::unique_ptr<ibv_comp_channel, Release>;
using CmChannel = std::unique_ptr<rdma_event_channel, Release>;
/// To be released before its id is destroyed by the same thread. Another thread that destroys the
/// id waits for it.
using CmEvent = std::unique_ptr<rdma_cm_event, Release>;
/// A connection of rdma_cm together with its queue pair, if it has one. To be destroyed before its
/// channel.
using CmId = std::unique_ptr<rdma_cm_id, Release>;

}  // namespace fargraph::transport::verbs

#endif  // FARGRAPH_COMMON_TRANSPORT_VERBS_HANDLES_H_

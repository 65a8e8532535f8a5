#include "compute_node/tiers/async_io.h"

#include <cerrno>
#include <cstring>
#include <ctime>

#include "absl/strings/str_cat.h"

namespace fargraph {
namespace {

class LinuxAsyncIo : public AsyncIo {
 public:
  explicit LinuxAsyncIo(io_context_t context) : context_(context) {}
  ~LinuxAsyncIo() override { io_destroy(context_); }
  LinuxAsyncIo(const LinuxAsyncIo&) = delete;
  LinuxAsyncIo& operator=(const LinuxAsyncIo&) = delete;

  int Submit(absl::Span<iocb*> requests) override {
    return io_submit(context_, static_cast<long>(requests.size()), requests.data());
  }

  int GetEvents(int least, absl::Span<io_event> events, absl::Duration timeout) override {
    timespec limit = absl::ToTimespec(timeout);
    return io_getevents(context_, least, static_cast<long>(events.size()), events.data(), &limit);
  }

 private:
  io_context_t context_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<AsyncIo>> OpenAsyncIo(uint32_t depth) {
  io_context_t context = nullptr;
  const int result = io_setup(static_cast<int>(depth), &context);
  if (result == -EAGAIN) {
    return absl::FailedPreconditionError(
        "Opening a queue to an SSD: all asynchronous IO that the host allows is in use "
        "(fs.aio-max-nr); allow more with `sysctl -w fs.aio-max-nr=1048576`");
  }
  if (result < 0) {
    return absl::InternalError(absl::StrCat("Opening a queue to an SSD: ", std::strerror(-result)));
  }
  return std::make_unique<LinuxAsyncIo>(context);
}

}  // namespace fargraph

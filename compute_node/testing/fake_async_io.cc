#include "compute_node/testing/fake_async_io.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace fargraph {

int FakeAsyncIo::Submit(absl::Span<iocb*> requests) {
  if (faults_.submit_result < 0) return faults_.submit_result;
  if (faults_.seldom && random_() % 4 == 0) return random_() % 2 == 0 ? -EAGAIN : -EINTR;
  size_t count = requests.size();
  if (faults_.seldom) count = 1 + random_() % count;
  if (first_file_ < 0) first_file_ = static_cast<int>(requests.front()->aio_fildes);
  under_way_.insert(under_way_.end(), requests.begin(), requests.begin() + count);
  most_under_way_ = std::max(most_under_way_, under_way_.size());
  return under_way_.size() <= depth_ ? static_cast<int>(count) : -EINVAL;
}

int FakeAsyncIo::GetEvents(int least, absl::Span<io_event> events, absl::Duration) {
  if (faults_.seldom && random_() % 4 == 0) return random_() % 2 == 0 ? 0 : -EINTR;
  const auto slow = std::partition(under_way_.begin(), under_way_.end(), [&](const iocb* one) {
    return !faults_.slow_file || static_cast<int>(one->aio_fildes) != first_file_;
  });
  ending_ = static_cast<size_t>(slow - under_way_.begin());
  size_t count = std::min(events.size(), ending_);
  if (faults_.seldom && least == 0 && count > 0) count = random_() % count;
  for (io_event& event : events.first(count)) event = End();
  return static_cast<int>(count);
}

io_event FakeAsyncIo::End() {
  const auto chosen = under_way_.begin() + static_cast<ptrdiff_t>(random_() % ending_--);
  iocb* const request = *chosen;
  under_way_.erase(chosen);
  return {.data = request->data, .obj = request, .res = static_cast<unsigned long>(Move(*request))};
}

int64_t FakeAsyncIo::Move(const iocb& request) {
  if (faults_.result) return *faults_.result;
  if (faults_.seldom && random_() % 8 == 0) return random_() % 2 == 0 ? -EAGAIN : -EINTR;
  uint64_t bytes = request.u.c.nbytes;
  constexpr uint64_t kPart = 4096;
  if (faults_.short_reads && bytes > kPart && random_() % 2 == 0) {
    bytes = (1 + random_() % (bytes / kPart)) * kPart;
  }
  const int64_t moved =
      request.aio_lio_opcode == IO_CMD_PREAD
          ? pread(request.aio_fildes, request.u.c.buf, bytes, request.u.c.offset)
          : pwrite(request.aio_fildes, request.u.c.buf, bytes, request.u.c.offset);
  return moved < 0 ? -errno : moved;
}

}  // namespace fargraph

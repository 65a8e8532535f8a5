// Tells ThreadSanitizer of the order that abseil's locks create. Debian's abseil is not built for
// ThreadSanitizer, so every access that an absl::Mutex guards would be reported as a race. Only the
// build for ThreadSanitizer links this file; the linker directs calls of each symbol below to its
// wrapper here (-Wl,--wrap, see FargraphCompiler.cmake).
#include <sanitizer/tsan_interface.h>

#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"

extern "C" void AnnotateIgnoreReadsBegin(const char* file, int line);
extern "C" void AnnotateIgnoreReadsEnd(const char* file, int line);

namespace {

/// Lives for the duration of one call into abseil. What abseil reads meanwhile is not judged: an
/// unlocking thread evaluates the conditions of those who wait, after its own release.
class Call {
 public:
  Call(const void* lock, bool releases, bool acquires)
      : lock_(const_cast<void*>(lock)), acquires_(acquires) {
    if (releases) __tsan_release(lock_);
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() {
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    if (acquires_) __tsan_acquire(lock_);
  }

 private:
  void* lock_;
  bool acquires_;
};

struct Acquires : Call {
  explicit Acquires(const void* lock) : Call(lock, false, true) {}
};
struct Releases : Call {
  explicit Releases(const void* lock) : Call(lock, true, false) {}
};
struct Waits : Call {  // lets go of the lock and takes it again
  explicit Waits(const void* lock) : Call(lock, true, true) {}
};

}  // namespace

// WRAPn: of a member function with n parameters, which are a and b; `lock` is what Order orders.
#define WRAP0(symbol, Result, Object, Order, lock)    \
  extern "C" Result __real_##symbol(Object* object);  \
  extern "C" Result __wrap_##symbol(Object* object) { \
    const Order order(lock);                          \
    return __real_##symbol(object);                   \
  }
#define WRAP1(symbol, Result, Object, A, Order, lock)      \
  extern "C" Result __real_##symbol(Object* object, A a);  \
  extern "C" Result __wrap_##symbol(Object* object, A a) { \
    const Order order(lock);                               \
    return __real_##symbol(object, a);                     \
  }
#define WRAP2(symbol, Result, Object, A, B, Order, lock)        \
  extern "C" Result __real_##symbol(Object* object, A a, B b);  \
  extern "C" Result __wrap_##symbol(Object* object, A a, B b) { \
    const Order order(lock);                                    \
    return __real_##symbol(object, a, b);                       \
  }

using absl::BlockingCounter;
using absl::Condition;
using absl::CondVar;
using absl::Duration;
using absl::Mutex;
using absl::Notification;
using absl::Time;

WRAP0(_ZN4absl7debian35Mutex4LockEv, void, Mutex, Acquires, object)
WRAP0(_ZN4absl7debian35Mutex7TryLockEv, bool, Mutex, Acquires, object)
WRAP0(_ZN4absl7debian35Mutex6UnlockEv, void, Mutex, Releases, object)
WRAP0(_ZN4absl7debian35Mutex10ReaderLockEv, void, Mutex, Acquires, object)
WRAP0(_ZN4absl7debian35Mutex13ReaderTryLockEv, bool, Mutex, Acquires, object)
WRAP0(_ZN4absl7debian35Mutex12ReaderUnlockEv, void, Mutex, Releases, object)
WRAP1(_ZN4absl7debian35Mutex8LockWhenERKNS0_9ConditionE, void, Mutex, const Condition&, Acquires,
      object)
WRAP2(_ZN4absl7debian35Mutex19LockWhenWithTimeoutERKNS0_9ConditionENS0_8DurationE, bool, Mutex,
      const Condition&, Duration, Acquires, object)
WRAP1(_ZN4absl7debian35Mutex5AwaitERKNS0_9ConditionE, void, Mutex, const Condition&, Waits, object)
WRAP2(_ZN4absl7debian35Mutex16AwaitWithTimeoutERKNS0_9ConditionENS0_8DurationE, bool, Mutex,
      const Condition&, Duration, Waits, object)
WRAP2(_ZN4absl7debian35Mutex17AwaitWithDeadlineERKNS0_9ConditionENS0_4TimeE, bool, Mutex,
      const Condition&, Time, Waits, object)

WRAP1(_ZN4absl7debian37CondVar4WaitEPNS0_5MutexE, void, CondVar, Mutex*, Waits, a)
WRAP2(_ZN4absl7debian37CondVar15WaitWithTimeoutEPNS0_5MutexENS0_8DurationE, bool, CondVar, Mutex*,
      Duration, Waits, a)
WRAP2(_ZN4absl7debian37CondVar16WaitWithDeadlineEPNS0_5MutexENS0_4TimeE, bool, CondVar, Mutex*,
      Time, Waits, a)

// HasBeenNotified is inline and reads the flag, which follows the mutex.
WRAP0(_ZN4absl7debian312Notification6NotifyEv, void, Notification, Releases,
      reinterpret_cast<Mutex*>(object) + 1)
WRAP0(_ZNK4absl7debian312Notification19WaitForNotificationEv, void, Notification, Acquires,
      reinterpret_cast<Mutex*>(object) + 1)
WRAP1(_ZNK4absl7debian312Notification30WaitForNotificationWithTimeoutENS0_8DurationE, bool,
      Notification, Duration, Acquires, reinterpret_cast<Mutex*>(object) + 1)
WRAP1(_ZNK4absl7debian312Notification31WaitForNotificationWithDeadlineENS0_4TimeE, bool,
      Notification, Time, Acquires, reinterpret_cast<Mutex*>(object) + 1)

WRAP0(_ZN4absl7debian315BlockingCounter14DecrementCountEv, bool, BlockingCounter, Waits, object)
WRAP0(_ZN4absl7debian315BlockingCounter4WaitEv, void, BlockingCounter, Acquires, object)

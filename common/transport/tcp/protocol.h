#ifndef FARGRAPH_COMMON_TRANSPORT_TCP_PROTOCOL_H_
#define FARGRAPH_COMMON_TRANSPORT_TCP_PROTOCOL_H_

#include <bit>
#include <cstddef>
#include <cstdint>

#include "common/transport/transport.h"

/// The bytes on a tcp queue pair's connection. All integers are little endian and of fixed width;
/// the structs below are laid out exactly as they are sent.
///
///     initiator                                   target
///     Hello                            ->
///                                      <-         Welcome        (then the target closes, unless
///                                                                 it admits)
///     RequestHeader [payload]          ->                        any number, without waiting; the
///     RequestHeader [payload] ...      ->                        payload is a write's bytes
///                                      <-         ReplyHeader [payload ReplyHeader] ...
///
/// Replies come in the order of the requests. A write is answered by one ReplyHeader. A read is
/// answered by a ReplyHeader, and where that says kDone, by the bytes read and a second
/// ReplyHeader, which says whether the key was live until the last byte was taken: until then the
/// bytes count for nothing. The first reply that does not say kDone is the connection's last.
namespace fargraph::transport::tcp {

static_assert(std::endian::native == std::endian::little, "the structs are sent as they lie");

inline constexpr uint32_t kHelloMagic = 0x48544746;    // "FGTH"
inline constexpr uint32_t kWelcomeMagic = 0x57544746;  // "FGTW"
inline constexpr uint32_t kVersion = 1;

struct Hello {
  uint32_t magic = kHelloMagic;
  uint32_t version = kVersion;
  Ticket ticket = {};
};
static_assert(sizeof(Hello) == 24);

enum class Answer : uint32_t { kAdmitted = 0, kRefused = 1, kOtherVersion = 2 };

struct Welcome {
  uint32_t magic = kWelcomeMagic;
  uint32_t version = kVersion;
  Answer answer = Answer::kAdmitted;
};
static_assert(sizeof(Welcome) == 12);

enum class Operation : uint32_t { kRead = 0, kWrite = 1 };

struct RequestHeader {
  Operation operation = Operation::kRead;
  uint32_t length = 0;  ///< 1 to kMaxRequestBytes
  uint64_t address = 0;
  uint64_t rkey = 0;
};
static_assert(sizeof(RequestHeader) == 24);

/// Whether a peer may send this.
inline bool IsValid(const RequestHeader& header) {
  return (header.operation == Operation::kRead || header.operation == Operation::kWrite) &&
         header.length >= 1 && header.length <= kMaxRequestBytes;
}

enum class Outcome : uint32_t { kDone = 0, kAccessError = 1, kInvalidRequest = 2 };

struct ReplyHeader {
  Outcome outcome = Outcome::kDone;
  uint32_t length = 0;  ///< the request's
};
static_assert(sizeof(ReplyHeader) == 8);

}  // namespace fargraph::transport::tcp

#endif  // FARGRAPH_COMMON_TRANSPORT_TCP_PROTOCOL_H_

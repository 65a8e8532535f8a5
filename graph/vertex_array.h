#ifndef FARGRAPH_GRAPH_VERTEX_ARRAY_H_
#define FARGRAPH_GRAPH_VERTEX_ARRAY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "absl/types/span.h"
#include "common/memory/reusable_memory.h"
#include "graph/in_parts.h"
#include "graph/thread_count.h"

namespace fargraph {

/// One value per vertex: the state of a kernel, or where each list begins. On transparent huge
/// pages, since kernels read it at random and most reads would else miss the TLB; they count as
/// ordinary memory of the process, which a MemoryReuse keeps for the next run of a kernel. What is
/// smaller than a few of these pages comes from the heap, which keeps it in any case. Like a vector
/// it throws std::bad_alloc when the host has no memory left.
template <typename T>
class VertexArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;

  VertexArray() = default;
  /// All zero. New memory is taken page by page when it is first touched.
  explicit VertexArray(size_t size) : VertexArray(Zeros(size, size)) {}
  /// All zero, as those from `end` on stay: nobody writes to them, so that they take no memory.
  static VertexArray Zeros(size_t size, size_t end) {
    VertexArray array(size, end, Unset());
    const size_t used = (array.memory_.used_bytes() + sizeof(T) - 1) / sizeof(T);
    array.Fill(T{}, array.heap_ != nullptr ? size : std::min(size, used));
    return array;
  }
  /// All `value`, on all cores.
  VertexArray(size_t size, T value) : VertexArray(size, size, Unset()) { Fill(value, size); }
  /// A copy, made on all cores.
  explicit VertexArray(absl::Span<const T> values)
      : VertexArray(values.size(), values.size(), Unset()) {
    OnCores(size_, [&](size_t begin, size_t end) {
      std::copy(values.begin() + begin, values.begin() + end, data_ + begin);
    });
  }
  VertexArray(const VertexArray& other) : VertexArray(absl::MakeConstSpan(other)) {}
  VertexArray(VertexArray&& other) noexcept { Swap(other); }
  VertexArray& operator=(VertexArray other) noexcept {
    Swap(other);
    return *this;
  }

  /// All `value`, on all cores.
  void Fill(T value) { Fill(value, size_); }

  size_t size() const { return size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  const T& front() const { return data()[0]; }
  const T& back() const { return data()[size_ - 1]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

  friend bool operator==(const VertexArray& a, const VertexArray& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  static constexpr size_t kLargestOnHeapBytes = 4 << 20;
  struct Unset {};

  VertexArray(size_t size, size_t end, Unset) : size_(size) {
    if (size * sizeof(T) <= kLargestOnHeapBytes) {
      heap_.reset(new T[size]);
      data_ = heap_.get();
      return;
    }
    auto memory = ReusableMemory::Allocate(size * sizeof(T), end * sizeof(T));
    if (!memory.ok()) throw std::bad_alloc();
    memory_ = *std::move(memory);
    data_ = reinterpret_cast<T*>(memory_.data());
  }

  void Fill(T value, size_t size) {
    OnCores(size, [&](size_t begin, size_t end) { std::fill(data_ + begin, data_ + end, value); });
  }

  /// Calls go(begin, end) for parts of the first `size` values.
  template <typename Go>
  static void OnCores(size_t size, Go&& go) {
    InParts(size, ThreadCountForBytes(size * sizeof(T)), go);
  }

  void Swap(VertexArray& other) noexcept {
    std::swap(heap_, other.heap_);
    std::swap(memory_, other.memory_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  std::unique_ptr<T[]> heap_;
  ReusableMemory memory_;
  T* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_VERTEX_ARRAY_H_

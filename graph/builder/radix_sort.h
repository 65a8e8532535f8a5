#ifndef FARGRAPH_GRAPH_BUILDER_RADIX_SORT_H_
#define FARGRAPH_GRAPH_BUILDER_RADIX_SORT_H_

#include <omp.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/thread_count.h"

namespace fargraph {

/// Sorts unsigned numbers ascending by one stable parallel counting sort per byte, lowest byte
/// first; bytes that are the same in all of them cost nothing. `scratch` is resized to the same
/// length and left with arbitrary content.
template <typename Word>
void RadixSort(std::vector<Word>& words, std::vector<Word>& scratch) {
  constexpr size_t kDigits = 256;
  using Counts = std::array<size_t, kDigits>;
  const auto digit_of = [](Word word, int shift) {
    return static_cast<size_t>(static_cast<uint8_t>(word >> shift));
  };

  Word differing = 0;
  for (const Word word : words) differing |= word ^ words.front();
  scratch.resize(words.size());
  std::vector<Counts> counts(ThreadCountFor(words.size()));

  for (int shift = 0; shift < static_cast<int>(8 * sizeof(Word)); shift += 8) {
    if (digit_of(differing, shift) == 0) continue;
#pragma omp parallel num_threads(static_cast <int>(counts.size()))
    {
      // Each thread scatters one slice; slices in order keep the sort stable.
      const size_t threads = omp_get_num_threads();
      const size_t thread = omp_get_thread_num();
      const size_t begin = words.size() * thread / threads;
      const size_t end = words.size() * (thread + 1) / threads;
      Counts& own = counts[thread];
      own.fill(0);
      for (size_t i = begin; i < end; ++i) ++own[digit_of(words[i], shift)];
#pragma omp barrier
#pragma omp single
      {
        size_t position = 0;
        for (size_t digit = 0; digit < kDigits; ++digit) {
          for (size_t t = 0; t < threads; ++t) {
            const size_t count = counts[t][digit];
            counts[t][digit] = position;
            position += count;
          }
        }
      }
      Counts positions = own;
      for (size_t i = begin; i < end; ++i) {
        scratch[positions[digit_of(words[i], shift)]++] = words[i];
      }
    }
    words.swap(scratch);
  }
}

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_BUILDER_RADIX_SORT_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/types/span.h"
#include "graph/codec/block_codec.h"
#include "graph/codec/block_decoders.h"
#include "graph/codec/block_layout.h"

// Once per set of instructions, whatever the build is for: each program can test all of them.
#define HWY_COMPILE_ALL_ATTAINABLE
// What AVX3_DL has beyond AVX3 is of no use here.
#define HWY_DISABLED_TARGETS HWY_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "graph/codec/vector_block_decoders.cc"
#include "hwy/foreach_target.h"
// Highway asks for this order.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fargraph {
namespace HWY_NAMESPACE {

// Highway compiles for a processor without vectors too; that, and 64-bit ids, are the portable
// decoder's.
#if defined(FARGRAPH_64BIT_IDS) || HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

size_t DecodeBlock(VertexId vertex, absl::Span<const std::byte> code, size_t edges,
                   VertexId* neighbors) {
  return DecodeBlockPortable(vertex, code, edges, neighbors);
}

#else

namespace hn = hwy::HWY_NAMESPACE;

using Group = hn::FixedTag<uint32_t, kGroupEdges>;
using GroupVector = hn::Vec<Group>;

/// The differences of the group at `data`, each in its lane.
HWY_INLINE GroupVector LoadDifferences(const std::byte* data, uint8_t control) {
  const hn::Repartition<uint8_t, Group> bytes;
  const auto packed = hn::LoadU(bytes, reinterpret_cast<const uint8_t*>(data));
  const auto places = hn::Load(bytes, kDifferencePlaces[control].of_byte.data());
  return hn::BitCast(Group(), hn::TableLookupBytesOr0(packed, places));
}

/// In each lane the sum of the lanes up to it.
HWY_INLINE GroupVector PrefixSum(GroupVector v) {
  v = hn::Add(v, hn::ShiftLeftLanes<1>(v));
  return hn::Add(v, hn::ShiftLeftLanes<2>(v));
}

/// What is to be added to a block's first differences, of which the first is a zigzag.
HWY_INLINE GroupVector FirstSum(GroupVector differences, uint32_t vertex) {
  const Group lanes;
  const auto negative = hn::Sub(hn::Zero(lanes), hn::And(differences, hn::Set(lanes, 1)));
  const auto distance = hn::Xor(hn::ShiftRight<1>(differences), negative);
  return hn::Add(hn::Set(lanes, vertex), hn::Broadcast<0>(hn::Sub(distance, differences)));
}

size_t DecodeBlock(VertexId vertex, absl::Span<const std::byte> code, size_t edges,
                   VertexId* neighbors) {
  const size_t decoded = DecodedEdges(edges);
  const size_t groups = decoded / kGroupEdges;
  if (code.size() <= groups) return 0;
  const std::byte* control = code.data();
  const std::byte* const last_control = control + groups - 1;
  const std::byte* const end = control + code.size();
  const std::byte* data = control + groups;

  GroupVector differences = LoadDifferences(data, static_cast<uint8_t>(*control));
  GroupVector sum = FirstSum(differences, vertex);
  while (true) {
    differences = PrefixSum(differences);
    hn::StoreU(hn::Add(sum, differences), Group(), neighbors);
    neighbors += kGroupEdges;
    data += kGroupBytes[static_cast<uint8_t>(*control)];
    if (control == last_control) break;
    if (data >= end) return 0;
    ++control;
    sum = hn::Add(sum, hn::Broadcast<3>(differences));
    differences = LoadDifferences(data, static_cast<uint8_t>(*control));
  }
  const size_t bytes = data - code.data() - (decoded - edges);
  return bytes <= code.size() ? bytes : 0;
}

#endif

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace fargraph
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace fargraph {

HWY_EXPORT(DecodeBlock);

std::vector<BlockDecoder> VectorBlockDecoders() {
  std::vector<BlockDecoder> decoders;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (target == HWY_SCALAR || target == HWY_EMU128) continue;
    hwy::ChosenTarget chosen;
    chosen.Update(target);
    decoders.push_back(
        {hwy::TargetName(target), HWY_DISPATCH_TABLE(DecodeBlock)[chosen.GetIndex()]});
  }
  return decoders;
}

}  // namespace fargraph

#endif  // HWY_ONCE

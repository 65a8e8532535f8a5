#ifndef FARGRAPH_GRAPH_GENERATORS_MODELS_H_
#define FARGRAPH_GRAPH_GENERATORS_MODELS_H_

#include <cstdint>

#include "graph/edge_reader.h"
#include "graph/generators/counter_random.h"

/// The random graphs, each as a function from an edge's number to the edge.
namespace fargraph {

/// A bijection of the numbers below 2^scale that leaves no trace of their order, as Graph500 asks
/// for: odd factors and shifts to the right, both invertible in `scale` bits.
class VertexScrambler {
 public:
  VertexScrambler(int scale, uint64_t seed);

  uint64_t operator()(uint64_t vertex) const {
    for (const uint64_t factor : factors_) {
      vertex = (vertex * factor + offset_) & mask_;
      vertex ^= vertex >> shift_;
    }
    return vertex;
  }

 private:
  uint64_t mask_;
  int shift_;
  uint64_t offset_;
  uint64_t factors_[3];
};

/// Recursive matrix: each edge descends `scale` levels of quarters of the adjacency matrix
/// (Chakrabarti, Zhan, Faloutsos: R-MAT, SDM 2004).
class RecursiveMatrixModel {
 public:
  RecursiveMatrixModel(int scale, uint64_t seed, double a, double b, double c);

  InputEdge operator()(uint64_t edge) const {
    CounterRandom random(seed_, edge);
    InputEdge result;
    uint64_t bits = 0;
    for (int level = 0; level < scale_; ++level) {
      bits = level % 2 == 0 ? random.Next() : bits >> 32;
      const uint64_t draw = bits & 0xffffffff;
      const bool lower = draw >= upper_end_;
      const bool right = lower ? draw >= lower_left_end_ : draw >= upper_left_end_;
      result.source = result.source << 1 | static_cast<uint64_t>(lower);
      result.target = result.target << 1 | static_cast<uint64_t>(right);
    }
    return result;
  }

 private:
  int scale_;
  uint64_t seed_;
  // Where the quarters end in [0, 2^32): upper left, upper right, lower left, lower right.
  uint64_t upper_left_end_;
  uint64_t upper_end_;
  uint64_t lower_left_end_;
};

/// The recursive matrix of Graph500, with scrambled vertices.
class KroneckerModel {
 public:
  KroneckerModel(int scale, uint64_t seed)
      : matrix_(scale, seed, 0.57, 0.19, 0.19), scramble_(scale, seed) {}

  InputEdge operator()(uint64_t edge) const {
    const InputEdge result = matrix_(edge);
    return {scramble_(result.source), scramble_(result.target)};
  }

 private:
  RecursiveMatrixModel matrix_;
  VertexScrambler scramble_;
};

/// Both ends uniformly random (Erdős, Rényi: On random graphs, 1959), self-loops and duplicates
/// included.
class UniformModel {
 public:
  UniformModel(int scale, uint64_t seed) : vertices_(uint64_t{1} << scale), seed_(seed) {}

  InputEdge operator()(uint64_t edge) const {
    CounterRandom random(seed_, edge);
    const uint64_t source = random.Below(vertices_);
    return {source, random.Below(vertices_)};
  }

 private:
  uint64_t vertices_;
  uint64_t seed_;
};

/// A ring in which every vertex points to the next `degree` ones; with probability `rewire` an edge
/// points to a random other vertex instead (Watts, Strogatz: Collective dynamics of 'small-world'
/// networks, Nature 1998; each undirected edge in one direction, chance duplicates kept).
class SmallWorldModel {
 public:
  SmallWorldModel(int scale, uint64_t degree, uint64_t seed, double rewire);

  InputEdge operator()(uint64_t edge) const {
    CounterRandom random(seed_, edge);
    const uint64_t source = edge / degree_;
    const bool shortcut = (random.Next() >> 32) < rewire_below_;
    const uint64_t distance = shortcut ? 1 + random.Below(vertices_ - 1) : 1 + edge % degree_;
    return {source, (source + distance) & (vertices_ - 1)};
  }

 private:
  uint64_t vertices_;
  uint64_t degree_;
  uint64_t seed_;
  uint64_t rewire_below_;  // of 2^32
};

/// Another model with random weights of 1 to 255.
template <typename Model>
class WeightedModel {
 public:
  WeightedModel(Model model, uint64_t seed) : model_(model), seed_(MixBits(seed)) {}

  InputEdge operator()(uint64_t edge) const {
    InputEdge result = model_(edge);
    result.weight_bits = 1 + static_cast<uint32_t>(CounterRandom(seed_, edge).Below(255));
    return result;
  }

 private:
  Model model_;
  uint64_t seed_;  // apart from the model's
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_GENERATORS_MODELS_H_

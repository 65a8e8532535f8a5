#include "algorithms/verification/spmv_verifier.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "algorithms/verification/verification.h"
#include "common/status_macros.h"
#include "graph/csr.h"

namespace fargraph {
namespace {

double WeightOf(const Csr& matrix, WeightType type, EdgeOffset edge) {
  if (matrix.weight_bits.empty()) return 1;
  const uint32_t bits = matrix.weight_bits[edge];
  return type == WeightType::kFloat32 ? std::bit_cast<float>(bits) : std::bit_cast<int32_t>(bits);
}

/// What is to come out, and what would if no two terms had different signs: of this, roundoff is a
/// share.
struct Product {
  std::vector<double> y;
  std::vector<double> magnitude;
};

/// `least_term`: the smallest number of full precision. A smaller one has the roundoff of that.
Product Multiply(const Csr& matrix, WeightType type, double least_term, const Product& x) {
  Product product{std::vector<double>(matrix.vertices()), std::vector<double>(matrix.vertices())};
  for (VertexId row = 0; row < matrix.vertices(); ++row) {
    for (EdgeOffset edge = matrix.offsets[row]; edge < matrix.offsets[row + 1]; ++edge) {
      const VertexId column = matrix.targets[edge];
      const double weight = WeightOf(matrix, type, edge);
      product.y[row] += weight * x.y[column];
      product.magnitude[row] += std::max(std::abs(weight) * x.magnitude[column], least_term);
    }
  }
  return product;
}

double Largest(absl::Span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

Product MultiplySoOften(const Csr& matrix, WeightType type, double least_term,
                        uint64_t iterations) {
  Product product;
  for (VertexId v = 0; v < matrix.vertices(); ++v) {
    product.y.push_back(1.0 / (1.0 + static_cast<double>(matrix.degree(v))));
  }
  product.magnitude = product.y;
  for (uint64_t i = 0; i < iterations; ++i) {
    const double largest = i == 0 ? 1 : Largest(product.y);
    if (largest > 0) {
      for (double& value : product.y) value /= largest;
      for (double& value : product.magnitude) value /= largest;
    }
    product = Multiply(matrix, type, least_term, product);
  }
  return product;
}

}  // namespace

absl::Status VerifySpmv(const GraphFiles& files, const KernelOptions& options,
                        const KernelResult& result) {
  FARGRAPH_ASSIGN_OR_RETURN(const Csr matrix, LoadCsr(files, Direction::kOut));
  FARGRAPH_ASSIGN_OR_RETURN(const InputIds ids, InputIds::Load(files));
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<double> y,
                            ReadNumbers(result, "y", options.precision, matrix.vertices()));
  const uint64_t iterations = options.iterations.value_or(1);
  const bool is_single = options.precision == Precision::kSingle;
  const double least_term =
      is_single ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min();
  const Product expected =
      MultiplySoOften(matrix, files.manifest().weight_type, least_term, iterations);

  EdgeOffset longest_row = 0;
  for (VertexId v = 0; v < matrix.vertices(); ++v) {
    longest_row = std::max(longest_row, matrix.degree(v));
  }
  const double roundoff =
      is_single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  const double error_before =
      roundoff * static_cast<double>(iterations - 1) * static_cast<double>(longest_row + 3);
  for (VertexId v = 0; v < matrix.vertices(); ++v) {
    const double error = error_before + roundoff * static_cast<double>(matrix.degree(v) + 3);
    if (std::abs(y[v] - expected.y[v]) <= error * expected.magnitude[v]) continue;  // not for NaN
    return absl::AbortedError(absl::StrCat("vertex ", ids[v], " has y ", y[v],
                                           ", where the verifier finds ", expected.y[v]));
  }
  const double sum = std::accumulate(y.begin(), y.end(), 0.0);
  FARGRAPH_RETURN_IF_ERROR(CheckAnswer(result, "sum", sum));
  FARGRAPH_RETURN_IF_ERROR(CheckAnswer(result, "largest", Largest(y)));
  return CheckTop10(result, ids, y);
}

}  // namespace fargraph

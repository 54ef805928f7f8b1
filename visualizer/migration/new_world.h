// What a migrated kernel may say, and the samples' headers have no need of.
#pragma once
#include <cstdint>
#include <vector>

namespace phi {

using DDim = std::vector<int64_t>;

inline DDim make_ddim(const std::vector<int64_t>& dims) { return dims; }
inline std::vector<int64_t> vectorize(const DDim& dims) { return dims; }
inline int64_t product(const DDim& dims) {
  int64_t product = 1;
  for (int64_t dim : dims) product *= dim;
  return product;
}

}  // namespace phi

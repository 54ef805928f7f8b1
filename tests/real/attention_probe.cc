// Asks an installed wheel, which has the two InferMeta functions but not the kernels, for GPUs alone.
//
// What a function needs comes as one text: for each input its rank, or -1 if it is absent, and its dims;
// then the attributes that decide. The answer lists the outputs' dims, or holds what was thrown.
#include <array>
#include <sstream>
#include <string>
#include <utility>

#include "paddle/phi/core/dense_tensor.h"
#include "paddle/phi/core/meta_tensor.h"
#include "paddle/phi/infermeta/fusion.h"

using namespace phi;

namespace {

std::string answer;

template <size_t count>
struct Tensors {
  std::array<DenseTensor, count> made;
  std::array<MetaTensor, count> metas;

  Tensors() {  // outputs, with dims that nothing sets
    for (size_t i = 0; i < count; ++i) {
      made[i].Resize({-7});
      metas[i] = MetaTensor(&made[i]);
    }
  }
  explicit Tensors(std::istringstream& text) {
    for (size_t i = 0; i < count; ++i) {
      int rank;
      text >> rank;
      if (rank < 0) continue;
      std::vector<int64_t> dims(rank);
      for (int64_t& dim : dims) text >> dim;
      made[i].Resize(common::make_ddim(dims));
      metas[i] = MetaTensor(&made[i]);
    }
  }
  std::string dims() const {
    std::ostringstream out;
    for (size_t i = 0; i < count; ++i) out << (i ? ", [" : "[[") << made[i].dims() << "]";
    return out.str() + "]";
  }
};

const std::string kept = "upscale_in_train";

template <size_t... I, size_t... O>
void forward(Tensors<11>& in, std::istringstream& text, Tensors<20>& out,
             std::index_sequence<I...>, std::index_sequence<O...>) {
  int heads, ring;
  bool transposed, pre, test;
  text >> heads >> transposed >> pre >> test >> ring;
  FusedAttentionInferMeta(in.metas[I]..., heads, transposed, pre, 1e-5, 0.1, test, false, 0, kept,
                          0.1, false, 0, kept, 1e-5, true, ring, &out.metas[O]...);
}

template <size_t... I, size_t... O>
void backward(Tensors<29>& in, std::istringstream& text, Tensors<21>& out,
              std::index_sequence<I...>, std::index_sequence<O...>) {
  bool pre, test;
  text >> pre >> test;
  FusedAttentionGradInferMeta(in.metas[I]..., 2, false, pre, 1e-5, 0.1, test, false, 0, kept, 0.1,
                              false, 0, kept, 1e-5, true, -1, &out.metas[O]...);
}

template <size_t inputs, size_t outputs, typename Run>
const char* said(const char* given, Run run) {
  try {
    std::istringstream text(given);
    Tensors<inputs> in(text);
    Tensors<outputs> out;
    run(in, text, out, std::make_index_sequence<inputs>(), std::make_index_sequence<outputs>());
    answer = out.dims();
  } catch (const std::exception& error) {
    answer = error.what();
  }
  return answer.c_str();
}

}  // namespace

extern "C" const char* attention(const char* given) {
  return said<11, 20>(given, [](auto&&... parts) { forward(parts...); });
}

extern "C" const char* attention_grad(const char* given) {
  return said<29, 21>(given, [](auto&&... parts) { backward(parts...); });
}

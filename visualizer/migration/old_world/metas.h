// A kernel's tensors as its InferMeta takes them.
#pragma once
#include <vector>

#include "paddle/phi/core/dense_tensor.h"
#include "paddle/phi/core/meta_tensor.h"
#include "paddle/utils/optional.h"

#include "memory.h"

namespace phi {

class InMeta {
 public:
  explicit InMeta(const DenseTensor& x) : metas_{MetaTensor(x)} {}
  explicit InMeta(const paddle::optional<DenseTensor>& x) : metas_{MetaTensor(x.get_ptr())} {}
  explicit InMeta(const std::vector<const DenseTensor*>& xs) { Take(xs); }
  explicit InMeta(const paddle::optional<std::vector<const DenseTensor*>>& xs) {
    if (xs) Take(xs.get());
    if (xs) maybe_ = each_;
  }
  operator const MetaTensor&() const { return metas_.at(0); }
  operator const std::vector<const MetaTensor*>&() const { return each_; }
  operator const paddle::optional<std::vector<const MetaTensor*>>&() const { return maybe_; }

 private:
  void Take(const std::vector<const DenseTensor*>& xs) {
    for (const auto* x : xs) metas_.emplace_back(x);
    for (const auto& meta : metas_) each_.push_back(&meta);
  }

  std::vector<MetaTensor> metas_;
  std::vector<const MetaTensor*> each_;
  paddle::optional<std::vector<const MetaTensor*>> maybe_;
};

class OutMeta {
 public:
  explicit OutMeta(DenseTensor* out) : is_there_(out != nullptr), metas_{MetaTensor(out)} {}
  explicit OutMeta(const std::vector<DenseTensor*>& outs) {
    for (auto* out : outs) metas_.emplace_back(out);
    for (auto& meta : metas_) each_.push_back(&meta);
  }
  operator MetaTensor*() { return is_there_ ? &metas_.at(0) : nullptr; }
  operator std::vector<MetaTensor*>() const { return each_; }

 private:
  bool is_there_ = true;
  std::vector<MetaTensor> metas_;
  std::vector<MetaTensor*> each_;
};

}  // namespace phi

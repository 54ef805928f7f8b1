// What an InferMeta reads and sets: a tensor without its elements.
//
// Shape, data type, layout and level of detail; no memory, so nothing can be computed by mistake. A
// MetaTensor refers to a tensor, or to the description of one that a program will have. Converted
// to bool, it says whether there is one: an optional input may be absent.
//
// Source: paddle/phi/core/meta_tensor.h, paddle/common/ddim.h.
#pragma once

#include "infermeta_utils.h"

namespace phi {

class DDim {  // a shape
 public:
  DDim(std::initializer_list<int64_t> dims);
  int size() const;  // how many axes, not how many elements
  int64_t operator[](int axis) const;
  bool operator==(const DDim& other) const;
  bool operator!=(const DDim& other) const;
};

DDim make_ddim(const std::vector<int64_t>& dims);
std::vector<int64_t> vectorize(const DDim& dims);

class MetaTensor {
 public:
  DDim dims() const;
  DataType dtype() const;
  DataLayout layout() const;

  void set_dims(const DDim& dims);
  void set_dtype(DataType dtype);
  void set_layout(DataLayout layout);

  void share_dims(const MetaTensor& meta_tensor);
  void share_lod(const MetaTensor& meta_tensor);
  void share_meta(const MetaTensor& meta_tensor);  // all of it

  operator bool() const;
};

}  // namespace phi

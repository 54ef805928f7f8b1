// How an operator of Fluid's infers its shapes by a function of PHI's.
//
// The struct that the macro declares goes into REGISTER_OPERATOR behind the operator's class,
// whose own InferShape it replaces. Its body packs the call into an InferMetaContext, which puts
// the operator's names into the kernel's order (so it needs the operator's argument mapping), and
// hands that to the function, wrapped by PD_INFER_META.
//
// Name, parameters and replacement are Paddle's (paddle/fluid/framework/infershape_utils.h at
// commit 0ab6998c). There is no semicolon at the end: you write it.
#pragma once

#include "infermeta_utils.h"
#include "operator.h"

#define DECLARE_INFER_SHAPE_FUNCTOR(op_type, functor_name, fn)                                    \
  struct functor_name : public paddle::framework::InferShapeBase {                                \
    void operator()(paddle::framework::InferShapeContext* ctx) const override {                   \
      auto infer_meta_context = paddle::framework::BuildInferMetaContext(ctx, #op_type);          \
      fn(&infer_meta_context);                                                                    \
    }                                                                                             \
    void infer_meta_(phi::InferMetaContext* ctx) const { fn(ctx); }                               \
  }

namespace paddle {
namespace framework {

class CompatInferMetaContext : public phi::InferMetaContext {};

CompatInferMetaContext BuildInferMetaContext(InferShapeContext* ctx, const std::string& op_type);

}  // namespace framework
}  // namespace paddle

"""Fluid's names one by one, and where each went: the rows of the table, applied to spellings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Name:
    """What a name of Fluid's becomes inside of namespace phi, and the header that has it there."""

    phi: str
    rule: str
    header: str = ""


_EIGEN = "paddle/phi/kernels/funcs/eigen/common.h"
_MATH = "paddle/phi/kernels/funcs/math_function.h"


# Keys are without `paddle::`.
NAMES: dict[str, Name] = {
    "framework::Tensor": Name("DenseTensor", "tensor"),
    "framework::LoDTensor": Name("DenseTensor", "lod_tensor"),
    "framework::SelectedRows": Name("SelectedRows", "tensor", "paddle/phi/core/selected_rows.h"),
    "phi::DenseTensor": Name("DenseTensor", "tensor"),
    "framework::LoD": Name("phi::LoD", "lod"),
    "framework::ToAbsOffset": Name("phi::ToAbsOffset", "lod", "paddle/phi/core/lod_utils.h"),
    "framework::Vector": Name("phi::Vector", "lod", "paddle/phi/core/mixed_vector.h"),
    "framework::MixVector": Name("phi::MixVector", "lod", "paddle/phi/core/mixed_vector.h"),
    "framework::DDim": Name("DDim", "ddim"),
    "framework::make_ddim": Name("phi::make_ddim", "ddim"),
    "framework::vectorize": Name("phi::vectorize", "ddim"),
    "framework::product": Name("phi::product", "ddim"),
    "framework::slice_ddim": Name("phi::slice_ddim", "ddim"),
    "framework::flatten_to_2d": Name("phi::flatten_to_2d", "ddim"),
    "framework::stride": Name("phi::stride", "ddim"),
    "framework::vectorize2int": Name("phi::vectorize<int>", "ddim"),
    "framework::DataLayout": Name("phi::DataLayout", "data_type"),
    "framework::StringToDataLayout": Name("phi::StringToDataLayout", "data_type"),
    "framework::proto::VarType::Type": Name("phi::DataType", "data_type"),
    "framework::VisitDataType": Name(
        "phi::VisitDataType", "data_type", "paddle/phi/core/utils/data_type.h"
    ),
    "framework::EigenVector": Name("EigenVector", "eigen", _EIGEN),
    "framework::EigenMatrix": Name("EigenMatrix", "eigen", _EIGEN),
    "framework::EigenTensor": Name("EigenTensor", "eigen", _EIGEN),
    "framework::EigenScalar": Name("EigenScalar", "eigen", _EIGEN),
    "framework::EigenDim": Name("EigenDim", "eigen", _EIGEN),
    "platform::errors": Name("errors", "errors"),
    "platform::float16": Name("dtype::float16", "dtype"),
    "platform::bfloat16": Name("dtype::bfloat16", "dtype"),
    "platform::complex": Name("dtype::complex", "dtype"),
    "platform::complex64": Name("dtype::complex<float>", "dtype"),
    "platform::complex128": Name("dtype::complex<double>", "dtype"),
    "platform::Place": Name("phi::Place", "place"),
    "platform::CPUPlace": Name("phi::CPUPlace", "place"),
    "platform::CUDAPlace": Name("phi::GPUPlace", "place"),
    "platform::CUDAPinnedPlace": Name("phi::GPUPinnedPlace", "place"),
    "platform::XPUPlace": Name("phi::XPUPlace", "place"),
    "platform::IPUPlace": Name("phi::IPUPlace", "place"),
    "platform::CustomPlace": Name("phi::CustomPlace", "place"),
    "platform::DeviceContext": Name("phi::DeviceContext", "device"),
    "platform::CPUDeviceContext": Name("phi::CPUContext", "device"),
    "platform::CUDADeviceContext": Name("phi::GPUContext", "device"),
    "platform::XPUDeviceContext": Name("phi::XPUContext", "device"),
    "platform::MKLDNNDeviceContext": Name("phi::OneDNNContext", "device"),
    "platform::ForRange": Name(
        "phi::funcs::ForRange", "funcs", "paddle/phi/kernels/funcs/for_range.h"
    ),
    "math::SetConstant": Name("phi::funcs::SetConstant", "funcs", _MATH),
    "math::Transpose": Name("phi::funcs::Transpose", "funcs", _MATH),
    "math::BlasT": Name("phi::funcs::BlasT", "funcs", "paddle/phi/kernels/funcs/blas/blas.h"),
    "math::GetBlas": Name("phi::funcs::GetBlas", "funcs", "paddle/phi/kernels/funcs/blas/blas.h"),
}


# `platform::is_cpu_place(place)` is a question about its type.
ALLOCATION_TYPES = {
    "platform::is_cpu_place": "CPU",
    "platform::is_gpu_place": "GPU",
    "platform::is_cuda_pinned_place": "GPUPINNED",
    "platform::is_xpu_place": "XPU",
    "platform::is_ipu_place": "IPU",
    "platform::is_custom_place": "CUSTOM",
}
COPIES = {"framework::TensorCopy": "false", "framework::TensorCopySync": "true"}
GENERATOR = "framework::DefaultCPUGenerator"
GRAD_VAR_NAME = "framework::GradVarName"


# Whatever needs one of these can't go to PHI, which knows no programs and no variables. As a
# function the kernel may stay in Fluid, registered as PHI's are: so does save_combine_op.
STAYS_IN_FLUID = frozenset(
    {
        "framework::Scope",
        "framework::Variable",
        "framework::Executor",
        "framework::ExecutorPrepareContext",
        "framework::BlockDesc",
        "framework::ProgramDesc",
        "framework::OpDesc",
        "framework::LoDTensorArray",
        "framework::LoDRankTable",
        "framework::ReaderHolder",
    }
)


# Namespaces whose names nobody but Fluid has.
FLUID_NAMESPACES = ("framework", "platform", "memory", "math", "operators", "imperative", "detail")


# Headers: what a Fluid file includes, and what takes its place in PHI. "" for nothing.
KERNEL_REGISTRY = "paddle/phi/core/kernel_registry.h"
HEADERS: dict[str, str] = {
    "paddle/fluid/framework/op_registry.h": KERNEL_REGISTRY,
    "paddle/fluid/framework/operator.h": "",
    "paddle/fluid/framework/tensor.h": "paddle/phi/core/dense_tensor.h",
    "paddle/fluid/framework/mixed_vector.h": "paddle/phi/core/mixed_vector.h",
    "paddle/fluid/framework/lod_tensor.h": "paddle/phi/core/dense_tensor.h",
    "paddle/fluid/framework/eigen.h": _EIGEN,
    "paddle/fluid/framework/tensor_util.h": "paddle/phi/core/tensor_utils.h",
    "paddle/fluid/framework/data_type.h": "paddle/phi/core/utils/data_type.h",
    "paddle/fluid/framework/op_version_registry.h": "",
    "paddle/fluid/platform/for_range.h": "paddle/phi/kernels/funcs/for_range.h",
    "paddle/fluid/platform/enforce.h": "paddle/phi/core/enforce.h",
    "paddle/fluid/platform/float16.h": "paddle/phi/common/float16.h",
    "paddle/fluid/platform/device_context.h": "",
    "paddle/fluid/operators/math/math_function.h": _MATH,
    "paddle/fluid/operators/math/blas.h": "paddle/phi/kernels/funcs/blas/blas.h",
    "op_registry.h": KERNEL_REGISTRY,
    "operator.h": "",
    "enforce.h": "paddle/phi/core/enforce.h",
}


# The attributes that are no parameters of a kernel, whoever adds them.
NEVER_PARAMETERS = frozenset({"use_mkldnn", "use_cudnn"})

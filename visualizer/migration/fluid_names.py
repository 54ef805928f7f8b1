"""Fluid's names one by one, and where each went: the rows of the table, applied to spellings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NewName:
    """What a name of Fluid's becomes inside of namespace phi, and the header that has it there."""

    phi: str
    rule: str
    header: str = ""


_EIGEN = "paddle/phi/kernels/funcs/eigen/common.h"
_MATH = "paddle/phi/kernels/funcs/math_function.h"
_EIGEN_FUNCTIONS = "paddle/phi/kernels/funcs/eigen/eigen_function.h"
_LAYOUT = "paddle/common/layout.h"
_MEMORY = "paddle/phi/common/memory_utils.h"
_HOSTDEVICE = "paddle/common/hostdevice.h"


# Keys are without `paddle::`.
NAMES: dict[str, NewName] = {
    "framework::Tensor": NewName("DenseTensor", "tensor"),
    "framework::LoDTensor": NewName("DenseTensor", "lod_tensor"),
    "framework::SelectedRows": NewName("SelectedRows", "tensor", "paddle/phi/core/selected_rows.h"),
    "phi::DenseTensor": NewName("DenseTensor", "tensor"),
    "framework::LoD": NewName("phi::LoD", "lod"),
    "framework::ToAbsOffset": NewName("phi::ToAbsOffset", "lod", "paddle/phi/core/lod_utils.h"),
    "framework::Vector": NewName("phi::Vector", "lod", "paddle/phi/core/mixed_vector.h"),
    "phi::Vector": NewName("phi::Vector", "lod", "paddle/phi/core/mixed_vector.h"),
    "phi::MixVector": NewName("phi::MixVector", "lod", "paddle/phi/core/mixed_vector.h"),
    "framework::MixVector": NewName("phi::MixVector", "lod", "paddle/phi/core/mixed_vector.h"),
    "framework::DDim": NewName("DDim", "ddim"),
    "framework::make_ddim": NewName("phi::make_ddim", "ddim"),
    "framework::vectorize": NewName("phi::vectorize", "ddim"),
    "framework::product": NewName("phi::product", "ddim"),
    "framework::slice_ddim": NewName("phi::slice_ddim", "ddim"),
    "framework::flatten_to_2d": NewName("phi::flatten_to_2d", "ddim"),
    "framework::stride": NewName("phi::stride", "ddim"),
    "framework::vectorize2int": NewName("phi::vectorize<int>", "ddim"),
    "framework::DataLayout": NewName("phi::DataLayout", "data_type"),
    "phi::DataLayout": NewName("phi::DataLayout", "data_type"),
    "framework::StringToDataLayout": NewName("common::StringToDataLayout", "data_type", _LAYOUT),
    "phi::StringToDataLayout": NewName("common::StringToDataLayout", "data_type", _LAYOUT),
    "memory::Alloc": NewName("phi::memory_utils::Alloc", "funcs", _MEMORY),
    "memory::AllocShared": NewName("phi::memory_utils::AllocShared", "funcs", _MEMORY),
    "memory::Copy": NewName("phi::memory_utils::Copy", "funcs", _MEMORY),
    "framework::proto::VarType::Type": NewName("phi::DataType", "data_type"),
    "framework::VisitDataType": NewName(
        "phi::VisitDataType", "data_type", "paddle/phi/core/utils/data_type.h"
    ),
    "framework::EigenVector": NewName("EigenVector", "eigen", _EIGEN),
    "framework::EigenMatrix": NewName("EigenMatrix", "eigen", _EIGEN),
    "framework::EigenTensor": NewName("EigenTensor", "eigen", _EIGEN),
    "framework::EigenScalar": NewName("EigenScalar", "eigen", _EIGEN),
    "framework::EigenDim": NewName("EigenDim", "eigen", _EIGEN),
    "platform::errors": NewName("errors", "errors"),
    "platform::float16": NewName("dtype::float16", "dtype"),
    "platform::bfloat16": NewName("dtype::bfloat16", "dtype"),
    "platform::complex": NewName("dtype::complex", "dtype"),
    "platform::complex64": NewName("dtype::complex<float>", "dtype"),
    "platform::complex128": NewName("dtype::complex<double>", "dtype"),
    "platform::Place": NewName("phi::Place", "place"),
    "platform::CPUPlace": NewName("phi::CPUPlace", "place"),
    "platform::CUDAPlace": NewName("phi::GPUPlace", "place"),
    "platform::CUDAPinnedPlace": NewName("phi::GPUPinnedPlace", "place"),
    "platform::XPUPlace": NewName("phi::XPUPlace", "place"),
    "platform::IPUPlace": NewName("phi::IPUPlace", "place"),
    "platform::CustomPlace": NewName("phi::CustomPlace", "place"),
    "platform::DeviceContext": NewName("phi::DeviceContext", "device"),
    "platform::CPUDeviceContext": NewName("phi::CPUContext", "device"),
    "platform::CUDADeviceContext": NewName("phi::GPUContext", "device"),
    "platform::XPUDeviceContext": NewName("phi::XPUContext", "device"),
    "platform::MKLDNNDeviceContext": NewName("phi::OneDNNContext", "device"),
    "platform::ForRange": NewName(
        "phi::funcs::ForRange", "funcs", "paddle/phi/kernels/funcs/for_range.h"
    ),
    "math::SetConstant": NewName("phi::funcs::SetConstant", "funcs", _MATH),
    "math::Transpose": NewName("phi::funcs::Transpose", "funcs", _MATH),
    "math::BlasT": NewName("phi::funcs::BlasT", "funcs", "paddle/phi/kernels/funcs/blas/blas.h"),
    "math::GetBlas": NewName(
        "phi::funcs::GetBlas", "funcs", "paddle/phi/kernels/funcs/blas/blas.h"
    ),
}


# What eigen_function.h declares, once in paddle::operators, and now in phi::funcs.
OF_EIGEN = frozenset(
    f"Eigen{name}"
    for name in (
        *(
            "Broadcast",
            "BroadcastGrad",
            "Constant",
            "Sign",
            "Reverse",
            "Add",
            "Sub",
            "Div",
            "Slice",
        ),
        *("Pad", "Scale", "Erf", "ErfGrad", "RankLoss", "RankLossGrad", "LogLoss", "LogLossGrad"),
        *("HingeLoss", "HingeLossGrad", "L1Norm", "L1NormGrad"),
    )
)
NAMES |= {name: NewName(f"phi::funcs::{name}", "funcs", _EIGEN_FUNCTIONS) for name in OF_EIGEN}


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
    "paddle/fluid/platform/bfloat16.h": "paddle/phi/common/bfloat16.h",
    "paddle/fluid/platform/complex.h": "paddle/phi/common/complex.h",
    "paddle/fluid/platform/place.h": "paddle/phi/common/place.h",
    "paddle/fluid/platform/hostdevice.h": _HOSTDEVICE,
    "paddle/phi/core/hostdevice.h": _HOSTDEVICE,
    "paddle/fluid/platform/device/gpu/gpu_info.h": "paddle/phi/backends/gpu/gpu_info.h",
    "paddle/fluid/framework/data_layout.h": _LAYOUT,
    "paddle/fluid/memory/malloc.h": _MEMORY,
    "paddle/fluid/memory/memcpy.h": _MEMORY,
    "paddle/fluid/operators/eigen/eigen_function.h": _EIGEN_FUNCTIONS,
    "paddle/fluid/operators/math/blas.h": "paddle/phi/kernels/funcs/blas/blas.h",
    "op_registry.h": KERNEL_REGISTRY,
    "operator.h": "",
    "enforce.h": "paddle/phi/core/enforce.h",
}


# The attributes that are no parameters of a kernel, whoever adds them.
NEVER_PARAMETERS = frozenset({"use_mkldnn", "use_cudnn"})

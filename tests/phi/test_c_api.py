"""Kernels that register through Paddle's C API: a class of the text makes the call in its constructor.

What Paddle itself says of such a file is asked in `tests/real/test_verify.py`.
"""

from __future__ import annotations

import pytest

from registry_runtime.phi import AttributeType, DataLayout, DataType
from registry_runtime.program import Initialisation, Program

KERNELS = """
typedef struct PD_KernelKey PD_KernelKey;
typedef struct PD_Kernel PD_Kernel;
namespace own {
template <typename T>
void Halve(const phi::Context& dev_ctx, const phi::DenseTensor& x,
           const paddle::optional<phi::DenseTensor>& mask, float by, phi::DataType as,
           const std::vector<int64_t>& axes, phi::DenseTensor* out, phi::DenseTensor* index) {}
template <typename T>
void Wrong(const phi::Context& dev_ctx, phi::DenseTensor& x, phi::DenseTensor* out) {}
template <typename T>
void Sparse(const phi::Context& dev_ctx, const phi::SelectedRows& x, phi::DenseTensor* out) {}
}
"""


def registration(
    name: str = "halve",
    function: str = "own::Halve",
    layout: str = "ALL_LAYOUT",
    dtypes: tuple[str, ...] = ("float", "double"),
    braces: str = "{}",
    first: str = "",
) -> str:
    """What PD_BUILD_PHI_KERNEL leaves of one; `first` stands first in the constructor."""
    fn, impl = (
        f"{function}<T>",
        f"phi::capi::CustomKernelImpl<decltype(&{function}<T>), &{function}<T>>",
    )
    listed = ", ".join(
        f"args.{kind}_args_type.size(), args.{kind}_args_type.data()"
        for kind in ("in", "attr", "out")
    )
    objects = "\n".join(
        f"static const Registers_{name}<{dtype}> {name}_{n};" for n, dtype in enumerate(dtypes)
    )
    wrapped = "const ::phi::capi::KernelKey& kernel_key, ::phi::capi::Kernel* kernel"
    return f"""
static void raw_{name}(const PD_KernelKey* key, PD_Kernel* kernel);
template <typename T> struct Registers_{name} {{
  Registers_{name}() {{
    {first}
    ::phi::capi::CustomKernelArgsParseFunctor<decltype(&{fn})> args;
    PD_RegisterPhiKernel("{name}", "my_npu", ::phi::capi::CppTypeToPDType<T>::Type(),
        PD_DataLayout::{layout}, {listed}, raw_{name}, ::{impl}::Compute,
        reinterpret_cast<void*>(&::{impl}::VariadicCompute));
  }}
}};
static void braces_{name}({wrapped});
{objects}
void raw_{name}(const PD_KernelKey* key, PD_Kernel* kernel) {{
  auto made = ::phi::capi::Kernel(kernel);
  braces_{name}(::phi::capi::KernelKey(const_cast<PD_KernelKey*>(key)), &made);
}}
void braces_{name}({wrapped}) {braces}
"""


def ran(*registrations: str) -> tuple[Program, Initialisation]:
    program = Program()
    return program, program.run(KERNELS + "".join(registrations), missing_headers=())


def only_message(*registrations: str) -> str:
    _, initialisation = ran(*registrations)
    assert not initialisation.registrations
    (found,) = initialisation.diagnostics
    assert found.severity == "error"
    return found.message


def test_a_kernel_is_in_the_factory_at_once() -> None:
    program, initialisation = ran(registration())
    assert not initialisation.diagnostics
    made = initialisation.phi.registrations
    assert [(r.kernel_name, str(r.key), r.function) for r in made] == [
        ("halve", "(my_npu, Undefined(AnyLayout), float32)", "own::Halve<float>"),
        ("halve", "(my_npu, Undefined(AnyLayout), float64)", "own::Halve<double>"),
    ]
    assert [*program.phi.factory.kernels["halve"]] == [r.key for r in made]
    assert not program.phi.custom_kernels.kernels
    assert "my_npu" in program.phi.custom_devices


def test_its_arguments_are_read_off_its_type() -> None:
    _, initialisation = ran(registration(layout="NHWC"))
    args_def = initialisation.phi.registrations[0].kernel.args_def
    assert [d.type_index for d in args_def.input_defs] == [
        "const phi::DenseTensor&",
        "const paddle::optional<phi::DenseTensor>&",
    ]
    assert {(d.layout, d.dtype) for d in args_def.input_defs + args_def.output_defs} == {
        (DataLayout.NHWC, DataType.FLOAT32)
    }
    assert [a.type_index for a in args_def.attribute_defs] == [
        AttributeType.FLOAT32,
        AttributeType.DATA_TYPE,
        AttributeType.INT64S,
    ]
    assert len(args_def.output_defs) == 2


def test_the_braces_change_what_it_expects() -> None:
    braces = """{
      if (kernel_key.dtype() == phi::DataType::FLOAT64)
        kernel->InputAt(1).SetDataType(phi::DataType::BOOL);
      kernel->OutputAt(1).SetDataType(phi::DataType::INT64).SetDataLayout(phi::DataLayout::NHWC);
    }"""
    _, initialisation = ran(registration(braces=braces))
    assert not initialisation.diagnostics
    single, double = initialisation.phi.registrations
    assert single.kernel.args_def.input_defs[1].dtype is DataType.FLOAT32
    assert double.kernel.args_def.input_defs[1].dtype is DataType.BOOL
    index = single.kernel.args_def.output_defs[1]
    assert (index.dtype, index.layout) == (DataType.INT64, DataLayout.NHWC)
    assert single.args_def_before.output_defs[1].dtype is DataType.FLOAT32
    text = KERNELS + registration(braces=braces)
    assert single.body is not None
    assert text[single.body.start : single.body.end].endswith(braces)


def test_a_kernel_that_nothing_declares_has_open_slots() -> None:
    program = Program()
    initialisation = program.run(KERNELS + registration(function="own::Elsewhere"))
    (found,) = initialisation.diagnostics
    assert found.severity == "warning"
    assert found.message.startswith("`own::Elsewhere` is not declared in this text")
    assert all(r.kernel.args_def.open_slot is not None for r in initialisation.phi.registrations)
    assert len(initialisation.phi.registrations) == 2


def test_the_second_of_a_key_replaces_the_first_and_comes_back_when_it_goes() -> None:
    program, first = ran(registration(dtypes=("float",)))
    (key,) = program.phi.factory.kernels["halve"]
    second = program.run(KERNELS + registration(dtypes=("float",)))
    assert [r.replaced for r in second.phi.registrations] == [True]
    program.take_back(second)
    kernel = program.phi.factory.kernels["halve"][key]
    assert kernel is first.phi.registrations[0].kernel


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"function": "own::Wrong"}, "`phi::DenseTensor& x`: a kernel can't have"),
        ({"function": "own::Sparse"}, "`const phi::SelectedRows& x`: a kernel can't have"),
        ({"dtypes": ("char*",)}, "Paddle's C API has no data type for `char*`"),
        ({"layout": "STRIDED"}, "DataLayout 5 is not supported."),
        ({"layout": "ONEDNN"}, "`PD_DataLayout` has no `ONEDNN`"),
        (
            {"braces": "{ kernel->InputAt(0).SetBackend(phi::Backend::CPU); }"},
            "`PD_TensorArgDef` has no member `SetBackend`",
        ),
        ({"braces": "{ kernel->InputAt(2).SetDataType(kernel_key.dtype()); }"}, "out of range"),
        (
            {"first": 'PD_RegisterOperator("halve", 0);'},
            "PD_RegisterOperator puts `halve` into Fluid's OpInfoMap through Paddle's C API",
        ),
    ],
)
def test_what_a_compiler_or_paddle_refuses_registers_nothing(
    options: dict[str, str], message: str
) -> None:
    assert message in only_message(registration(**options))


def test_a_class_that_nobody_makes_an_object_of_is_named() -> None:
    _, initialisation = ran(registration(dtypes=()))
    (found,) = initialisation.diagnostics
    assert (found.severity, initialisation.registrations) == ("warning", ())
    assert found.message == "`PD_RegisterPhiKernel` registers, and nothing comes of it here"

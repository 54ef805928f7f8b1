"""Stubs in C++ text: what DECLARE_DISPATCH, DEFINE_DISPATCH and the REGISTER_… macros leave."""

import pytest

from registry_runtime.aten.stub.cpu_capability import CPUCapability
from registry_runtime.program import Program
from tests.aten.texts import error, run

DECLARED = """
namespace at { namespace native {
using add_fn = void (*)(TensorIteratorBase&, const at::Scalar&);
struct add_stub_DECLARE_DISPATCH_type : DispatchStub<add_fn, add_stub_DECLARE_DISPATCH_type> {
  add_stub_DECLARE_DISPATCH_type() = default;
  ~add_stub_DECLARE_DISPATCH_type() = default;
};
extern struct add_stub_DECLARE_DISPATCH_type add_stub;
namespace { void add_kernel(TensorIteratorBase& iter, const at::Scalar& alpha) {} }
"""
TYPE = "add_stub_DECLARE_DISPATCH_type"


def slot(arch: str, value: str = "&add_kernel", of: str = TYPE) -> str:
    """`REGISTER_ARCH_DISPATCH(add_stub, arch, value)`, expanded."""
    return f"template <> {of}::FnPtr DispatchStub<{of}::FnPtr, struct {of}>::{arch} = {value};"


def registrar(device: str) -> str:
    """`REGISTER_CUDA_DISPATCH(add_stub, &add_kernel)`, expanded."""
    return (
        f"static Register{device}Dispatch<struct {TYPE}> add_stub__register(add_stub, &add_kernel);"
    )


def keys(program: Program) -> dict[str, str | None]:
    return {
        str(capability): kernel and kernel.function
        for capability, kernel in program.aten.stubs["add_stub"].slots.items()
    }


def test_each_compilation_fills_its_slot() -> None:
    program = Program()
    for arch in ("DEFAULT", "AVX2"):
        text = f"{DECLARED}{slot(arch)} }}}}"
        _, made, _ = run(text, program)
        (registration,) = made.registrations
        assert (registration.kernel_name, registration.key) == ("add_stub", f"CPU {arch}")
        assert text[registration.span.start : registration.span.end] == slot(arch)
        assert registration.body is not None
        assert text[registration.body.start :].startswith("void add_kernel(")
    assert keys(program) == {"DEFAULT": "at::native::add_kernel", "AVX2": "at::native::add_kernel"}


def test_a_slot_of_a_stub_that_nothing_declares_is_refused() -> None:
    text = f"{DECLARED}{slot('AVX2', of='add_fn_DECLARE_DISPATCH_type')} }}}}"
    made = Program().run(text, (), lambda word: False)
    assert not made.registrations
    (told,) = made.diagnostics
    assert "`add_fn_DECLARE_DISPATCH_type` is not known here" in told.message


def test_a_file_for_avx_512_registers_a_null_pointer() -> None:
    program, made, _ = run(
        f"{DECLARED}{slot('AVX512', '((void*)(&add_kernel) ? nullptr : nullptr)')} }}}}"
    )
    (registration,) = made.registrations
    assert (registration.key, registration.function) == ("CPU AVX512", "nullptr")
    assert keys(program) == {"AVX512": None}


def test_the_seeds_form_gives_class_and_object_one_name() -> None:
    declared = DECLARED.replace(TYPE, "add_stub")
    program, made, _ = run(
        f"{declared} struct add_stub add_stub; {slot('DEFAULT', of='add_stub')} }}}}"
    )
    assert made.diagnostics == ()
    assert keys(program) == {"DEFAULT": "at::native::add_kernel"}


@pytest.mark.parametrize(
    ("registered", "device", "pointer"),
    [
        ("CUDA", "CUDA", "cuda_dispatch_ptr"),
        ("HIP", "CUDA", "cuda_dispatch_ptr"),  # PyTorch's build for HIP calls itself CUDA
        ("MPS", "MPS", "mps_dispatch_ptr"),
        ("PRIVATEUSE1", "PrivateUse1", "privateuse1_dispatch_ptr"),
    ],
)
def test_other_devices_have_a_pointer_each(registered: str, device: str, pointer: str) -> None:
    program, made, _ = run(f"{DECLARED}{registrar(registered)} }}}}")
    assert [(r.kind, r.key) for r in made.registrations] == [("stub", device)]
    impl = program.aten.stubs["add_stub"].impl
    assert getattr(impl, pointer).function == "at::native::add_kernel"
    program.take_back(made)
    assert getattr(impl, pointer) is None


def test_slots_are_taken_back_in_any_order() -> None:
    program = Program()
    other = DECLARED.replace("add_kernel", "other_kernel")
    first = run(f"{DECLARED}{slot('AVX2')} }}}}", program)[1]
    second = run(f"{other}{slot('AVX2', '&other_kernel')} }}}}", program)[1]
    assert [r.replaced for r in (*first.registrations, *second.registrations)] == [False, True]
    program.take_back(first)
    assert keys(program) == {"AVX2": "at::native::other_kernel"}
    program.take_back(second)
    assert program.aten.stubs["add_stub"].slots == {}


def test_a_slot_that_no_stub_has_is_refused_at_its_name() -> None:
    message, place = error(f"{DECLARED}{slot('AVX3')} }}}}")
    assert (message, place) == ("a stub has no slot `AVX3`", "AVX3")
    assert "AVX2" in {str(capability) for capability in CPUCapability}

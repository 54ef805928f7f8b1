"""Expanded registrations, as the macros of PHI leave them."""

from registry_runtime.phi import Diagnostic, Initialisation, Runtime

BINARY = """
namespace phi {
template <typename T, typename Context>
void AddKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& y, DenseTensor* out) {
  AddFunctor<T> func;
}
}
"""


def registration(
    name: str = "add",
    function: str = "phi::AddKernel",
    dtypes: tuple[str, ...] = ("float", "int"),
    backend: str = "CPU",
    layout: str = "ALL_LAYOUT",
    braces: str = "{}",
    reg_type: str = "INNER",
    context: str = "",
) -> str:
    """What PD_REGISTER_KERNEL(name, backend, layout, function, dtypes...) braces expands to."""
    suffix = f"{name}_{backend}_{layout}"
    check = f"__test_global_namespace_PD_REGISTER_tp_kernel_ns_check_{suffix}__"
    braces_fn = f"__PD_KERNEL_args_def_FN_{suffix}"
    parameters = "const ::phi::KernelKey& kernel_key, ::phi::Kernel* kernel"
    context = context or f"::phi::{backend}Context"
    instances = [f"{function}<{dtype}, {context}>" for dtype in dtypes]
    lines = [
        f"struct {check} {{}}; static_assert(std::is_same<::{check}, {check}>::value,"
        ' "PD_REGISTER_KERNEL must be called in global namespace.");',
        *(f"template decltype({instance}) {instance};" for instance in instances),
        f"static void {braces_fn}({parameters});",
        *(
            registrar(f"__reg_phi_kernel_{suffix}_{index}", instance, f'"{name}", "{backend}"',
                      f"phi::DataLayout::{layout}", dtype, f"&{braces_fn}", reg_type)
            for index, (dtype, instance) in enumerate(zip(dtypes, instances, strict=True))
        ),
        f"int TouchKernelSymbolFor_{suffix}() {{ return 0; }}",
        f"void {braces_fn}({parameters}) {braces}",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def registrar(
    variable: str,
    instance: str,
    names: str,
    layout: str,
    dtype: str,
    args_def_fn: str,
    reg_type: str = "INNER",
) -> str:
    """One static object of type KernelRegistrar; for every data type if `dtype` is empty."""
    kernel_impl = f"::phi::KernelImpl<decltype(&{instance}), &{instance}>"
    arguments = [
        f"::phi::RegType::{reg_type}",
        names,
        layout,
        *([f"::phi::CppTypeToDataType<{dtype}>::Type()"] if dtype else []),
        f"::phi::KernelArgsParseFunctor<decltype(&{instance})>::Parse",
        args_def_fn,
        f"{kernel_impl}::Compute",
        f"reinterpret_cast<void*>(&{kernel_impl}::VariadicCompute)",
    ]
    return f"static const ::phi::KernelRegistrar {variable}({', '.join(arguments)});"


def run(text: str) -> Initialisation:
    """Run `text` in a new world that has no Python kernels."""
    return Runtime(find_kernel=lambda name: None).run(text)


def kernel_with(parameters: str, template: str = "typename T, typename Context") -> str:
    """The template phi::AddKernel with these parameters."""
    return f"namespace phi {{ template <{template}> void AddKernel({parameters}) {{}} }}\n"


def only_error(text: str) -> tuple[Diagnostic, str]:
    """The one diagnostic that running `text` gives, and the text that it points at."""
    (diagnostic,) = run(text).diagnostics
    assert diagnostic.severity == "error"
    return diagnostic, text[diagnostic.span.start : diagnostic.span.end]

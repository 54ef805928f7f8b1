"""Where kernels are kept, and how one is chosen.

`KernelFactory` is two maps deep: a name leads to all kernels of an operator, a key to one of them
(`paddle/phi/core/kernel_factory.cc`). Paddle's own registrations (INNER) write into it directly. Those
of a plug-in (OUTER) are loaded from a library while Paddle runs; they wait in `CustomKernelMap`
(`custom_kernel.cc`) until the framework takes them over, and may replace nothing.

In Paddle both are singletons. Here each runtime has its own, so that two opened files don't mix.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from registry_runtime.phi.backend import Backend
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.enforce import AlreadyExists, NotFound
from registry_runtime.phi.kernel import Kernel
from registry_runtime.phi.kernel_key import KernelKey

KernelKeyMap = dict[KernelKey, Kernel]
KernelNameMap = dict[str, KernelKeyMap]


def _ignore(sentence: str) -> None: ...


@dataclass(frozen=True, slots=True)
class KernelResult:
    """`phi::KernelResult`: the kernel that was selected, and what was conceded for it."""

    kernel: Kernel
    has_fallback_cpu: bool = False
    is_stride_kernel: bool = False


@dataclass
class KernelFactory:
    """`phi::KernelFactory`. The flags have Paddle's names and defaults (`FLAGS_…`)."""

    kernels: KernelNameMap = field(default_factory=dict)
    enable_api_kernel_fallback: bool = True
    use_stride_kernel: bool = True
    with_cuda: bool = False
    # What calls have resolved to, by kernel name and argument types; `phi.call.launch` fills it, and
    # whoever puts a kernel in empties it.
    launchers: dict[tuple[object, ...], Callable[..., Any]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def HasKernel(self, kernel_name: str, kernel_key: KernelKey) -> bool:
        """Whether there is a kernel for this key, or for its backend and dtype in any layout.

        Raises NotFound if no kernel of that name is registered at all.
        """
        kernels = self._kernels_named(kernel_name)
        return kernel_key in kernels or _in_any_layout(kernel_key) in kernels

    def SelectKernelOrThrowError(
        self,
        kernel_name: str,
        kernel_key: KernelKey,
        use_strided_kernel: bool = False,
        tell: Callable[[str], None] = _ignore,
    ) -> KernelResult:
        """The kernel to run for a call whose tensors gave `kernel_key`.

        The layout of the key does not count: kernels for any layout are looked for, or, if asked,
        one that can work on strided tensors first. Where another backend has no kernel, the CPU's
        is taken. Raises NotFound. `tell` hears of each place that was looked in.
        """
        kernels = self._kernels_named(kernel_name)
        tell(f"KernelFactory holds {_counted(len(kernels), 'kernel')} named {kernel_name}")

        def there(key: KernelKey, why: str = "") -> bool:
            tell(f"{why}{key} {'is' if key in kernels else 'is not'} registered")
            return key in kernels

        backend, dtype = kernel_key.backend, kernel_key.dtype
        if self.use_stride_kernel and use_strided_kernel:
            device = Backend.GPU if backend is Backend.GPUDNN else backend
            strided = KernelKey(device, DataLayout.STRIDED, dtype)
            if there(strided, "the call may be on strided tensors: "):
                return KernelResult(kernels[strided], is_stride_kernel=True)
        key = _in_any_layout(kernel_key)
        if key.layout is not kernel_key.layout:
            layout = kernel_key.layout
            tell(
                f"the call's layout {layout} does not count: kernels for any layout are looked for"
            )
        found = there(key)
        if not found and backend is Backend.GPUDNN and self.with_cuda:
            key = KernelKey(Backend.GPU, DataLayout.ALL_LAYOUT, dtype)
            found = there(key, "without a kernel of cuDNN's the GPU's is looked for: ")
        if found:
            return KernelResult(kernels[key])
        said = f"The kernel with key {key} of kernel `{kernel_name}` is not registered"
        if key.backend is Backend.CPU:
            tell("there is nothing to fall back to from the CPU")
            raise NotFound(f"{said}. {_what_there_is(kernels, key, kernel_name)}")
        if not self.enable_api_kernel_fallback:
            tell("FLAGS_enable_api_kernel_fallback is off")
            there_is = _what_there_is(kernels, key, kernel_name)
            raise NotFound(f"{said}. {there_is} {_FLAG_IS_OFF}")
        fallback = KernelKey(Backend.CPU, DataLayout.ALL_LAYOUT, dtype)
        if not there(fallback, "FLAGS_enable_api_kernel_fallback is on: "):
            raise NotFound(
                f"{said} and fail to fallback to CPU one. {_what_there_is(kernels, key, kernel_name)}"
            )
        return KernelResult(kernels[fallback], has_fallback_cpu=True)

    def SelectKernel(self, kernel_name: str, kernel_key: KernelKey) -> Kernel | None:
        """The kernel for this key, or for any layout; None where Paddle gives its empty kernel.

        Nothing falls back to another backend.
        """
        kernels = self.kernels.get(kernel_name, {})
        return kernels.get(kernel_key) or kernels.get(_in_any_layout(kernel_key))

    def HasCompatiblePhiKernel(self, op_type: str) -> bool:
        """Whether PHI can run Fluid's operator `op_type`; operators keep their names in PHI."""
        return op_type in self.kernels

    def _kernels_named(self, kernel_name: str) -> KernelKeyMap:
        kernels = self.kernels.get(kernel_name)
        if kernels is None:
            raise NotFound(f"The kernel `{kernel_name}` is not registered.")
        return kernels


_FLAG_IS_OFF = (
    "The current value of FLAGS_enable_api_kernel_fallback(bool, default true) is false. If you want "
    "to fallback this kernel to CPU one, please set the flag true before run again."
)


def has_strided_kernel(factory: KernelFactory, kernel_name: str) -> bool:
    """Whether a call asks for a kernel that takes strided tensors as they lie.

    In Paddle it is written into the code that is generated for each operator, which asks where such
    kernels are registered.
    """
    return any(k.layout is DataLayout.STRIDED for k in factory.kernels.get(kernel_name, ()))


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def remove(kernels: KernelNameMap, name: str, key: KernelKey) -> None:
    """Take a kernel out, and its name with the last one."""
    del kernels[name][key]
    if not kernels[name]:
        del kernels[name]


def _in_any_layout(key: KernelKey) -> KernelKey:
    return KernelKey(key.backend, DataLayout.ALL_LAYOUT, key.dtype)


def _what_there_is(kernels: KernelKeyMap, wanted: KernelKey, name: str) -> str:
    """`phi::KernelSelectionErrorMessage`. Paddle lists in no order; here it is that of registration."""
    on_backend = [key for key in kernels if key.backend == wanted.backend]
    if not on_backend:
        backends = ", ".join(dict.fromkeys(str(key.backend) for key in kernels))
        return (
            f"Selected wrong Backend `{wanted.backend}`. "
            f"Paddle support following Backends: {backends}."
        )
    if all(key.dtype != wanted.dtype for key in on_backend):
        dtypes = ", ".join(dict.fromkeys(str(key.dtype) for key in on_backend))
        return (
            f"Selected wrong DataType `{wanted.dtype}`. "
            f"Paddle support following DataTypes: {dtypes}."
        )
    listed: dict[str, list[str]] = {}
    for key in kernels:
        listed.setdefault(f"{key.backend}, {key.layout}", []).append(str(key.dtype))
    keys = "".join(f"({where}, [{', '.join(dtypes)}]); " for where, dtypes in listed.items())
    return f"Currently, paddle support following kernel keys of `{name}`: {{ {keys}}}."


@dataclass
class CustomKernelMap:
    """`phi::CustomKernelMap`: the plug-ins' kernels that the factory hasn't taken over yet."""

    kernels: KernelNameMap = field(default_factory=dict)

    def RegisterCustomKernel(self, name: str, key: KernelKey, kernel: Kernel) -> None:
        """Keep a kernel. Raises AlreadyExists if another plug-in brought one for that key."""
        self.check_is_new(name, key)
        self.kernels.setdefault(name, {})[key] = kernel

    def check_is_new(self, name: str, key: KernelKey) -> None:
        """Raise AlreadyExists if a plug-in brought a kernel for that key."""
        if key in self.kernels.get(name, {}):
            raise AlreadyExists(
                f"The custom kernel [{name}:{key}] already exists in CustomKernelMap",
                hint="a plug-in's kernel replaces no other: register each key once",
            )

    def RegisterCustomKernels(
        self, factory: KernelFactory, backend: Backend | None = None
    ) -> KernelNameMap:
        """Move every kernel, or those for one backend, into the factory; returns what was moved.

        Raises AlreadyExists at the first key that the factory has a kernel for.
        """
        moved: KernelNameMap = {}
        for name, kernels in self.kernels.items():
            for key, kernel in kernels.items():
                if backend not in (None, key.backend):
                    continue
                moved.setdefault(name, {})[key] = kernel
                if key in factory.kernels.get(name, {}):
                    raise AlreadyExists(
                        f"The kernel [{name}:{key}] already exists in Paddle",
                        hint="a custom kernel can't replace one of Paddle's",
                    )
        # Paddle moves them as it checks, and the exception ends the program. Here the program goes
        # on, so none is moved unless all can be.
        for name, kernels in moved.items():
            factory.kernels.setdefault(name, {}).update(kernels)
            for key in kernels:
                remove(self.kernels, name, key)
        factory.launchers.clear()
        return moved

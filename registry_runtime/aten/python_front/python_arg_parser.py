"""`PythonArgParser`: from a Python call to the one signature that fits it, and its arguments.

A function has several signatures: `add(2, x)` is the old way to write `add(x, alpha=2)`. They are
tried in order, the deprecated ones last, and the first that fits decides which overload is called.
If none does, the error depends on how many could have been meant: one gets a precise sentence,
several a listing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from registry_runtime.aten.errors import TypeTorchError
from registry_runtime.aten.python_front.function_signature import (
    NOT_GIVEN,
    FunctionSignature,
    Named,
)
from registry_runtime.aten.python_front.invalid_arguments import format_invalid_args, tp_name
from registry_runtime.aten.python_front.python_numbers import check_scalar, unpack_scalar
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.tensor import Tensor, wrapped_scalar_tensor


def _ignore(message: str) -> None: ...


@dataclass(frozen=True, slots=True)
class PythonArgs:
    """A call that fits: `idx` is the signature's number, `args` has one object a parameter.

    `overloaded_args` are the arguments whose classes want the call for themselves.
    """

    signature: FunctionSignature
    args: list[Any]
    overloaded_args: list[object]

    @property
    def idx(self) -> int:
        return self.signature.index

    def has_torch_function(self) -> bool:
        """Whether some argument's class takes the call over."""
        return bool(self.overloaded_args)

    def tensor(self, i: int) -> Tensor | None:
        """Argument `i` as a tensor, None for one that wasn't given. Nearly always it is one."""
        value = self.args[i]
        return value if type(value) is Tensor else self.tensor_slow(i)

    def tensor_slow(self, i: int) -> Tensor | None:
        """A number becomes a tensor without dimensions, marked as a wrapped number: so its dtype
        will not decide the result's. Raises TypeTorchError for anything else."""
        value = self.args[i]
        if value is NOT_GIVEN:
            return None
        if isinstance(value, Tensor):
            return value
        if not check_scalar(value):
            raise TypeTorchError(f"expected Tensor as argument {i}, but got {tp_name(value)}")
        return wrapped_scalar_tensor(unpack_scalar(value))

    def scalar(self, i: int) -> Scalar:
        """Argument `i` as a Scalar, the signature's default for one that wasn't given."""
        value = self.args[i]
        if value is NOT_GIVEN:
            default = self.signature.parameters[i].default_scalar
            assert default is not None
            return default
        return Scalar(value.item()) if isinstance(value, Tensor) else unpack_scalar(value)


class PythonArgParser:
    """`static PythonArgParser parser({…}, /*traceable=*/true);`, made from the signatures' texts.

    Raises TorchError for a text that is no signature.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        signatures = [FunctionSignature.parse(text, i) for i, text in enumerate(texts)]
        self.function_name = signatures[0].name
        self.signatures = sorted(signatures, key=lambda signature: signature.deprecated)

    def parse(
        self,
        self_: object,
        args: tuple[Any, ...],
        kwargs: Named | None,
        warn: Callable[[str], object] = _ignore,
    ) -> PythonArgs:
        """The signature that fits and what it binds; `warn` hears of a deprecated one.

        Raises TypeTorchError, in PyTorch's words.
        """
        for signature in self.signatures:
            bound = signature.bind(self_, args, kwargs)
            if bound is not None:
                if signature.deprecated:
                    warn(self.deprecation(signature))
                return PythonArgs(signature, *bound)
        raise self._error(self_, args, kwargs)

    def deprecation(self, signature: FunctionSignature) -> str:
        """What PyTorch warns of when a call fits that signature."""
        instead = "".join(f"\n\t{signature.name}{shown}" for shown in self._shown())
        if instead:
            instead = f"\nConsider using one of the following signatures instead:{instead}"
        name = signature.name
        return f"This overload of {name} is deprecated:\n\t{name}{signature}{instead}"

    def _error(self, self_: object, args: tuple[Any, ...], kwargs: Named | None) -> TypeTorchError:
        given = len(args) + len(kwargs or {})
        plausible = [
            signature
            for signature in self.signatures
            if signature.min_args <= given <= signature.max_args and not signature.hidden
        ]
        if len(self.signatures) == 1:
            plausible = self.signatures
        if len(plausible) == 1:
            plausible[0].explain(self_, args, kwargs)
        return TypeTorchError(
            format_invalid_args(args, kwargs, f"{self.function_name}()", self._shown())
        )

    def _shown(self) -> list[str]:
        return [str(signature) for signature in self.signatures if not signature.hidden]

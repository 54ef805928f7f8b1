"""Questions about the way from Python to an operator: who is asked to add, which signature fits, and
what becomes of a number.

`V + W` and `V += W` are sums of operands as `made_up_calls` has them; `SELF ARGUMENTS` is the call
`SELF.add(ARGUMENTS)`. Nothing is added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from visualizer.frameworks.answers import Answer, Place, Unanswerable
from visualizer.frameworks.aten import made_up_calls

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench


def _asks(bench: Workbench, place: Place, words: list[str]) -> str:
    """`asks V + W`: the tensor's method that Python calls."""
    from registry_runtime.aten.tensor.tensor import Tensor

    v, sign, w = words
    left = isinstance(made_up_calls.operand(v), Tensor)
    if not left and not isinstance(made_up_calls.operand(w), Tensor):
        raise Unanswerable(f"neither {v} nor {w} is a tensor")
    methods = {"+": "__add__" if left else "__radd__", "+=": "__iadd__" if left else "__radd__"}
    if sign not in methods:
        raise Unanswerable(f"a sum has + or +=, not {sign}")
    return methods[sign]


def _runs(bench: Workbench, place: Place, words: list[str]) -> str:
    """`runs V + W`: the C++ function behind that method, from the table."""
    from registry_runtime.aten.dispatch.dispatcher import Dispatcher
    from registry_runtime.aten.python_front import PythonFront

    method: Any = PythonFront(Dispatcher()).methods[_asks(bench, place, words)].ml_meth
    return str(method.__name__)


def _signature(bench: Workbench, place: Place, words: list[str]) -> str:
    """`signature SELF ARGUMENTS`: the number of the one that fits `SELF.add(ARGUMENTS)`, or the
    error."""
    from registry_runtime.aten.errors import TypeTorchError
    from registry_runtime.aten.python_front.python_arg_parser import PythonArgParser
    from registry_runtime.aten.python_front.variable_methods import ADD_SIGNATURES

    (self_, *given), named = (read := made_up_calls.read(words)).given, read.named
    try:
        return str(PythonArgParser(ADD_SIGNATURES).parse(self_, tuple(given), named).idx)
    except TypeTorchError as error:
        return error.message


def _wraps(bench: Workbench, place: Place, words: list[str]) -> str:
    """`wraps NUMBER`: the tensor that is made of it."""
    from registry_runtime.aten.python_front.python_numbers import check_scalar, unpack_scalar
    from registry_runtime.aten.tensor.tensor import wrapped_scalar_tensor

    value = made_up_calls.operand(words[0])
    if not check_scalar(value):
        raise Unanswerable(f"{words[0]} is no number")
    return made_up_calls.spelled(wrapped_scalar_tensor(unpack_scalar(value)))


ANSWERS: dict[str, Answer] = {
    "asks": _asks,
    "runs": _runs,
    "signature": _signature,
    "wraps": _wraps,
}
ARGUMENTS = {"asks": 3, "runs": 3, "wraps": 1}
AT_LEAST = {"signature": 2}

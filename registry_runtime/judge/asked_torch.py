"""Run by the python of an installed PyTorch, alone: what its dispatcher holds, and what it calls.

Nothing of Unfold's is imported here; the path of this file is all that the other python is given. On
stdin stands JSON: `load`, libraries to load, and `import`, a package to import, empty for none. Then
`call` names an operator, and `arguments` what it is called with, by the parameters' names, of a tensor
its `dtype`, `sizes` and the base64 of its `data`; without arguments, its schema is the answer. Or else
`namespaces` are those whose operators are wanted even where nothing changed, `*` for all. The answer is
one line of JSON on stdout: for every operator that is new, or whose registrations have changed by then,
the dump of both moments, and its computed table; the first is empty for one that is wanted whole.
Whatever else is printed goes to stderr.
"""

import base64
import ctypes
import importlib
import json
import os
import re
import statistics
import sys
import time
import warnings
from typing import Any

_RUNS = 15
NOTHING = "unfold_nothing::op"  # an operator without kernels, whose table is that of the fallbacks


def main() -> None:
    asked = json.load(sys.stdin)
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    import torch

    dispatcher: Any = torch._C
    library = torch.library.Library("unfold_nothing", "DEF")
    library.define("op(Tensor x) -> Tensor")
    before = dumps(dispatcher)
    fallbacks = dispatcher._dispatch_dump_table(NOTHING)
    for path in asked["load"]:
        try:
            torch.ops.load_library(path)
        except OSError as error:  # in its cause stands what is missing
            sys.exit(unloadable(str(error.__cause__ or error)))
    if asked["import"]:
        importlib.import_module(asked["import"])
    if asked["call"]:
        said = called(torch, asked["call"], asked["arguments"])
        print(json.dumps({"version": torch.__version__, **said}), file=answer, flush=True)
        os._exit(0)
    wanted = set(asked["namespaces"])
    operators = {}
    for name, dump in dumps(dispatcher).items():
        whole = bool(wanted & {name.partition("::")[0], "*"})
        was = "" if whole else before.get(name, "")
        if was != dump and name != NOTHING:
            table = dispatcher._dispatch_dump_table(name)
            operators[name] = {"before": was, "dump": dump, "table": table}
    said = {
        "version": torch.__version__,
        "operators": operators,
        "fallbacks": [fallbacks, dispatcher._dispatch_dump_table(NOTHING)],
    }
    print(json.dumps(said), file=answer, flush=True)
    os._exit(0)  # nothing is left to do, and a library's own end is not asked for


def unloadable(said: str) -> str:
    """Why a library can't be loaded: what it calls and nothing defines, as C++ spells that."""
    missing = re.search(r"undefined symbol: (\w+)", said)
    if missing is None:
        return said
    name = missing[1]
    demangle = ctypes.CDLL("libstdc++.so.6").__cxa_demangle
    demangle.restype = ctypes.c_char_p
    spelled: bytes | None = demangle(name.encode(), None, None, None)
    return (
        f"it calls {spelled.decode() if spelled else name}, which neither it nor PyTorch's libraries "
        "define: define it in the file"
    )


def called(torch: Any, name: str, arguments: Any) -> dict[str, Any]:
    """What the operator gives, and what its tensors hold afterwards; the median of some calls in
    seconds, where it writes into none of them."""
    namespace, _, rest = name.partition("::")
    short, _, overload = rest.partition(".")
    try:
        operator = getattr(getattr(torch.ops, namespace), short)
        operator = getattr(operator, overload or "default")
    except AttributeError:
        sys.exit(f"PyTorch {torch.__version__} has no operator {name}")
    schema = str(operator._schema)
    if arguments is None:
        return {"schema": schema}
    given = {k: tensor(torch, v) if isinstance(v, dict) else v for k, v in arguments.items()}
    result = operator(**given)
    seconds = []
    for _ in range(0 if operator._schema.is_mutable else _RUNS):
        begin = time.perf_counter()
        operator(**given)
        seconds.append(time.perf_counter() - begin)
    results = result if isinstance(result, (tuple, list)) else [result]
    return {
        "schema": schema,
        "results": [told(torch, one) for one in results if one is not None],
        "given": {k: told(torch, v) for k, v in given.items() if isinstance(v, torch.Tensor)},
        "seconds": statistics.median(seconds) if seconds else None,
    }


def tensor(torch: Any, value: dict[str, Any]) -> Any:
    data = bytearray(base64.b64decode(value["data"]))
    dtype = getattr(torch, value["dtype"])
    made = torch.frombuffer(data, dtype=dtype) if data else torch.empty(0, dtype=dtype)
    return made.reshape(value["sizes"])


def told(torch: Any, value: Any) -> Any:
    """A tensor as it came, or the text of anything else."""
    if not isinstance(value, torch.Tensor):
        return str(value)
    value = value.detach().cpu().resolve_conj().resolve_neg().contiguous()
    data = ctypes.string_at(value.data_ptr(), value.numel() * value.element_size())
    return {
        "dtype": str(value.dtype).removeprefix("torch."),
        "sizes": list(value.shape),
        "data": base64.b64encode(data).decode(),
    }


def dumps(dispatcher: Any) -> dict[str, str]:
    """Every operator that has a schema or a kernel, with its registrations."""
    return {
        name: dispatcher._dispatch_dump(name) for name in dispatcher._dispatch_get_all_op_names()
    }


if __name__ == "__main__":
    main()

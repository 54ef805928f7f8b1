"""Run by the python of an installed PyTorch, alone: what its dispatcher holds, and what it calls.

Nothing of Unfold's is imported here; the path of this file is all that the other python is given. On
stdin stands JSON: `load`, a library to load, or `import`, a package to import, each empty for none; and
`namespaces`, whose operators are wanted even where nothing changed, `*` for all. The answer is one line
of JSON on stdout: for every operator that is new, or whose registrations have changed by then, the dump
of both moments, and its computed table; the first is empty for one that is wanted whole. Whatever else
is printed goes to stderr.
"""

import importlib
import json
import os
import sys
import warnings
from typing import Any

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
    if asked["load"]:
        torch.ops.load_library(asked["load"])
    if asked["import"]:
        importlib.import_module(asked["import"])
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


def dumps(dispatcher: Any) -> dict[str, str]:
    """Every operator that has a schema or a kernel, with its registrations."""
    return {
        name: dispatcher._dispatch_dump(name) for name in dispatcher._dispatch_get_all_op_names()
    }


if __name__ == "__main__":
    main()

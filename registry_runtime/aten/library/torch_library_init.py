"""The static object that a registration macro leaves: its constructor is the registration.

Nobody calls `TORCH_LIBRARY`'s block. The macro makes a function of it, and an object that gets the
function's address; constructing the object, before `main()`, makes a library and runs the function on
it (`torch/library.h`).
"""

from __future__ import annotations

from collections.abc import Callable

from registry_runtime.aten.library.library import NOWHERE, Library
from registry_runtime.aten.library.registered import Registered
from registry_runtime.cxx import CxxError, CxxFunction, Lambda, Span, count_calls


class TorchLibraryInit:
    """`torch::detail::TorchLibraryInit`: makes a library and runs the macro's block on it.

    If the block throws, C++ destroys the library on the way out, and with it every handle. What a
    compiler would have refused is kept for `library.errors`, and the other statements are run.
    """

    def __init__(
        self,
        library: Library,
        function: Callable[..., object],
        at: Span = NOWHERE,
        passed: object = None,
    ) -> None:
        """`passed` is what the block talks to, if that isn't the library itself."""
        passed = library if passed is None else passed
        self.lib_, self.function = library, function
        if isinstance(function, Lambda):
            # The allow-list of a selective build leaves the key out: its block is never run.
            ns, key = library.ns_ or "_", str(library.dispatch_key_)
            library.registered.append(
                Registered(ns, key, "library", str(function), False, False, at)
            )
        try:
            if isinstance(function, CxxFunction):
                library.errors = function.run_each(passed)
            else:
                function(passed)
        except BaseException as error:
            library.reset()
            if isinstance(error, CxxError):
                self._count(error, 0)
            raise
        if library.errors:
            calls = {entry.call for entry in library.registered if entry.kind != "library"}
            self._count(library.errors[0], len(calls))

    def _count(self, error: CxxError, registered: int) -> None:
        """Say with the first error of a block how much of it is there."""
        if not isinstance(self.function, CxxFunction):
            return
        statements = count_calls(self.function, ("def", "impl", "fallback"))
        if statements > 1:
            counted = f"{registered} of the {statements} statements of this block registered"
            error.hint = f"{error.hint}; {counted}" if error.hint else counted

"""The static object that a registration macro leaves: its constructor is the registration.

Nobody calls `TORCH_LIBRARY`'s block. The macro makes a function of it, and an object that gets the
function's address; constructing the object, before `main()`, makes a library and runs the function on
it (`torch/library.h`).
"""

from __future__ import annotations

from collections.abc import Callable

from registry_runtime.aten.library.library import NOWHERE, Library
from registry_runtime.aten.library.registered import Registered
from registry_runtime.cxx import Lambda, Span


class TorchLibraryInit:
    """`torch::detail::TorchLibraryInit`: makes a library and runs the macro's block on it.

    If the block throws, C++ destroys the library on the way out, and with it every handle.
    """

    def __init__(
        self, library: Library, function: Callable[[Library], object], at: Span = NOWHERE
    ) -> None:
        self.lib_, self.function = library, function
        if isinstance(function, Lambda):
            # The allow-list of a selective build leaves the key out: its block is never run.
            ns, key = library.ns_ or "_", str(library.dispatch_key_)
            library.registered.append(
                Registered(ns, key, "library", str(function), False, False, at)
            )
        try:
            function(library)
        except BaseException:
            library.reset()
            raise

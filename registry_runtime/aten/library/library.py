"""`torch::Library`: what the block behind `TORCH_LIBRARY` talks to, and what it keeps.

A library has a kind, a namespace, maybe a dispatch key, and the file and line of its macro. Each
`m.def`, `m.impl` and `m.fallback` is checked against these and handed to the dispatcher, whose
answer is a handle. The handles are all that a library keeps: when it goes, they go, and what it
registered is gone too (`aten/src/ATen/core/library.cpp`, PyTorch 2.13).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from enum import IntEnum
from typing import NoReturn

from registry_runtime.aten.dispatch.alias_keys import get_runtime_dispatch_key_set
from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.dispatcher import RegistrationHandleRAII
from registry_runtime.aten.dispatch.operator_name import OperatorName
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.library.cpp_function import SIGNATURE_UNKNOWN, CppFunction
from registry_runtime.aten.library.registered import (
    Registered,
    RegistrationKind,
    Registrations,
    registrations_of,
)
from registry_runtime.aten.library.stand_ins import stood_in
from registry_runtime.aten.schema.function_schema import AliasAnalysisKind, FunctionSchema
from registry_runtime.aten.schema.function_schema_parser import parse_name, parse_schema_or_name
from registry_runtime.aten.schema.schema_lexer import SchemaError
from registry_runtime.aten.world import World
from registry_runtime.cxx import CxxError, CxxFunction, Span

NOWHERE = Span(0, 0)


class Kind(IntEnum):
    """`torch::Library::Kind`, printed as the macro that makes one."""

    DEF = 0
    IMPL = 1
    FRAGMENT = 2

    def __str__(self) -> str:
        suffix = "" if self is Kind.DEF else f"_{self.name}"
        return f"TORCH_LIBRARY{suffix}"


class RegisterOrVerify(IntEnum):
    """`torch::_RegisterOrVerify`: VERIFY only waits for what another library registers."""

    REGISTER = 0
    VERIFY = 1


class Library:
    """`torch::Library`. `registrars_` are its handles, `registered` what they stand for.

    Every method raises TorchError with PyTorch's sentence; `argument` counts the arguments of the
    C++ call.
    """

    def __init__(
        self,
        world: World,
        kind: Kind,
        ns: str,
        key: DispatchKey | None,
        file: str,
        line: int,
        at: Span = NOWHERE,
    ) -> None:
        self.world, self.kind_ = world, kind
        self.ns_ = None if ns == "_" else ns
        self.dispatch_key_ = None if key is DispatchKey.CatchAll else key
        self.file_, self.line_, self.at = file, line, at
        self.debug = ""  # what is told instead, if it isn't empty
        self.registrars_: list[RegistrationHandleRAII] = []
        self.registered: list[Registered] = []
        self.warnings: list[tuple[str, Span, str]] = []  # what is said, where, and what to know
        self.errors: Sequence[CxxError] = ()  # of statements that did nothing
        if kind is Kind.IMPL:
            return
        if self.ns_ is None and kind is Kind.DEF:
            raise TorchError("bad optional access", hint=_WILDCARD_DEF)
        if self.ns_ is None:
            self._fail(
                f"{kind}: cannot define {kind} with the wildcard namespace _ (every {kind} defines "
                "operators for a distinct namespace!) Did you mean to use TORCH_LIBRARY_IMPL "
                "instead?  "
            )
        if self.dispatch_key_ is not None:
            self._fail(f"!dispatch_key_.has_value() {_INTERNAL_ASSERT}")
        if kind is Kind.DEF:
            assert self.ns_ is not None
            handle = world.dispatcher.registerLibrary(self.ns_, self._debug())
            self.registrars_.append(handle)
            self.registered.append(Registered(self.ns_, str(kind), "library", "", True, False, at))

    def reset(self) -> None:
        """Drop the handles, the newest first: everything that this library registered is undone."""
        while self.registrars_:
            self.registrars_.pop().reset()

    # --- def -------------------------------------------------------------------------------------

    def def_(
        self,
        schema: str | FunctionSchema,
        function: CppFunction | None = None,
        tags: Sequence[str] = (),
        rv: RegisterOrVerify = RegisterOrVerify.REGISTER,
        at: Span = NOWHERE,
    ) -> Library:
        """`m.def(schema)`; `m.def(schema_or_name, f)` also registers `f` as its kernel.

        A name alone takes its schema from the function's C++ type.
        """
        parsed = self.schema_or_name(schema)
        if function is None:
            if isinstance(parsed, OperatorName):
                raise TorchError(
                    "Tried to parse a function schema but only the operator name was given",
                    argument=0,
                )
            self._def(parsed, tags, rv, at)
            return self
        if isinstance(parsed, OperatorName) and function.is_unread:
            name = self._resolve(str(parsed))
            unknown = Registered(str(name), "schema", "def", SIGNATURE_UNKNOWN, False, False, at)
            self.registered.append(unknown)
            self._register_impl(name, self._key_of(function), function, at)
            return self
        if isinstance(parsed, OperatorName):
            if function.schema is None:
                self._fail(
                    f'def("{parsed}"): Full schema string was not specified, and we couldn\'t infer '
                    "schema either.  Please explicitly provide a schema string.  "
                )
            inferred = function.schema.with_name(parsed)
            parsed = replace(inferred, alias_analysis=AliasAnalysisKind.CONSERVATIVE)
        name = self._def(parsed, tags, rv, at)
        self._register_impl(name, self._key_of(function), function, at)
        return self

    def schema_or_name(self, schema: str | FunctionSchema) -> FunctionSchema | OperatorName:
        """What the first argument of `def` is. Raises SchemaError."""
        if isinstance(schema, FunctionSchema):
            return schema
        with _about(0):
            parsed = parse_schema_or_name(schema, allow_typevars=False)
        if isinstance(parsed, OperatorName):
            return parsed
        return replace(parsed, alias_analysis=AliasAnalysisKind.FROM_SCHEMA)

    def _def(
        self, schema: FunctionSchema, tags: Sequence[str], rv: RegisterOrVerify, at: Span
    ) -> OperatorName:
        if self.kind_ is Kind.IMPL:
            self._fail(
                f'def("{schema.name}"): Cannot define an operator inside of a {self.kind_} block.  '
                "All def()s should be placed in the (unique) TORCH_LIBRARY block for their "
                "namespace.  "
            )
        assert self.ns_ is not None
        ns = schema.name.namespace()
        if ns is not None and ns != self.ns_:
            self._fail(
                f"Explicitly provided namespace ({ns}) in schema string does not match namespace "
                f"of enclosing {self.kind_} block ({self.ns_}).  Move this definition to the "
                "(unique) TORCH_LIBRARY block corresponding to this namespace (and consider "
                "deleting the namespace from your schema string.)  ",
                argument=0,
            )
        name = schema.name.in_namespace(self.ns_)
        schema = schema.with_name(name)
        dispatcher = self.world.dispatcher
        if rv is RegisterOrVerify.VERIFY:
            dispatcher.waitForDef(schema)
            return name
        with _about(0):
            self._note(
                name,
                lambda: dispatcher.registerDef(schema, self._debug(), tags),
                ("schema", "def", str(schema), True, False, at),
            )
        return name

    # --- impl ------------------------------------------------------------------------------------

    def impl(
        self,
        name: str,
        function: CppFunction,
        rv: RegisterOrVerify = RegisterOrVerify.REGISTER,
        at: Span = NOWHERE,
    ) -> Library:
        """`m.impl(name, f)`: a kernel for the library's key, or for the one that `f` names."""
        full_name = self._resolve(name)
        own, ours = function.dispatch_key, self.dispatch_key_
        if own is not None and ours is not None and own is not ours:
            self._fail(
                f'impl("{name}", ...): Explicitly provided dispatch key ({own}) is inconsistent '
                f"with the dispatch key of the enclosing {self.kind_} block ({ours}).  Please "
                f"declare a separate {self.kind_} block for this dispatch key and move your "
                "impl() there.  ",
                argument=1,
            )
        key = self._key_of(function)
        if rv is RegisterOrVerify.VERIFY:
            self.world.dispatcher.waitForImpl(full_name, key)
        else:
            self._register_impl(full_name, key, function, at)
        return self

    def _resolve(self, name: str) -> OperatorName:
        """The operator's full name: the library's namespace, unless it names the same itself."""
        with _about(0):
            parsed = parse_name(name)
        ns = parsed.namespace()
        if self.ns_ is None:  # PyTorch 2.13 reads an optional that is empty, and crashes
            raise TorchError(
                f'impl("{name}", ...): a {self.kind_} block for the namespace _ has no operators',
                argument=0,
                hint="only m.fallback(...) goes there; name the namespace in the macro",
            )
        if ns is not None and ns != self.ns_:
            self._fail(
                f'impl("{name}", ...): Explicitly provided namespace ({ns}) in operator name does '
                f"not match namespace of enclosing {self.kind_} block ({self.ns_}).  Move this "
                f"definition to the {self.kind_} block corresponding to this namespace (and "
                "consider deleting the namespace from your schema string.)  ",
                argument=0,
            )
        return parsed.in_namespace(self.ns_)

    def _register_impl(
        self, name: OperatorName, key: DispatchKey | None, function: CppFunction, at: Span
    ) -> None:
        dispatcher, kernel = self.world.dispatcher, function.func
        debug = self._debug()
        slot = DispatchKey.CompositeImplicitAutograd if key is None else key
        kind: RegistrationKind = "fallthrough" if kernel.isFallthrough() else "impl"
        runnable = kernel.runnable or kernel.isFallthrough()
        spelled = function.spelled or kind
        replaced = slot in self._registrations(name).kernels
        with _about(1):
            self._note(
                name,
                lambda: dispatcher.registerImpl(
                    name, key, kernel, function.cpp_signature, function.schema, debug
                ),
                (str(slot), kind, spelled, runnable, replaced, at),
                stood_in(kernel),
            )

    # --- fallback --------------------------------------------------------------------------------

    def fallback(self, function: CppFunction, at: Span = NOWHERE) -> Library:
        """`m.fallback(f)`: what is called for the library's key by operators without a kernel."""
        if self.kind_ is not Kind.IMPL:
            self._fail(
                f"fallback(...): Cannot define an operator inside of a {self.kind_} block.  Did "
                "you mean to call this function inside a TORCH_LIBRARY_IMPL block?  "
            )
        key = self._key_of(function)
        if key is None:
            self._fail(f"dispatch_key.has_value() {_INTERNAL_ASSERT}")
        if self.ns_ is not None:
            self._fail(
                "fallback(...): Fallback functions which apply to only a single namespace (you "
                f"specified {self.ns_}) are not supported.  If you intended to apply this fallback "
                "function globally, please define a separate block:\n\n"
                f"    TORCH_LIBRARY_IMPL(_, {key}, m) {{ m.fallback(...); }}\n\n"
            )
        kernel, debug = function.func, self._debug()
        for runtime_key in get_runtime_dispatch_key_set(key):
            fallbacks = self.world.fallbacks
            aborts = fallbacks.twice(runtime_key, kernel, self.file_, debug)
            self.registrars_.append(fallbacks.register(runtime_key, kernel, debug))
            if aborts is not None:
                message = f"an extension with this aborts when PyTorch loads it: {aborts}"
                self.warnings.append((message, at, "here it takes the place of PyTorch's own"))
        kind: RegistrationKind = "fallthrough" if kernel.isFallthrough() else "fallback"
        runnable = kernel.runnable or kernel.isFallthrough()
        spelled = kernel.function or kind
        entry = Registered("_", str(key), kind, spelled, runnable, False, at)
        self.registered.append(replace(entry, stood_in=stood_in(kernel)))
        return self

    # --- What they share -------------------------------------------------------------------------

    def _key_of(self, function: CppFunction) -> DispatchKey | None:
        return self.dispatch_key_ if function.dispatch_key is None else function.dispatch_key

    def _debug(self) -> str:
        return self.debug or f"registered at {self.file_}:{self.line_}"

    def _registrations(self, name: OperatorName) -> Registrations:
        return registrations_of(self.world.dispatcher, name)

    def _note(
        self,
        name: OperatorName,
        register: Callable[[], RegistrationHandleRAII],
        entry: tuple[str, RegistrationKind, str, bool, bool, Span],
        instead_of: CxxFunction | None = None,
    ) -> None:
        before, warned = self._registrations(name), len(self.world.warnings)
        self.registrars_.append(register())
        for message in self.world.warnings[warned:]:
            self.warnings.append((message, entry[-1], "what is registered last is called"))
        after = self._registrations(name)
        self.registered.append(Registered(str(name), *entry, before, after, instead_of))

    def _fail(self, message: str, argument: int | None = None) -> NoReturn:
        where = f"(Error occurred while processing {self.kind_} block at {self.file_}:{self.line_})"
        raise TorchError(message + where, argument=argument)


_WILDCARD_DEF = "the namespace _ stands for all; operators are defined in one of their own"
_INTERNAL_ASSERT = (
    'INTERNAL ASSERT FAILED at "aten/src/ATen/core/library.cpp", please report a bug to PyTorch. '
)


@contextmanager
def _about(argument: int) -> Iterator[None]:
    """What is refused inside is the fault of this argument of the C++ call."""
    try:
        yield
    except TorchError as error:
        if error.argument is None:
            error.argument = argument
        if isinstance(error, SchemaError) and not error.hint:
            rest = error.text[error.start :]
            error.hint = f"at `{rest}`" if rest.strip() else f"where `{error.text}` ends"
        raise

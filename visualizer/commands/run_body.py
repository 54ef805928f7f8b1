"""`unfold run NAME --body`: the text's own C++, compiled and run beside Python's kernel and NumPy."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from visualizer.commands.reporting import OK, complain, report
from visualizer.commands.terminal import tell, working
from visualizer.commands.trial import size_of, tell_trial
from visualizer.expansion.diagnostics import Diagnostic
from visualizer.expansion.source_files import display_path
from visualizer.expansion.tokens import Source as At

if TYPE_CHECKING:
    from registry_runtime.lab.phi.body_call import BodyCall
    from registry_runtime.native.compiler import CompilerFailed, Place
    from registry_runtime.native.crash import BodyFailed
    from registry_runtime.native.program import Source
    from registry_runtime.phi.kernel import Kernel
    from registry_runtime.phi.kernel_key import KernelKey
    from registry_runtime.phi.runtime import Runtime
    from visualizer.commands.own_data import OwnData
    from visualizer.workbench.bench import Workbench


def named_dims(text: str) -> tuple[str, tuple[int, ...]]:
    """`out=3x4`, of a command line."""
    from registry_runtime.lab.values import parse_shape

    name, equals, shape = text.partition("=")
    try:
        if equals:
            return name.strip(), parse_shape(shape)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    raise argparse.ArgumentTypeError(f"'{text}' names nothing: write out=3x4")


def run(
    runtime: Runtime,
    benches: Sequence[Workbench],
    arguments: argparse.Namespace,
    data: OwnData,
) -> int:
    """Exits 1 for what the compiler refuses, a body that gives no result, and with --check for one that
    NumPy disagrees with."""
    from registry_runtime.lab.phi import body as bodies
    from registry_runtime.lab.phi.selection import find_registered
    from registry_runtime.native.compiler import CompilerFailed
    from registry_runtime.native.crash import BodyFailed
    from registry_runtime.phi.kernel_template import KernelError
    from visualizer.personal import consent
    from visualizer.workbench.bodies import NoRuntime, registering, source_of
    from visualizer.workbench.machine_compiler import NoCompiler

    if reason := consent.why_not_here():
        return complain(reason)
    try:
        kernel = find_registered(runtime, arguments.kernel, arguments.backend, arguments.dtype)
        source = source_of(registering(benches, kernel))
        with working() as show:
            if arguments.asm:
                tell(_loops(kernel, source, arguments.asm, _shown(show, source)))
                return OK
            name, known = arguments.kernel, runtime.factory.kernels[arguments.kernel]
            key = next(key for key, held in known.items() if held is kernel)
            given = _given(kernel, key, arguments, data)  # before a minute of the compiler's
            progress = _shown(show, source)
            body = bodies.body_of(name, key, kernel, source, arguments.sanitize, progress)
            show(f"running {name}")
            trial = bodies.run(body, given, 0 if arguments.sanitize else bodies.RUNS)
    except (KernelError, NoCompiler, NoRuntime, OSError) as error:
        return complain(str(error))
    except CompilerFailed as error:
        return _complain_of(error)
    except BodyFailed as error:
        return _complain_at(error)
    return tell_trial(trial, arguments, ())


def _given(
    kernel: Kernel, key: KernelKey, arguments: argparse.Namespace, data: OwnData
) -> BodyCall:
    from registry_runtime.lab.phi.body import has_inputs_dims, parameters_of
    from registry_runtime.lab.phi.body_call import sample, typed
    from registry_runtime.phi.call.kernel_call import instance_of

    size, (_, parameters) = size_of(arguments), parameters_of(arguments.kernel, kernel)
    if kernel.runnable:
        return sample(instance_of(kernel), size, data.texts)
    outs, elementwise = _by_name(arguments.dims), has_inputs_dims(kernel, parameters, key.dtype)
    return typed(parameters, key.dtype, size, data.texts, outs, elementwise)


def _by_name(dims: Sequence[tuple[str, tuple[int, ...]]]) -> dict[str, tuple[int, ...]]:
    """What --dims said; a name that came several times is a list, `out[0]`, `out[1]` …"""
    from registry_runtime.lab.phi.body_call import several

    each: dict[str, list[tuple[int, ...]]] = {}
    for name, one in dims:
        each.setdefault(name, []).append(one)
    return {
        one: shape
        for name, shapes in each.items()
        for one, shape in zip(several(name, len(shapes)), shapes, strict=True)
    }


def _shown(show: Callable[[str], None], source: Source) -> Callable[[float], None]:
    name = source.compiler.rpartition("/")[2]
    return lambda seconds: show(f"{name} compiles {display_path(source.path)}, {seconds:.0f} s")


def _loops(
    kernel: Kernel, source: Source, how: str, progress: Callable[[float], None]
) -> Iterator[str]:
    """The hot loop of the body, and of the Python kernel below it."""
    from registry_runtime.kernels.machine_code import hot_loop
    from registry_runtime.lab.phi.body import code_of
    from registry_runtime.lab.phi.code import listing

    code = code_of(kernel, source, progress)
    loop = hot_loop(code)
    yield f"kernel  {kernel.function}, its C++ body"
    if how == "all" or loop is None:
        yield code
    else:
        width = f"registers of {loop.bits} bits" if loop.bits else "no vectors"
        yield f"loop    {loop.instructions} instructions, {width}; --asm all shows the others"
        yield ""
        yield loop.text
    if kernel.runnable:
        yield ""
        yield from listing(kernel, "all" if how == "all" else "loop")


def _complain_of(error: CompilerFailed) -> int:
    if not error.errors:
        return complain(f"the compiler refuses it, and nothing was run: {error}")
    first, *more = error.errors
    hint = f"and {len(more)} more errors" if more else ""
    through = tuple((name, _at(where)) for name, where in first.through if where != first.where)
    return report([Diagnostic("error", first.message, _at(first.where), hint, through)])


def _complain_at(error: BodyFailed) -> int:
    if error.where is None:
        return complain(str(error))
    return report([Diagnostic("error", str(error), _at(error.where))])


def _at(place: Place) -> At:
    return At(display_path(place.file), place.line, place.column)

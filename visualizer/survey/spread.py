"""Spreading a survey: over the cores of this machine, or over a Dask cluster.

Files are handed out in batches, so that handing out costs little, and the large ones first, so that
at the end nobody waits for the last. Processes are started afresh ("spawn"), not forked: a fork of a
program with threads can hang. Where no processes can be started, one does the work.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from multiprocessing.connection import wait

from visualizer.survey.one_file import FileResult, Task, survey_file, survey_files
from visualizer.survey.walk import Failure

_BATCHES_A_WORKER = 8
_LARGEST_BATCH = 32
_SAFE = "PYTHONSAFEPATH"
_WORTH_A_PROCESS = 400_000  # characters: about what is surveyed while a process starts


class SurveyError(Exception):
    """The survey as a whole cannot be made: no cluster there, a package missing."""


def cores() -> int:
    """How many processes can run at once."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def here(tasks: list[Task], jobs: int | None = None) -> Generator[FileResult]:
    """Results as they come, from this process or from `jobs` others; by default as the work needs."""
    work = sum(task.size for task in tasks)
    workers = jobs or min(cores(), 1 + work // _WORTH_A_PROCESS)
    if workers < 2 or len(tasks) < 2:
        yield from map(survey_file, tasks)
        return
    left = {task.name: task for task in tasks}
    try:
        with closing(_in_processes(tasks, workers)) as surveyed:
            for result in surveyed:
                del left[result.name]
                yield result
    except (BrokenProcessPool, OSError, ImportError):
        yield from map(survey_file, left.values())


def _in_processes(tasks: list[Task], workers: int) -> Generator[FileResult]:
    before = set(multiprocessing.active_children())
    spawn = multiprocessing.get_context("spawn")
    with _nothing_of_the_working_folder():
        executor = ProcessPoolExecutor(workers, spawn, initializer=_end_with_parent)
    try:
        with _interrupts_held_back(), _nothing_of_the_working_folder():
            futures = [executor.submit(survey_files, batch) for batch in _batches(tasks, workers)]
        for future in as_completed(futures):
            yield from future.result()
    except BaseException:  # Ctrl-C above all: nobody waits for the files at hand
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()
        raise
    finally:
        # Waited for in each case: a thread that is still closing the executor's pipes when Python
        # ends meets Python's own farewell to it, `_python_exit`, which writes to a closed one.
        executor.shutdown(cancel_futures=True)


def _end_with_parent() -> None:
    """A worker holds both ends of the pipe that it waits at, so it would wait there for ever for more
    from one that was killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _nothing_of_the_working_folder() -> Iterator[None]:
    """Processes that start in here, and the tracker that Python starts beside them, begin with
    `python -c "from multiprocessing…"`, which looks for it in the working folder first: a stranger's
    folder could have one."""
    before = os.environ.get(_SAFE)
    os.environ[_SAFE] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE]
        else:
            os.environ[_SAFE] = before


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Processes that start in here never see Ctrl-C, which a terminal sends to all of them: stopping
    is for the one that started them to say. Its own Ctrl-C arrives afterwards, also where another
    thread, such as a progress bar's, is the one that takes it: a process that is half started would
    find its orders cut short."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    came: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    takes_it = before is not None and threading.current_thread() is threading.main_thread()
    if takes_it:
        signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        if takes_it:
            signal.signal(signal.SIGINT, before)
        if came:
            signal.raise_signal(signal.SIGINT)


def over_dask(tasks: list[Task], scheduler: str) -> Generator[FileResult]:
    """The same by the workers of a Dask cluster. They need Unfold installed, and the same files under
    the same paths. Raises SurveyError where there is no such cluster."""
    try:
        from distributed import Client
        from distributed import as_completed as as_futures_complete
    except ImportError:
        raise SurveyError(
            "--scheduler needs the package distributed: pip install 'unfold[cluster]'"
        ) from None
    try:
        client = Client(scheduler, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        said = str(error) or "no answer"
        raise SurveyError(f"no Dask scheduler at {scheduler}: {said}") from None
    with client:
        workers = len(client.scheduler_info(n_workers=-1)["workers"])
        if not workers:
            raise SurveyError(f"the Dask scheduler at {scheduler} has no workers")
        batches = {
            client.submit(survey_files, batch, pure=False): batch
            for batch in _batches(tasks, workers)
        }
        try:
            for future in as_futures_complete(list(batches), loop=client.loop):
                trouble = future.exception()
                if trouble is None:
                    yield from future.result()
                    continue
                for task in batches[future]:  # a worker died of it, again and again
                    reason = f"the worker failed: {type(trouble).__name__}: {trouble}"
                    yield FileResult(task.name, (), Failure(task.name, 1, 1, reason))
        except BaseException:
            client.cancel(list(batches), force=True)
            raise


def _batches(tasks: list[Task], workers: int) -> list[list[Task]]:
    size = max(1, min(_LARGEST_BATCH, len(tasks) // (workers * _BATCHES_A_WORKER)))
    ordered = sorted(tasks, key=lambda task: -task.size)
    count = -(-len(ordered) // size)
    return [ordered[i::count] for i in range(count)]  # each with some large and some small

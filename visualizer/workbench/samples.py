"""Where the samples and the lessons are: in the source tree, or bundled into an installed package."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).resolve().parent.parent


def samples_folder() -> Path:
    """The folder `cpp_samples`."""
    bundled = _HERE / "bundled" / "cpp_samples"
    return bundled if bundled.is_dir() else _HERE.parent / "cpp_samples"


def lessons_folder() -> Path:
    """The folder `lessons`."""
    bundled = _HERE / "bundled" / "lessons"
    return bundled if bundled.is_dir() else _HERE.parent / "lessons"


def is_ours(path: Path) -> bool:
    """Whether it is a sample or a lesson's file: of this Unfold, or of a checkout elsewhere."""
    whole = path.resolve()
    return any(
        whole.is_relative_to(f.resolve()) for f in (samples_folder(), lessons_folder())
    ) or any(
        folder.name in ("cpp_samples", "lessons")
        and (folder.parent / "visualizer" / "workbench" / "samples.py").is_file()
        for folder in whole.parents
    )


def sample_files(framework: str | None = None) -> list[Path]:
    """Every sample source file; the one to start with comes first. Those of one framework, if it is
    named: `phi`, `aten`."""
    if framework is not None:
        return sorted((samples_folder() / framework).rglob("*.cc"))
    first = samples_folder() / "phi" / "bitwise_kernel.cc"
    return [first, *(f for f in sorted(samples_folder().rglob("*.cc")) if f != first)]


def files_of_one_program() -> list[Path]:
    """The samples that may be linked together. `between` holds operators halfway through a change, and
    stays out: before it they stand under the same names."""
    return [file for file in sample_files() if file.parent.name != "between"]

"""The blocks of TOML in a lesson: which commands there are, and which keys each one takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from visualizer.frameworks.aten.stub_questions import CAPABILITIES
from visualizer.learning import questions
from visualizer.learning.parts import Changeable, Exercise, Go, PagePart, Predict, Run
from visualizer.scene.pictures import OF_CALLS, PICTURES

Wrong = Callable[[str, str], None]


def _go(keys: dict[str, Any], wrong: Wrong) -> Go:
    _check_keys(keys, _GO, wrong)
    if "hide" in keys:
        keys["hide"] = tuple(keys["hide"])
    if keys.get("at") not in (None, "start", "end"):
        wrong("at", "at is 'start' or 'end'")
    look, _, line = keys.get("look", "").partition(":")
    if look == "source" and line.isdecimal():
        keys["look"], keys["seen"] = look, int(line)
    if keys.get("look") not in (None, *LOOKS):
        wrong("look", f"look is one of {', '.join(LOOKS)}, source:LINE")
    if "compiled" in keys and "file" not in keys:
        wrong("compiled", "compiled says how a file is opened: name the file")
    if "from" in keys and "file" not in keys:
        wrong("from", "from says who includes a file: name the file")
    if "pass" in keys and "from" not in keys:
        wrong("pass", "pass says which time a file is included: name who includes it with from")
    keys["main"], keys["nth_pass"] = keys.pop("from", None), keys.pop("pass", 1)
    if "told" in keys and "call" not in keys:
        wrong("told", "told says how far a call is told: name the call")
    pictures = OF_CALLS if "call" in keys else tuple(PICTURES)
    if keys.get("picture") not in (None, *pictures):
        wrong("picture", f"picture is one of {', '.join(pictures)}")
    if "picture" in keys:
        keys.setdefault("look", "card")
    if keys.get("compiled") not in (None, *CAPABILITIES):
        wrong("compiled", f"compiled is one of {', '.join(CAPABILITIES)}")
    return Go(**keys)


def _predict(keys: dict[str, Any], wrong: Wrong) -> Predict:
    _check_keys(keys, _PREDICT, wrong)
    _must_have(keys, ("ask", "truth"), wrong)
    if message := questions.unknown(keys["truth"]):
        wrong("truth", message)
    choices = tuple(map(str, keys.pop("choices", ())))
    for said in keys.get("consequences", ()):
        if said not in choices:
            wrong("consequences", f"'{said}' is not among the choices")
    return Predict(choices=choices, **{"name": keys["ask"], **keys})


def _change(keys: dict[str, Any], wrong: Wrong) -> Changeable:
    _check_keys(keys, _CHANGE, wrong)
    _must_have(keys, ("ask", "truth", "gives", "solution"), wrong)
    if ("text" in keys) == ("edits" in keys):
        wrong("text", "text is what the field begins with; or edits is, if it stands in the file")
    shows = tuple((label, truth) for label, truth in keys.pop("shows", {}).items())
    for _, truth in (*shows, ("", keys["truth"])):
        if message := questions.unknown(truth.replace("{}", keys["solution"])):
            wrong("truth", message)
    edits = keys.pop("edits", None)
    if edits is None and "{}" not in keys["truth"]:
        wrong("truth", "truth has {} where the text is to stand")
    given = {"name": keys["ask"], "text": edits, "is_in_file": edits is not None}
    return Changeable(shows=shows, **{**given, **keys})


def _run(keys: dict[str, Any], wrong: Wrong) -> Run:
    _check_keys(keys, {"kernel": str, "backend": str, "dtype": str, "size": int}, wrong)
    _must_have(keys, ("kernel",), wrong)
    return Run(**keys)


def _exercise(keys: dict[str, Any], wrong: Wrong) -> Exercise:
    known = {"file": str, "solution": str, "hints": list, "check": list, "name": str}
    _check_keys(keys, known, wrong)
    _must_have(keys, ("file", "check"), wrong)
    for check in keys["check"]:
        for key in check:
            if key not in questions.CHECKS:
                wrong(key, f"no check '{key}'; there are {', '.join(questions.CHECKS)}")
    checks, hints = tuple(keys.pop("check")), tuple(keys.pop("hints", ()))
    given = {"name": keys["file"], "solution": f"solution{Path(keys['file']).suffix}"}
    return Exercise(checks=checks, hints=hints, **{**given, **keys})


COMMANDS: dict[str, Callable[[dict[str, Any], Wrong], PagePart]] = {
    "go": _go,
    "predict": _predict,
    "change": _change,
    "run": _run,
    "exercise": _exercise,
}
_PREDICT: dict[str, type] = {
    **dict.fromkeys(("ask", "truth", "because", "name"), str),
    "choices": list,
    "consequences": dict,
}
_CHANGE: dict[str, type] = {
    **dict.fromkeys(("ask", "text", "edits", "truth", "gives", "solution"), str),
    **dict.fromkeys(("label", "call", "because", "name"), str),
    "shows": dict,
}
LOOKS = ("line", "card", "source", "registry", "tree", "entry")
_GO: dict[str, type] = {
    **dict.fromkeys(
        (
            "file",
            "from",
            "compiled",
            "macro",
            "before",
            "after",
            "replaced",
            "at",
            "look",
            "follow",
            "call",
            "told",
            "picture",
        ),
        str,
    ),
    **dict.fromkeys(("pass", "line", "nth", "step"), int),
    "coarse": bool,
    "hide": list,
}


def _check_keys(keys: dict[str, Any], known: Mapping[str, type], wrong: Wrong) -> None:
    for key, value in keys.items():
        if key not in known:
            wrong(key, f"no '{key}' here; there are {', '.join(known)}")
        if not isinstance(value, known[key]) or (known[key] is int and isinstance(value, bool)):
            wrong(key, f"{key} must be a {known[key].__name__}, not {value!r}")


def _must_have(keys: dict[str, Any], needed: tuple[str, ...], wrong: Wrong) -> None:
    for key in needed:
        if key not in keys:
            wrong("", f"'{key}' is missing")

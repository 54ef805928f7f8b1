"""`-p DIR`: a file's flags out of compile_commands.json, as a compiler and clangd understand them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shutil import which

import pytest
from compilers import INSTALLED, preprocessed_by

from visualizer.cli import main
from visualizer.expansion import InputError, Options, preprocess
from visualizer.expansion.compile_commands import compilations, flags_for, with_flags
from visualizer.workbench.flag_words import read_flags


@pytest.fixture
def database(tmp_path: Path) -> Callable[..., Path]:
    """Writes a database into a folder `build` beside the sources, and gives that folder."""
    build = tmp_path / "build"
    build.mkdir()

    def write(*entries: object, text: str | None = None) -> Path:
        (build / "compile_commands.json").write_text(text or json.dumps(entries))
        return build

    return write


def entry(tmp_path: Path, file: str, *words: str, command: str | None = None) -> dict[str, object]:
    said: dict[str, object] = {"directory": str(tmp_path / "build"), "file": str(tmp_path / file)}
    return said | ({"command": command} if command else {"arguments": ["cc", *words, file]})


FORMS = {
    "joined": "-DA=1 -UB -Iinc -isystemsys -std=c++20 -includepre.h",
    "separate": "-D A=1 -U B -I inc -isystem sys -std=c++20 -include pre.h",
    "long": "--define-macro=A=1 --undefine-macro B --include-directory=inc -isystem sys --std=c++20 "
    "--include=pre.h",
    "past other flags": "-c -o -Iwrong -MF -DWRONG -O2 -stdlib=libc++ -DA=1 -Wp,-UB,-MD,x.d -Xclang "
    "-Iinc -isystem sys -isysroot /sdk -std=c++11 -std=c++20 -include-pch x.pch -includepre.h "
    "-- -DWRONG",
}


@pytest.mark.parametrize("form", FORMS)
def test_flags_are_read_in_every_form(form: str, tmp_path: Path, database) -> None:
    build = database(entry(tmp_path, "a.cc", *FORMS[form].split()))
    flags = flags_for(build, tmp_path / "a.cc")
    assert flags.borrowed_from is None
    own = ("-O2", "-stdlib=libc++", "--sysroot=/sdk") if form == "past other flags" else ()
    assert replace(flags.options, cc="none", compiler_flags=(), database="", spelled=()) == Options(
        include_folders=(f"{build}/inc",),
        system_folders=(f"{build}/sys",),
        macros=(("D", "A=1"), ("U", "B")),
        forced_includes=("pre.h",),
        std="c++20",
    )
    assert flags.options.compiler_flags == own  # for the compiler to say what they define


def test_a_file_may_be_compiled_several_times(tmp_path: Path, database) -> None:
    """`-p` takes the first; the others are asked for."""
    levels = ["DEFAULT", "AVX512", "AVX2"]
    file = tmp_path / "build" / "loop.cc"
    once = [{"directory": ".", "file": "loop.cc", "arguments": ["c++", f"-DX={n}"]} for n in levels]
    build = database(entry(tmp_path, "a.cc", "-DA"), *once)
    macros = [flags.options.macros for flags in compilations(build, file)]
    assert macros == [(("D", f"X={level}"),) for level in levels]
    assert flags_for(build, file) == compilations(build, file)[0]
    (borrowed,) = compilations(build, tmp_path / "build" / "loop.h")
    assert borrowed.options.macros == (("D", "X=DEFAULT"),)
    assert borrowed.note("loop.h") is not None


def test_paths_start_from_the_entrys_directory(tmp_path: Path, database) -> None:
    (tmp_path / "build" / "pre.h").write_text("")
    build = database(
        {
            "directory": "../build",  # relative to the database's own folder
            "file": "../src/a.cc",
            "command": "cc -I. -I../include -I/abs -include pre.h -c ../src/a.cc",
        }
    )
    options = flags_for(build, tmp_path / "src" / "a.cc").options
    assert options.include_folders == (str(build), str(tmp_path / "include"), "/abs")
    assert options.forced_includes == (str(build / "pre.h"),)


def test_a_command_is_quoted_as_for_a_shell(tmp_path: Path, database) -> None:
    command = r"""ccache g++ -DS='"a b"' -DT=\"x\" "-I/with space" -D 'F(x)=x + 1' -c a.cc"""
    options = flags_for(
        database(entry(tmp_path, "a.cc", command=command)), tmp_path / "a.cc"
    ).options
    assert options.macros == (("D", 'S="a b"'), ("D", 'T="x"'), ("D", "F(x)=x + 1"))
    assert options.include_folders == ("/with space",)


def test_the_database_says_more_of_the_language_than_the_name(tmp_path: Path, database) -> None:
    (tmp_path / "a.c").write_text("__STDC_VERSION__")
    build = database(entry(tmp_path, "a.c", "-x", "c++"))
    for words, output in (([], "__STDC_VERSION__"), (["-x", "c"], "201710L")):
        flags = read_flags(["-p", str(build), "--cc", "none", *words])
        options, _ = flags.options_for(tmp_path / "a.c")
        assert [t.text for t in preprocess(tmp_path / "a.c", options).output] == [output]


def test_response_files_are_read(tmp_path: Path, database) -> None:
    build = database(entry(tmp_path, "a.cc", "@flags.rsp"))
    (build / "flags.rsp").write_text("-DA '-DB=1 2'\n-Iinc\n")
    options = flags_for(build, tmp_path / "a.cc").options
    assert options.macros == (("D", "A"), ("D", "B=1 2"))
    assert options.include_folders == (f"{build}/inc",)


@pytest.mark.parametrize(
    ("file", "words", "std"),
    [
        ("a.cc", [], "c++"),
        ("a.c", [], "c"),
        ("a.c", ["-std=gnu11"], "gnu11"),
        ("a.c", ["-std=c++11"], "c"),
        ("a.h", ["-x", "c"], "c"),
        ("a.h", ["-x", "none"], "c++"),
        ("a.cc", ["-std=c++99"], "c++"),
    ],
)
def test_the_language_is_that_of_the_compiler(
    file: str, words: list[str], std: str, tmp_path: Path, database
) -> None:
    build = database(entry(tmp_path, file, *words))
    assert flags_for(build, tmp_path / file).options.std == std


@pytest.mark.parametrize(
    ("file", "nearest"),
    [
        ("src/cpu/softmax.h", "src/cpu/softmax.cc"),
        ("src/cpu/new_kernel.cc", "src/cpu/softmax.cc"),
        ("src/gpu/new_kernel.cc", "src/gpu/relu.cc"),
        ("include/softmax_kernel.h", "src/cpu/softmax.cc"),
        ("src/cpu/other.c", "third_party/zlib.c"),
        ("README/none.cc", "src/gpu/relu.cc"),
    ],
)
def test_a_file_without_an_entry_takes_the_nearest_with_a_note(
    file: str, nearest: str, tmp_path: Path, database
) -> None:
    known = ["src/gpu/relu.cc", "src/cpu/softmax.cc", "third_party/zlib.c"]
    build = database(*(entry(tmp_path, f, f"-DWHOSE={f}") for f in known))
    flags = flags_for(build, tmp_path / file)
    assert flags.options.macros == (("D", f"WHOSE={nearest}"),)
    note = str(flags.note(tmp_path / file))
    assert f"{file}:1:1: warning: no entry in " in note
    assert note.endswith(f"{nearest})")


def test_of_several_entries_the_first_counts(tmp_path: Path, database) -> None:
    build = database(entry(tmp_path, "a.cc", "-DA"), entry(tmp_path, "a.cc", "-DB"))
    assert flags_for(build, tmp_path / "a.cc").options.macros == (("D", "A"),)


def test_a_database_that_was_written_again_is_read_again(tmp_path: Path, database) -> None:
    build = database(entry(tmp_path, "a.cc", "-DA"))
    assert flags_for(build, tmp_path / "a.cc").options.macros == (("D", "A"),)
    database(entry(tmp_path, "a.cc", "-DSOMETHING_ELSE"))
    assert flags_for(build, tmp_path / "a.cc").options.macros == (("D", "SOMETHING_ELSE"),)


DAMAGED = {
    "not JSON": ('[{"file": "a.cc",\n  "directory" "/"}]', "2:15: error: is not valid JSON"),
    "cut off": ('[{"file": "a.cc", "command": "cc"},', "1:36: error: is not valid JSON"),
    "not a list": ('{"file": "a.cc"}', "1:1: error: is not a list of entries"),
    "no entries": ("[]", "1:1: error: has no entries"),
    "no object": ('[\n "cc a.cc"]', "2:2: error: this entry is not an object"),
    "no file": ('[{"command": "cc a.cc"}]', "1:2: error: this entry names no file"),
    "no command": ('[\n\n  {"file": "a.cc"}]', "3:3: error: this entry has no command"),
    "bad quoting": (
        '[{"file": "a.cc", "command": "cc \'-DX"}]',
        "1:2: error: the command of this entry is badly quoted",
    ),
}


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_database_is_one_message_with_its_place(
    what: str, tmp_path: Path, database, capsys: pytest.CaptureFixture[str]
) -> None:
    text, said = DAMAGED[what]
    build = database(text=text)
    (tmp_path / "a.cc").write_text("int x;\n")
    assert main(["expand", str(tmp_path / "a.cc"), "-p", str(build)]) == 1
    error = capsys.readouterr().err
    assert f"compile_commands.json:{said}" in error
    assert error.count("\n") == 1


def test_a_missing_database_is_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.cc").write_text("int x;\n")
    for command in ("expand", "steps", "kernels"):
        assert main([command, str(tmp_path / "a.cc"), "-p", str(tmp_path)]) == 1
        error = capsys.readouterr().err
        assert "compile_commands.json:1:1: error: no such file" in error
        assert error.count("\n") == 1
    with pytest.raises(InputError, match="no such file"):
        flags_for(tmp_path, tmp_path / "a.cc")


def test_flags_of_the_command_line_come_after(tmp_path: Path, database) -> None:
    file = Options(include_folders=("a",), macros=(("D", "X=1"),), std="c++11")
    line = Options(include_folders=("b",), macros=(("D", "X=2"),), std="c++20")
    merged = with_flags(file, line)
    assert merged.include_folders == ("a", "b")
    assert merged.macros == (("D", "X=1"), ("D", "X=2"))
    assert merged.std == "c++20"
    assert with_flags(file, replace(line, std="")).std == "c++11"


def test_each_command_takes_each_files_own_flags(
    tmp_path: Path, database, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "x.h").write_text("#define X(n) n + Y\n")
    for name in ("a.cc", "b.cc"):
        (tmp_path / name).write_text('#include "x.h"\nX(1)\n')
    build = database(
        entry(tmp_path, "a.cc", "-I../inc", "-DY=aa"), entry(tmp_path, "b.cc", "-I../inc", "-DY=bb")
    )
    for name, value in (("a.cc", "aa"), ("b.cc", "bb")):
        assert main(["expand", "-P", str(tmp_path / name), "-p", str(build)]) == 0
        captured = capsys.readouterr()
        assert captured.out.split() == ["1", "+", value]
        assert captured.err == ""
    assert main(["steps", str(tmp_path / "a.cc"), "-p", str(build), "-D", "Y=cc"]) == 0
    assert "1 + cc" in capsys.readouterr().out
    (tmp_path / "new.cc").write_text('#include "x.h"\nX(1)\n')
    assert main(["expand", "-P", str(tmp_path / "new.cc"), "-p", str(build)]) == 0
    assert "warning: no entry in" in capsys.readouterr().err


def test_the_options_serve_the_engine(tmp_path: Path, database) -> None:
    (tmp_path / "a.c").write_text("__STDC_VERSION__ V\n")
    build = database(entry(tmp_path, "a.c", "-std=c11", "-DV=(1 + 1)"))
    trace = preprocess(tmp_path / "a.c", flags_for(build, tmp_path / "a.c").options)
    assert [t.text for t in trace.output] == ["201112L", "(", "1", "+", "1", ")"]


@pytest.mark.compiler
@pytest.mark.parametrize(
    "maps",
    [
        (),
        ("-fmacro-prefix-map=../=",),
        (
            "-fmacro-prefix-map=../inc=/usr/x",
            "-ffile-prefix-map=../i=/y/",
            "-fmacro-prefix-map=q=r",
        ),
        ("-fmacro-prefix-map=../=a", "-fmacro-prefix-map=../=b", "-fmacro-prefix-map=.=c=d"),
    ],
)
def test_files_are_spelled_as_in_the_entry(maps, tmp_path: Path, database, monkeypatch) -> None:
    """`__FILE__` is what the build's compiler has it for, wherever one stands: made of the entry's own
    words, which start from its folder."""
    for folder in ("inc/deep", "sys"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "inc" / "deep" / "a.h").write_text('__FILE__ __BASE_FILE__\n#include "b.h"\n')
    (tmp_path / "inc" / "deep" / "b.h").write_text("__FILE__\n")
    (tmp_path / "sys" / "s.h").write_text("__FILE__\n")
    (tmp_path / "pre.h").write_text("__FILE__\n")
    main = tmp_path / "main.cc"
    main.write_text("__FILE__ __BASE_FILE__\n#include <deep/a.h>\n#include <s.h>\n")
    words = ["-I../inc/", f"-isystem{tmp_path}/inc/../sys", "-include", "../pre.h", *maps]
    build = database(
        {"directory": ".", "file": "../main.cc", "arguments": ["c++", *words, "../main.cc"]}
    )
    for compiler in INSTALLED:
        monkeypatch.chdir(build)
        theirs = preprocessed_by(compiler, Path("../main.cc"), words)
        monkeypatch.chdir("/")
        options = replace(flags_for(build, main).options, cc=compiler)
        assert [t.text for t in preprocess(main, options).output] == theirs


def test_flags_that_nobody_is_asked_about_are_named_once(
    tmp_path: Path, monkeypatch, capsys
) -> None:
    """Not those that are for warnings, the linker, debugging; nor any that a compiler is asked with."""
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text("X\n")
    harmless = "-Wall -Werror=x -g3 -c -o a.o -MD -MF a.d -O2 -fPIC -fvisibility-inlines-hidden"
    harmless += " -pipe -L. -lm"
    strange = [
        "-fplugin=./evil.so",
        "-fstrange",
        "-fplugin=./evil.so",
        "-std=c++34",
        "-B",
        "x",
    ]
    words = ["cc", *harmless.split(), *strange, "-DX=1", "-fdiagnostics-color=always", "a.c"]
    entries = [{"directory": ".", "file": name, "arguments": words} for name in ("a.c", "b.c")]
    Path("compile_commands.json").write_text(json.dumps(entries))
    assert main(["expand", "-P", "a.c"]) == 0
    said = capsys.readouterr()
    assert said.out == "1\n"
    named = "-fplugin=./evil.so, -fstrange, -std=c++34 and -B x"
    assert said.err.startswith(f"compile_commands.json:1:1: warning: 4 flags passed over: {named}")
    Path("b.c").write_text("Y\n")
    assert main(["kernels", "a.c", "b.c", "a.c"]) == 0
    assert capsys.readouterr().err.count("flags passed over") == 1
    words = ["cc", *(f"-fstrange-{n}" for n in range(100)), "a.c"]
    Path("compile_commands.json").write_text(json.dumps([{**entries[0], "arguments": words}]))
    assert main(["expand", "-P", "-p", ".", "a.c"]) == 0
    error = capsys.readouterr().err
    assert "100 flags passed over: -fstrange-0, " in error
    assert "and 95 more" in error
    words = ["cc", *harmless.split(), "a.c"]
    Path("compile_commands.json").write_text(json.dumps([{**entries[0], "arguments": words}]))
    assert main(["expand", "-P", "a.c"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.compiler
@pytest.mark.parametrize(
    "words", ["-c a.c", "-std=c11 -c a.c", "-std=c++14 -c a.c", "-x c++ -c a.c"]
)
@pytest.mark.parametrize("driver", ["gcc", "g++", "armcc"])
@pytest.mark.parametrize("typed", [c for c in ("gcc", "g++", "clang", "clang++") if which(c)])
def test_a_compiler_that_is_typed_reads_the_entry_as_its_own(
    typed: str, driver: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In its own language too: g++ takes a `.c` for C++, unless `-x` says otherwise."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.c").write_text("__cplusplus __STDC_VERSION__ __clang__\n")
    entry = {"directory": str(tmp_path), "file": "a.c", "command": f"{driver} {words}"}
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
    options, note = read_flags(["--cc", typed]).options_for("a.c")
    assert note is None
    command = [typed, *words.split(), "-w", "-E", "-P"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if (
        done.returncode
    ):  # clang has an error for a standard of the other language; gcc passes it over
        done = subprocess.run(
            [typed, "-E", "-P", "a.c"], capture_output=True, text=True, check=True
        )
    theirs = [line for line in done.stdout.splitlines() if line]
    assert [t.text for t in preprocess("a.c", options).output] == theirs[-1].split()


@pytest.mark.compiler
@pytest.mark.parametrize("compiler", INSTALLED)
@pytest.mark.parametrize(
    "words",
    ["-std=c++17 a.c", "-std=c99 -std=c++17 a.c", "-std=c++17 -std=c99 a.c", "-std=c99 a.cc"],
)
def test_a_standard_of_the_other_language_is_named_or_refused_as_its_compiler_does(
    words: str, compiler: str, tmp_path: Path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    command, name = f"{compiler} {words}", words.split()[-1]
    Path(name).write_text("__STDC_VERSION__\n__cplusplus\n")
    entry = {"directory": ".", "file": name, "command": command}
    Path("compile_commands.json").write_text(json.dumps([entry]))
    theirs = subprocess.run(
        [*command.split(), "-E", "-P"], capture_output=True, text=True, check=False
    )
    for database in ([], ["-p", "."]):
        assert main(["expand", "-P", *database, name]) == theirs.returncode
        said = capsys.readouterr()
        assert said.out.split() == theirs.stdout.split()
        assert ("-std=" in theirs.stderr) == ("-std=" in said.err)

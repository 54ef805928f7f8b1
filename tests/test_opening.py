"""How a file is opened, as words of a command line and back."""

import shlex

import pytest

from visualizer.commands.command_line import parser as command_line
from visualizer.expansion import InputError
from visualizer.workbench.flag_words import FlagError, flags_in, read_flags, split_flags

LINES = [
    "",
    "-I include -isystem /sys -D A -D 'B=1 2' -U A -include x.h",
    "--std c23 --cc none --dialect msvc-traditional",
    "-p build --cc clang",
    "--paddle --torch",
    "-x c++",
    "-D F(x)=x",
    "--from x.c --pass 2",
]


@pytest.mark.parametrize("line", LINES)
def test_the_command_line_and_its_words_anywhere_else_make_the_same_flags(line):
    arguments = command_line().parse_args(["open", "k.cc", *shlex.split(line)])
    flags = flags_in(arguments)
    assert read_flags(shlex.split(line)) == flags
    assert read_flags(flags.words()) == flags
    assert read_flags(split_flags(flags.text())) == flags


def test_typed_flags_make_the_options_of_the_command_line(tmp_path):
    flags = read_flags(split_flags("-I a -DX=1 --std=c17 --cc none"))
    options, note = flags.options_for(tmp_path / "k.cc")
    assert options.include_folders == ("a",)
    assert options.macros == (("D", "X=1"),)
    assert (options.std, options.cc, note) == ("c17", "none", None)


def test_two_flags_that_ask_for_c_and_for_cxx_are_refused():
    flags = read_flags(split_flags("-x c --std c++17"))
    with pytest.raises(InputError, match=r"-x c and --std c\+\+17 contradict each other"):
        flags.options()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("-I", "expected one argument"),
        ("kernel.cc", "unrecognized arguments: kernel.cc"),
        ("--help", "unrecognized arguments: --help"),
        ("--cc tcc", "'tcc' is not the name of a gcc or clang"),
        ("-D 'X", "no closing quotation"),
        ("-x fortran", "invalid choice: 'fortran'"),
    ],
)
def test_words_that_are_no_flags_are_refused_and_end_no_process(capsys, line, message):
    with pytest.raises(FlagError, match=message):
        read_flags(split_flags(line))
    assert capsys.readouterr() == ("", "")

"""How a file is opened, as words of a command line and back."""

import shlex

import pytest

from visualizer.commands.command_line import parser as command_line
from visualizer.expansion import InputError
from visualizer.workbench.opening import FlagError, Opening, flags_in, options_of, split_flags

LINES = [
    "",
    "-I include -isystem /sys -D A -D 'B=1 2' -U A -include x.h",
    "--std c23 --cc none --dialect msvc-traditional",
    "-p build --cc clang",
    "--paddle --torch",
    "-x c++",
    "-D F(x)=x",
]


@pytest.mark.parametrize("line", LINES)
def test_parsed_arguments_become_words_that_parse_to_the_same(line):
    parser = command_line()
    arguments = parser.parse_args(["open", "k.cc", *shlex.split(line)])
    words = flags_in(arguments)
    assert vars(parser.parse_args(["open", "k.cc", *words])) == vars(arguments)
    assert split_flags(Opening(arguments.file[0], flags=words).flags_text()) == words


def test_typed_flags_make_the_options_of_the_command_line(tmp_path):
    flags = split_flags("-I a -DX=1 --std=c17 --cc none")
    options, note = options_of(Opening(tmp_path / "k.cc", flags=flags))
    assert options.include_folders == ("a",)
    assert options.macros == (("D", "X=1"),)
    assert (options.std, options.cc, note) == ("c17", "none", None)


def test_two_flags_that_ask_for_c_and_for_cxx_are_refused(tmp_path):
    opening = Opening(tmp_path / "k.c", flags=split_flags("-x c --std c++17"))
    with pytest.raises(InputError, match=r"-x c and --std c\+\+17 contradict each other"):
        options_of(opening)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("-I", "expected one argument"),
        ("kernel.cc", "unrecognized arguments: kernel.cc"),
        ("--help", "unrecognized arguments: --help"),
        ("--cc tcc", "invalid choice: 'tcc'"),
        ("-D 'X", "no closing quotation"),
        ("-x fortran", "invalid choice: 'fortran'"),
    ],
)
def test_words_that_are_no_flags_are_refused_and_end_no_process(tmp_path, capsys, line, message):
    with pytest.raises(FlagError, match=message):
        options_of(Opening(tmp_path / "k.cc", flags=split_flags(line)))
    assert capsys.readouterr() == ("", "")

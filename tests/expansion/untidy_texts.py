"""Writes texts at random whose layout is hard to read: comments, splices, raw strings, quotes and
directives in each other's way, with a macro now and then, its arguments over several lines.

For comparing what is read line by line with what is read token by token, and both with compilers.
"""

from __future__ import annotations

from random import Random

HEAD = """\
#define OBJ 1
#define F(x) [x]
#define G(...) F(__VA_ARGS__) F
#define CAT(a, b) a##b
#define STR(x) #x
#define suffix "s"
#define COUNT __COUNTER__ __LINE__
"""
PIECES = (
    *("int x;", "OBJ", "F(1)", "F", "G(2)", "(3)", "F(\n", ")", "CAT(O, BJ)", "STR(a  b)"),
    *("COUNT", "__LINE__", "__COUNTER__", "__FILE__", '"OBJ  two"', "'F'", "' '", "L'\"'"),
    *('u8"/*"', '"//"', '"a"suffix', '"a" suffix', "'x'y", "1'000'000", "0x1p-3", "1.e+F"),
    *(".5", "..", "...", "....", "->*", "<::", "<:", "%:", "a+ +b", "+ ++", "/* OBJ */"),
    *("/* two\n   lines */", "/* * / ** */", "// OBJ", "// on \\\nOBJ", "spl\\\nice"),
    *('"sp\\\nlit"', "O\\\nBJ", "\t", "  ", "\x0c", "\n", "\n", "\n", "\n"),
    *('R"(OBJ\n#define no\n/* )"', 'R"x(")")x"', 'uR"(a)"', 'xR"(b)"', "\\", "@", "`", "$d"),
    *("café", "§", '_Pragma("push_macro(\\"OBJ\\")")', '_Pragma("pop_macro(\\"OBJ\\")")'),
    *("\\u00e9x", '_Pragma("once")', "__VA_ARGS__", "std::vector<int> v;", "{", "}", ";"),
    *(",", "a.b", "a . b"),
)
LINES = (
    *("#define OBJ 2", "#undef OBJ", "#define F(x) {x}", "# define OBJ /* c */ 3 // d", "#"),
    *("#if OBJ == 1", "#if defined F && 1", "#ifdef OBJ", "#ifndef OBJ // why", "#else"),
    *("#endif", "#elif OBJ", "#else junk", "#if 0\ndon't 'read\n#endif", "#line 70"),
    *('#line 9 "other.c"', "#pragma x", '#pragma push_macro("OBJ")'),
    *('#pragma pop_macro("OBJ")', "#define S 'open", '#ident "i"', "#define TWO a \\\n  OBJ"),
    *("#define LATE OBJ", "LATE", "#pragma GCC poison bad", "bad", "%:undef F"),
    *("/* c */ #define C 1", '#warning "w"', '#define OBJ "a"suffix', "(4)", "( 5"),
    *("#define bad @"),
)


def untidy_text(random: Random) -> str:
    """A translation unit of C++."""
    lines = [HEAD]
    for _ in range(random.randint(1, 12)):
        if random.random() < 0.4:
            lines.append(random.choice(LINES) + "\n")
        else:
            pieces = random.choices(PIECES, k=random.randint(1, 6))
            lines.append(random.choice(("", " ")).join(pieces) + random.choice(("\n", "\n\n", "")))
    return "".join(lines)

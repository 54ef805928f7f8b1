"""Random C++ functions in the part of the language that bodies are read in, for `judge`.

Each is a function of no arguments that ends, and nearly all are well-formed. Most have a value that
C++ defines; where one overflows a signed integer, divides by zero, reads what has no value or leaves
the order open, the interpreter has to refuse it. `mutations` makes ill-formed ones of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random

from tests.cxx.mutations import mutated

INTEGERS = (
    *("int", "unsigned", "int64_t", "size_t", "int8_t", "uint8_t", "short", "uint16_t", "uint32_t"),
    *("long", "long long", "unsigned long long", "char", "signed char", "unsigned char", "bool"),
    *("int32_t", "uint64_t", "unsigned long"),
)
FLOATS = ("float", "double")


@dataclass
class _Variable:
    name: str
    is_float: bool
    is_const: bool = False
    is_bool: bool = False


@dataclass(frozen=True)
class _Enumeration:
    """Its name, its enumerators, and what stands before one of these."""

    name: str
    enumerators: tuple[str, ...]
    before: str = ""

    def one(self, random: Random) -> str:
        return f"{self.before}{random.choice(self.enumerators)}"


@dataclass
class _Body:
    """One function's body as it is written: its lines, and the variables that are in scope."""

    random: Random
    lines: list[str] = field(default_factory=list)
    variables: list[_Variable] = field(default_factory=list)
    vectors: list[tuple[str, bool, int]] = field(default_factory=list)  # name, floats, length
    lambdas: list[tuple[str, int, bool]] = field(default_factory=list)  # name, arguments, float
    changing: list[tuple[str, str]] = field(default_factory=list)  # name, the type that it changes
    of_vectors: list[tuple[str, bool]] = field(default_factory=list)  # name, float
    made: list[tuple[str, str]] = field(default_factory=list)  # name, of which elements
    enums: list[_Enumeration] = field(default_factory=list)
    structs: list[tuple[str, list[tuple[str, str]], bool]] = field(
        default_factory=list
    )  # name, members, has functions
    loops: int = 0
    named: int = 0
    depth: int = 0

    def name(self, letter: str) -> str:
        self.named += 1
        return f"{letter}{self.named}"

    def add(self, line: str) -> None:
        self.lines.append("  " * (self.depth + 1) + line)


def function(random: Random, name: str) -> str:
    """A function of this name, with a helper that it calls."""
    helper, returns = f"{name}_helper", _type(random)
    body = _Body(random)
    body.variables += (_Variable("p", True), _Variable("q", False))
    first, second, helped = random.choice(FLOATS), random.choice(INTEGERS), _type(random)
    text = f"{helped} {helper}({first} p, const {second}& q) {{ return {_any(body)}; }}\n"
    body.variables.clear()
    body.lambdas.append((helper, 2, helped in FLOATS))
    if random.random() < 0.5:
        text += _other_helper(body, f"{name}_other")
    for _ in range(random.randint(2, 6)):
        _statement(body)
    kind = random.randrange(8)
    if kind == 0 and body.vectors:
        vector = random.choice(body.vectors)[0]
        body.add(f"return {vector}[{vector}.size() - 1];")
        returns = "auto"
    else:
        body.add(f"return {_any(body)};")
        returns = "auto" if kind == 1 else returns
    lines = "\n".join(body.lines)
    judged = f"{returns} {name}() {{\n{lines}\n}}\n"
    return text + (mutated(random, judged) if random.random() < 0.25 else judged)


def _other_helper(body: _Body, name: str) -> str:
    """A function of a form that not every helper has, and what calls it."""
    random = body.random
    of, given = _type(random), _type(random)
    inner = _Body(random, variables=[_Variable("a", of in FLOATS), _Variable("b", given in FLOATS)])
    value = _any(inner)
    head = f"template <typename T> T {name}"
    match random.randrange(14):
        case 0:  # what the call leaves out
            body.lambdas.append((name, 1, of in FLOATS))
            return f"{of} {name}({of} a, {given} b = {_literal(random, False)}) {{ return {value}; }}\n"
        case 1:  # the type behind it
            body.lambdas.append((name, 2, of in FLOATS))
            return f"auto {name}({given} b, {of} a) -> {of} {{ return {value}; }}\n"
        case 2:
            body.lambdas.append((name, 2, of in FLOATS))
            return (
                f"auto {name}({of} a, {given} b) {{ return {_expression(inner, of in FLOATS)}; }}\n"
            )
        case 3:  # what it is given is changed
            body.changing.append((name, of))
            return f"{of}& {name}({of}& a, const {given}& b) {{ a = {value}; return a; }}\n"
        case 4:
            body.changing.append((name, of))
            return f"void {name}({of}& a, {given} b) {{ b = {value}; a = b; }}\n"
        case 5:
            body.lambdas += [(f"{name}<{of}>", 2, of in FLOATS), (name, 1, random.random() < 0.5)]
            return (
                f"{head}(T a, T b = T(2)) {{ return {random.choice(('a + b', 'a * b', 'b'))}; }}\n"
            )
        case 6:
            body.lambdas.append((name, 1, of in FLOATS))
            back = f"{name}(n - 1)" if random.random() < 0.5 else f"n - 1 + {name}(n / 2)"
            return f"{of} {name}(int n) {{ return n < 1 ? {_literal(random, False)} : {back}; }}\n"
        case 7:  # what it counts stays
            body.lambdas.append((name, 1, of in FLOATS))
            return f"{of} {name}({given} b) {{ static {of} a = 3; a += b; return a; }}\n"
        case 8:
            body.of_vectors.append((name, of in FLOATS))
            taken = random.choice(("", "&"))
            value = "{ v.push_back(3); return v[0] + v.size(); }"
            return f"{of} {name}(std::vector<int>{taken} v) {value}\n"
        case 9:
            of = "int" if of == "bool" else of
            body.made.append((name, of))
            listed = f"for (int i = 0; i < n; ++i) v.push_back({_any(_Body(random))});"
            return (
                f"std::vector<{of}> {name}(int n) {{ std::vector<{of}> v; {listed} return v; }}\n"
            )
        case 10:
            body.lambdas.append((name, 1, of in FLOATS))
            cases = (
                f"case 1: return {_literal(random, False)}; case 2: n += 3; break; default: n = 7;"
            )
            return f"{of} {name}(unsigned n) {{ switch (n) {{ {cases} }} return n; }}\n"
        case 11:  # which of three is meant
            body.lambdas += [(name, 1, random.random() < 0.4), (name, 2, of in FLOATS)]
            other = random.choice((given, "bool", "double", "std::string"))
            more = f"{of} {name}({of} a, {given} b) {{ return {value}; }}"
            return (
                f"{of} {name}({of} a) {{ return a; }}\n{more}\n"
                f"int {name}(const {other}& b) {{ return 3; }}\n"
            )
        case 12:
            body.enums.append(_Enumeration(name, ("A", "B", "C"), f"{name}::"))
            fixed = random.choice(("", f" : {random.choice(_UNDERLYING)}"))
            return f"enum class {name}{fixed} {{ A, B = {random.randint(2, 9)}, C = B + 1 }};\n"
        case 13:
            body.structs.append((name, [("a", of), ("b", given)], True))
            default = random.choice(("", f" = {_literal(random, given in FLOATS)}"))
            called = f"{of} get() const {{ return {random.choice(('a', 'b', 'a + b'))}; }}"
            changing = f"void set({given} c) {{ b = c; a += {random.randint(1, 3)}; }}"
            return f"struct {name} {{ {of} a; {given} b{default}; {called} {changing} }};\n"
        case _:  # which of two is meant
            body.lambdas.append((name, 1, of in FLOATS))
            other = f"{given} {name}(const char* b) {{ return 3; }}"
            return f"{of} {name}({of} a) {{ return a; }}\n{other}\n"


def _type(random: Random) -> str:
    return random.choice(FLOATS) if random.random() < 0.3 else random.choice(INTEGERS)


# --- Statements -----------------------------------------------------------------------------------


def _statement(body: _Body) -> None:
    choices = [_declare] * 6 + [_declare_list, _lambda, _string, _declare_alias]
    choices += [_later, _array, _captures, _two_returns, _shadow, _sides, _chosen]
    choices += [_kept, _inner_lambda, _characters, _pair, _alias_of_type, _helped, _if_first]
    choices += [_local_enumeration, _local_struct, _optional, _decided_by]
    choices += [_enumerator] * 2 * len(body.enums) + [_object] * 2 * len(body.structs)
    if body.variables:
        choices += [_assign] * 5 + [_update, _if, _loop, _while, _switch, _pointer]
    if body.vectors:
        choices += [_store] * 2 + [_range, _push_back, _iterate, _moved]
        choices += [_edit] * 2 + [_places, _swap]
    if body.depth > 1:
        choices = [_assign, _update] if body.variables else [_declare]
    if body.loops:
        choices += [_leave] * (1 + len(choices) // 6)
    body.random.choice(choices)(body)


def _declare(body: _Body) -> None:
    random, name = body.random, body.name("x")
    type, is_const = _type(random), random.random() < 0.15
    is_float, const = type in FLOATS, "const " if is_const else ""
    form = random.randrange(8)
    if form == 0:
        is_float = random.random() < 0.4
        body.add(f"{const}auto {name} = {_expression(body, is_float)};")
        type = "auto"
    elif form == 1:
        body.add(f"{const}{type} {name}(({_any(body)}));")
    elif form == 2:
        value = f"{random.randint(0, 90)}" if not is_float else _float(random)
        value = random.choice(("true", "false")) if type == "bool" else value
        body.add(f"{const}{type} {name}{{{value}}};")
    else:
        body.add(f"{const}{type} {name} = {_any(body)};")
    body.variables.append(_Variable(name, is_float, is_const, type in ("bool", "auto")))


def _declare_alias(body: _Body) -> None:
    if not body.variables:
        return _declare(body)
    of, name = body.random.choice(body.variables), body.name("r")
    if of.is_const or body.random.random() < 0.3:
        type = body.random.choice((_type(body.random), "auto"))
        body.add(f"const {type}& {name} = {of.name};")
        is_float = of.is_float if type == "auto" else type in FLOATS
        body.variables.append(_Variable(name, is_float, is_const=True))
        return None
    body.add(f"auto& {name} = {of.name};")
    body.variables.append(_Variable(name, of.is_float, is_bool=of.is_bool))
    return None


def _pointer(body: _Body) -> None:
    of = body.random.choice(body.variables)
    name = body.name("p")
    if of.is_const:
        body.add(f"const auto* {name} = &{of.name};")
    else:
        body.add(f"auto* {name} = &{of.name};")
        body.add(f"*{name} = {_any(body)};")
    body.variables.append(_Variable(f"(*{name})", of.is_float, is_const=True))


def _declare_list(body: _Body) -> None:
    random, name, type = body.random, body.name("v"), _type(body.random)
    if type == "bool":
        type = "int"
    is_float, length = type in FLOATS, random.randint(1, 4)
    values = [_float(random) if is_float else str(random.randint(0, 99)) for _ in range(length)]
    form = random.randrange(3)
    if form == 0:
        body.add(f"std::vector<{type}> {name}({length}, {_any(body)});")
    elif form == 1:
        body.add(f"std::vector<{type}> {name} = {{{', '.join(values)}}};")
    else:
        body.add(f"std::vector<{type}> {name}{{{', '.join(values)}}};")
    body.vectors.append((name, is_float, length))


def _push_back(body: _Body) -> None:
    vector, _, _ = body.random.choice(body.vectors)
    body.add(f"{vector}.push_back({_any(body)});")


def _store(body: _Body) -> None:
    vector, is_float, length = body.random.choice(body.vectors)
    place = f"{vector}[{body.random.randrange(length)}]"
    if body.random.random() < 0.5:
        body.add(f"{place} = {_any(body)};")
    else:
        _compound(body, place, is_float)


def _range(body: _Body) -> None:
    vector, is_float, _ = body.random.choice(body.vectors)
    name, form = body.name("e"), body.random.randrange(3)
    if form == 0:
        body.add(f"for (auto& {name} : {vector}) {name} = {name} + {_atom(body, is_float)};")
        return
    total, type = body.name("t"), _type(body.random)
    body.add(f"{type} {total} = 0;")
    declared = "const auto&" if form == 1 else _type(body.random)
    body.add(f"for ({declared} {name} : {vector}) {total} += {name};")
    body.variables.append(_Variable(total, type in FLOATS, is_bool=type == "bool"))


def _later(body: _Body) -> None:
    name, type = body.name("x"), _type(body.random)
    body.add(f"{type} {name};")
    if body.random.random() < 0.9:
        given = f"if ({_condition(body)}) " if body.random.random() < 0.2 else ""
        body.add(f"{given}{name} = {_any(body)};")
    body.variables.append(_Variable(name, type in FLOATS, is_bool=type == "bool"))


def _array(body: _Body) -> None:
    random, name, type = body.random, body.name("a"), _type(body.random)
    is_float, length = type in FLOATS, random.randint(1, 4)
    const = random.choice(("", "", "const "))
    given = [_float(random) if is_float else str(random.randint(0, 1)) for _ in range(length)]
    listed = ", ".join(given[: random.randint(1, length)])
    if random.random() < 0.5:
        body.add(f"{const}{type} {name}[{length}] = {{{listed}}};")
    else:
        body.add(f"{const}{type} {name}[] = {{{', '.join(given)}}};")
    if not const:
        body.add(f"{name}[{random.randrange(length)}] = {_any(body)};")
    named = f"{name}[{random.randrange(length)}]"
    if random.random() < 0.5:
        pointer = body.name("p")
        body.add(f"const {type}* {pointer} = {name};")
        named = random.choice((f"{pointer}[{random.randrange(length)}]", f"(*{pointer})"))
    body.variables.append(_Variable(named, is_float, is_const=True, is_bool=True))


def _captures(body: _Body) -> None:
    random, name, caught = body.random, body.name("f"), body.name("c")
    is_float = random.random() < 0.4
    inner = _Body(random, variables=[_Variable(caught, is_float)])
    parts = [f"{caught} = {_expression(body, is_float)}"]
    plain = [v for v in body.variables if v.name.isidentifier()]
    if plain:
        other = random.choice(plain)
        parts.append(random.choice(("", "&")) + other.name)
        inner.variables.append(other)
    value = _expression(inner, is_float)
    body.add(f"auto {name} = [{', '.join(parts)}] {{ return {value}; }};")
    body.lambdas.append((name, 0, is_float))


def _two_returns(body: _Body) -> None:
    random, name = body.random, body.name("f")
    first, second = (random.choice(("a", "a + 1", "1", "2.5", "2.5f", "true")) for _ in range(2))
    last = f" return {second};" if random.random() < 0.9 else ""
    arrow = random.choice(("", "", f" -> {_type(random)}"))
    body.add(f"auto {name} = [](int a){arrow} {{ if (a > 3) return {first};{last} }};")
    body.lambdas.append((name, 1, random.random() < 0.3))


def _shadow(body: _Body) -> None:
    plain = [v for v in body.variables if v.name.isidentifier() and not v.is_const]
    if not plain:
        return _declare(body)
    of, type = body.random.choice(plain), _type(body.random)
    to = body.random.choice(plain)
    inner = f"{type} {of.name} = {_any(body)}; "
    body.add(f"{{ {inner if body.random.random() < 0.9 else ''}{to.name} = {_any(body)}; }}")
    return None


def _sides(body: _Body) -> None:
    # An expression with an effect, in an order that C++ says, or doesn't.
    to = _assignable(body)
    if to is None or to.is_bool:
        return _declare(body)
    name, random = body.name("u"), body.random
    effect = random.choice((f"{to.name}++", f"--{to.name}", f"({to.name} = {_any(body)})"))
    other = _any(body)
    form = random.choice(
        (
            *("{0} + {1}", "{1} * {0}", "({0}, {1})", "({0} > 3) && {1}", "{1} ? {0} : {1}"),
            *("std::max<double>({0}, {1})", "std::min<int>({1}, {0})", "({0}) < ({1})"),
        )
    )
    if not to.is_float:
        form = random.choice((form, "({0} & 3) << ({1} ? 1 : 2)"))
    body.add(f"auto {name} = {form.format(effect, other)};")
    body.variables.append(_Variable(name, random.random() < 0.3, is_bool=True))
    return None


def _chosen(body: _Body) -> None:
    # A reference to one of two objects, of which the one may change or be no object at all.
    plain = [v for v in body.variables if v.name.isidentifier() and not v.is_const]
    if not plain:
        return _declare(body)
    random, name = body.random, body.name("r")
    one, other = random.choice(plain), random.choice(plain)
    second = other.name if random.random() < 0.7 else _literal(random, other.is_float)
    form = random.choice(
        ("std::max({0}, {1})", "{2} ? {0} : {1}", "({0} = {1})", "std::min<int>({0}, {1})")
    )
    body.add(f"const auto& {name} = {form.format(one.name, second, _condition(body))};")
    body.add(f"{one.name} = {_any(body)};")
    body.variables.append(_Variable(name, one.is_float, is_const=True))
    return None


def _iterate(body: _Body) -> None:
    random, (vector, is_float, length) = body.random, body.random.choice(body.vectors)
    name = body.name("r")
    place = random.choice((f"{vector}[0]", f"{vector}.back()", f"{vector}.at({length - 1})"))
    body.add(f"{random.choice(('auto&', 'const auto&', 'auto'))} {name} = {place};")
    if random.random() < 0.3:
        body.add(f"{vector}.push_back({_any(body)});")
    body.variables.append(_Variable(name, is_float, is_const=True))


def _moved(body: _Body) -> None:
    vector, is_float, length = body.random.choice(body.vectors)
    name = body.name("v")
    given = body.random.choice((vector, vector, f"std::move({vector})"))
    body.add(f"{body.random.choice(('', 'const '))}auto {name} = {given};")
    if given != vector:
        body.vectors.remove((vector, is_float, length))
    body.vectors.append((name, is_float, length))


def _assignable(body: _Body) -> _Variable | None:
    found = [v for v in body.variables if not v.is_const]
    return body.random.choice(found) if found else None


def _assign(body: _Body) -> None:
    to = _assignable(body)
    if to is None:
        return _declare(body)
    if body.random.random() < 0.5:
        body.add(f"{to.name} = {_any(body)};")
    else:
        _compound(body, to.name, to.is_float)
    return None


def _compound(body: _Body, place: str, is_float: bool) -> None:
    operators = ["+=", "-=", "*=", "/="]
    if not is_float:
        operators += ["%=", "&=", "|=", "^=", "<<=", ">>="]
    operator = body.random.choice(operators)
    if operator in ("<<=", ">>="):
        right = str(body.random.randint(0, 7))
    elif operator in ("/=", "%="):
        right = str(body.random.randint(1, 9))
    elif operator in ("&=", "|=", "^="):
        right = _expression(body, False)
    else:
        right = _any(body)
    body.add(f"{place} {operator} {right};")


def _update(body: _Body) -> None:
    to = _assignable(body)
    if to is None or to.is_bool:
        return _declare(body)
    operator = body.random.choice(("++", "--"))
    form, name = body.random.randrange(3), body.name("u")
    if form == 0:
        body.add(f"{to.name}{operator};")
    elif form == 1:
        body.add(f"{operator}{to.name};")
    else:
        side = f"{to.name}{operator}" if body.random.random() < 0.5 else f"{operator}{to.name}"
        body.add(f"auto {name} = {side};")
        body.variables.append(_Variable(name, to.is_float, is_bool=True))
    return None


def _block(body: _Body, head: str, tail: str = "}") -> None:
    body.add(head)
    seen, vectors, lambdas = len(body.variables), len(body.vectors), len(body.lambdas)
    body.depth += 1
    for _ in range(body.random.randint(1, 3)):
        _statement(body)
    body.depth -= 1
    del body.variables[seen:], body.vectors[vectors:], body.lambdas[lambdas:]
    body.add(tail)


def _if(body: _Body) -> None:
    if body.random.random() < 0.5:
        return _block(body, f"if ({_condition(body)}) {{")
    _block(body, f"if ({_condition(body)}) {{", "} else {")
    to = _assignable(body)
    return body.add(f"  {to.name} = {_any(body)}; }}" if to is not None else "}")


def _loop(body: _Body) -> None:
    name, type = body.name("i"), body.random.choice(("int", "size_t", "int8_t", "unsigned"))
    body.variables.append(_Variable(name, False, is_const=True))
    body.loops += 1
    _block(body, f"for ({type} {name} = 0; {name} < {body.random.randint(1, 5)}; ++{name}) {{")
    body.loops -= 1
    body.variables[:] = [v for v in body.variables if v.name != name]


def _while(body: _Body) -> None:
    name = body.name("n")
    body.add(f"int {name} = {body.random.randint(1, 5)};")
    form = body.random.randrange(3)
    body.loops += form < 2  # or `continue` has it run for ever
    if form == 0:
        _block(body, f"while ({name}-- > 0) {{")
    elif form == 1:
        _block(body, "do {", f"}} while (--{name} > 0);")
    else:
        _block(body, "while (true) {", f"  if (--{name} < 0) break; }}")
    body.loops -= form < 2


def _switch(body: _Body) -> None:
    to = _assignable(body)
    if to is None:
        return _declare(body)
    chosen = f"3 & ({_expression(body, False)})"
    body.add(f"switch ({chosen}) {{")
    for case in ("case 0:", "case 1: case 2:", "default:"):
        body.add(f"  {case} {to.name} = {_any(body)};{body.random.choice((' break;', ''))}")
    body.add("}")
    return None


def _lambda(body: _Body) -> None:
    random, name = body.random, body.name("f")
    capture = random.choice(("&", "="))
    count, returns = random.randint(1, 2), _type(random)
    inner = _Body(random, variables=list(body.variables), vectors=list(body.vectors))
    parameters = []
    for _ in range(count):
        parameter, type = body.name("a"), _type(random)
        parameters.append(f"{type} {parameter}")
        inner.variables.append(_Variable(parameter, type in FLOATS))
    is_float = returns in FLOATS
    arrow = f" -> {returns}"
    value = _any(inner)
    if random.random() < 0.4:
        is_float = random.random() < 0.5
        arrow, value = "", _expression(inner, is_float)
    body.add(f"auto {name} = [{capture}]({', '.join(parameters)}){arrow} {{ return {value}; }};")
    body.lambdas.append((name, count, is_float))


def _string(body: _Body) -> None:
    random, name, found = body.random, body.name("s"), body.name("k")
    body.add(f'std::string {name} = "{random.choice(("NCHW", "abc", ""))}";')
    if random.random() < 0.5:
        body.add(f'{name} += "{random.choice(("xy", "HW"))}";')
    what = random.choice(
        (
            f"{name}.size()",
            f'{name}.find("{random.choice("HWbx")}")',
            f"{name}.find('{random.choice('HWbx')}')",
            f'{name} == "NCHW"',
            f"{name}.empty() ? 3 : {name}[0]",
            f'({name} + "-").find("-")',
        )
    )
    body.add(f"auto {found} = {what};")
    body.variables.append(_Variable(found, False, is_bool=True))


def _leave(body: _Body) -> None:
    body.add(f"if ({_condition(body)}) {body.random.choice(('break', 'continue'))};")


def _kept(body: _Body) -> None:
    random, name, type = body.random, body.name("x"), _type(body.random)
    given = random.choice(("", f" = {_literal(random, type in FLOATS)}"))
    body.add(f"static {type} {name}{given};")
    if random.random() < 0.7:
        body.add(f"{name} += {_any(body)};")
    body.variables.append(_Variable(name, type in FLOATS, is_bool=type == "bool"))


def _inner_lambda(body: _Body) -> None:
    random, name, type = body.random, body.name("f"), _type(body.random)
    to = _assignable(body)
    form = random.randrange(5)
    if form == 0 and to is not None and to.name.isidentifier():
        body.add(f"auto {name} = [&{to.name}]({type} a) {{ {to.name} = a; return {to.name}; }};")
        body.lambdas.append((name, 1, to.is_float))
    elif form == 1:
        taken = random.choice(("auto", "const auto&"))
        body.add(f"auto {name} = []({taken} a) {{ return a {random.choice('+-*')} 2; }};")
        body.lambdas.append((name, 1, random.random() < 0.5))
    elif form == 2:
        value = _literal(random, type in FLOATS)
        body.add(f"auto {name} = [](int a, {type} b = {value}) -> {type} {{ return a + b; }};")
        body.lambdas.append((name, 1, type in FLOATS))
    elif form == 3:
        body.add(f"auto {name} = []({type} a) {{ return [a](int b) {{ return a - b; }}; }};")
        body.lambdas.append((f"{name}({_literal(random, False)})", 1, type in FLOATS))
    else:
        begin = _literal(random, type in FLOATS)
        body.add(f"{type} {name}c = {begin};")
        body.add(f"auto {name} = [{name}c]() mutable {{ {name}c += 2; return {name}c; }};")
        body.lambdas.append((name, 0, type in FLOATS))


def _characters(body: _Body) -> None:
    random, name, total = body.random, body.name("s"), body.name("t")
    body.add(f'std::string {name} = "{random.choice(("NCHW", "ab", ""))}";')
    body.add(f"int {total} = 0;")
    taken = random.choice(("char", "auto", "const char&", "int"))
    body.add(f"for ({taken} c : {name}) {total} += c;")
    body.variables.append(_Variable(total, False))


def _pair(body: _Body) -> None:
    random, name = body.random, body.name("p")
    first, second = _type(random), _type(random)
    both = f"{_any(body)}, {_any(body)}"
    made = (
        f"std::pair<{first}, {second}> {name}({both});",
        f"auto {name} = std::make_pair({both});",
    )
    body.add(random.choice(made))
    if random.random() < 0.5:
        body.add(f"{name}.{random.choice(('first', 'second'))} = {_any(body)};")
    if random.random() < 0.3:
        one, other = body.name("b"), body.name("b")
        body.add(f"auto{random.choice(('', '&'))} [{one}, {other}] = {name};")
        body.variables.append(_Variable(one, first in FLOATS, is_bool=True))
    body.variables.append(_Variable(f"{name}.second", second in FLOATS, is_bool=True))


def _optional(body: _Body) -> None:
    random, name, type = body.random, body.name("o"), _type(body.random)
    is_float, of = type in FLOATS, f"std::optional<{type}>"
    made = (
        *(f"{of} {name};", f"{of} {name} = {_any(body)};", f"{of} {name}({_any(body)});"),
        *(f"{of} {name} = std::nullopt;", f"{of} {name}{{{random.randint(0, 9)}}};"),
        f"auto {name} = {random.choice((f'{of}({_any(body)})', f'std::make_optional({_any(body)})'))};",
    )
    body.add(random.choice(made))
    done = (
        *(f"{name} = {_any(body)};", f"{name} = std::nullopt;", f"{name}.reset();"),
        *(f"if ({name}) *{name} = {_any(body)};", f"{name}.emplace({_any(body)});"),
        *(f"if (!{name}) {name} = {_any(body)};", f"if ({name} < {_any(body)}) {name} = {{}};"),
    )
    for line in random.sample(done, random.randrange(3)):
        body.add(line)
    if random.random() < 0.3:
        other = body.name("o")
        body.add(f"{random.choice((of, 'auto', 'auto&'))} {other} = {name};")
        body.add(f"if ({other}.has_value()) {other}.value() = {_any(body)};")
    asked = (
        *(f"({name} ? *{name} : {_literal(random, is_float)})", f"{name}.value_or({_any(body)})"),
        *(f"*{name}", f"{name}.value()"),
    )
    body.variables.append(_Variable(random.choice(asked), is_float, is_const=True, is_bool=True))
    if random.random() < 0.5:
        compared = random.choice(("==", "!=", "<", "<=", ">", ">="))
        given = random.choice(("std::nullopt", "(", "("))
        given = f"({_any(body)})" if given == "(" else given
        body.variables.append(_Variable(f"({name} {compared} {given})", False, True, True))
        body.variables.append(_Variable(f"{name}.has_value()", False, True, True))


def _decided_by(body: _Body) -> None:
    """`if (auto found = …)`."""
    random, to, name = body.random, _assignable(body), body.name("i")
    if to is None:
        return _declare(body)
    type = random.choice((_type(random), "auto", "std::optional<int>"))
    inside = f"*{name}" if "optional" in type else name
    head = f"if ({type} {name} = {_any(body)}) {to.name} = {inside};"
    other = f" else if ({type} {name} = {_any(body)}) {to.name} = {inside};"
    return body.add(head + random.choice(("", other, f" else {to.name} = {_any(body)};")))


def _alias_of_type(body: _Body) -> None:
    name, alias, type = body.name("x"), body.name("T"), _type(body.random)
    said = (f"using {alias} = {type};", f"typedef {type} {alias};")
    body.add(f"{body.random.choice(said)} {alias} {name} = {_any(body)};")
    body.variables.append(_Variable(name, type in FLOATS, is_bool=type == "bool"))


def _if_first(body: _Body) -> None:
    to, name = _assignable(body), body.name("i")
    if to is None:
        return _declare(body)
    first = f"{_type(body.random)} {name} = {_any(body)}; {name} > {_literal(body.random, False)}"
    return body.add(f"if ({first}) {to.name} = {name};")


def _helped(body: _Body) -> None:
    """What is done with the functions of `_other_helper`."""
    random = body.random
    if body.changing:
        function, type = random.choice(body.changing)
        name = body.name("x")
        body.add(f"{type} {name} = {_any(body)};")
        body.add(f"{function}({name}, {_any(body)});")
        body.variables.append(_Variable(name, type in FLOATS, is_bool=type == "bool"))
    elif body.of_vectors:
        function, is_float = random.choice(body.of_vectors)
        vector, name = body.name("v"), body.name("x")
        body.add(f"std::vector<int> {vector}{{{random.randint(0, 9)}, 2}};")
        body.add(f"auto {name} = {function}({vector});")
        body.variables.append(_Variable(name, is_float, is_bool=True))
        body.vectors.append((vector, False, 2))
    elif body.made:
        function, type = random.choice(body.made)
        name, length = body.name("v"), random.randint(1, 3)
        body.add(f"auto {name} = {function}({length});")
        body.vectors.append((name, type in FLOATS, length))
    else:
        _declare(body)


_UNDERLYING = ("int8_t", "uint8_t", "short", "int64_t", "unsigned")


def _local_enumeration(body: _Body) -> None:
    name, one, two = body.name("E"), body.name("k"), body.name("k")
    listed = f"{one} = {body.random.randint(-3, 9)}, {two}"
    if body.depth:
        return _declare(body)
    if body.random.random() < 0.5:
        body.add(f"enum {name} {{ {listed} }};")
        body.enums.append(_Enumeration(name, (one, two)))
        body.variables.append(_Variable(one, False, is_const=True, is_bool=True))
    else:
        body.add(f"enum class {name} {{ {listed} }};")
        body.enums.append(_Enumeration(name, (one, two), f"{name}::"))
    return None


def _enumerator(body: _Body) -> None:
    random, of = body.random, body.random.choice(body.enums)
    name, found, like = body.name("e"), body.name("x"), of.one(random)
    if not of.before and random.random() < 0.5:
        form = random.choice(
            ("{0} + 1", "{0} * {1}", "{1} << ({0} & 3)", "{0} < {1}", "!{0}", "-{0}")
        )
        body.add(f"auto {found} = {form.format(like, _atom(body, random.random() < 0.3))};")
        return body.variables.append(_Variable(found, False, is_const=True, is_bool=True))
    said = (f" = {like}", f"{{{like}}}", f"({like})", f" = static_cast<{of.name}>(2)", "{}")
    body.add(f"{of.name if random.random() < 0.7 else 'auto'} {name}{random.choice(said[:3])};")
    if random.random() < 0.4:
        body.add(f"if ({_condition(body)}) {name} = {of.one(random)};")
    cases = f"case {of.one(random)}: {found} = {_any(body)}; break; default: {found} += 2;"
    match random.randrange(5):
        case 0:
            body.add(f"int {found} = 1;")
            body.add(f"switch ({name}) {{ {cases} }}")
        case 1:
            body.add(f"auto {found} = {name} == {of.one(random)} ? 3 : 4;")
        case 2:
            body.add(f"auto {found} = static_cast<{_type(random)}>({name});")
        case 3:
            body.add(f"bool {found} = {name} {random.choice(('<', '>=', '!='))} {of.one(random)};")
        case _:
            body.add(f"{of.name} {name}b{random.choice(said)};")
            body.add(f"int {found} = {name}b == {name};")
    return body.variables.append(_Variable(found, False, is_const=True, is_bool=True))


def _local_struct(body: _Body) -> None:
    if body.depth:
        return _declare(body)
    name, random = body.name("S"), body.random
    members = [(body.name("m"), _type(random)) for _ in range(random.randint(1, 3))]
    if body.structs and random.random() < 0.3:
        members.append((body.name("m"), random.choice(body.structs)[0]))
    fields = " ".join(
        f"{type} {member}{random.choice(('', '', ' = 3', '{2}')) if type in INTEGERS else ''};"
        for member, type in members
    )
    body.add(f"struct {name} {{ {fields} }};")
    body.structs.append((name, members, False))
    return None


def _object(body: _Body) -> None:
    random, (of, members, has_functions) = body.random, body.random.choice(body.structs)
    name = body.name("s")
    numbers = [(m, type) for m, type in members if type in (*INTEGERS, *FLOATS)]
    values = [_float(random) if t in FLOATS else str(random.randint(0, 1)) for _, t in numbers]
    listed = ", ".join(values[: random.randint(0, len(values))])
    said = (f"{of} {name}{{{listed}}};", f"{of} {name} = {{{listed}}};", f"{of} {name};")
    body.add(random.choice((*said, f"auto {name} = {of}{{{listed}}};", f"{of} {name} = {of}();")))
    for member, _ in numbers:
        if random.random() < 0.5:
            body.add(f"{name}.{member} {random.choice(('=', '=', '+='))} {_any(body)};")
    other = body.name("s")
    match random.randrange(8):
        case 0:
            body.add(f"auto {other} = {name}; {other}.{numbers[0][0]} = {_any(body)};")
        case 1:
            body.add(f"{of}& {other} = {name}; {other}.{numbers[-1][0]} = 1;")
        case 2:
            body.add(f"const {of}* {other} = &{name};")
            body.variables.append(_member(f"{other}->{numbers[0][0]}", numbers[0][1], True))
        case 3:
            body.add(f"{of} {other}{{}}; {other} = {name}; {name} = {{}};")
            body.variables.append(_member(f"{other}.{numbers[0][0]}", numbers[0][1]))
        case 4:
            body.add(f"std::vector<{of}> {other}{{{name}, {{{values[0]}}}}};")
            body.add(f"for (auto& {name}e : {other}) {name}e.{numbers[0][0]} = 2;")
            body.variables.append(_member(f"{other}[1].{numbers[0][0]}", numbers[0][1]))
        case 5 if has_functions:
            body.add(f"{name}.set({_any(body)});")
            body.lambdas.append((f"{name}.get", 0, numbers[0][1] in FLOATS))
        case 6:
            body.add(
                f"auto {other} = [{random.choice('&=')}]() {{ return {name}.{numbers[0][0]}; }};"
            )
            body.lambdas.append((other, 0, numbers[0][1] in FLOATS))
        case 7 if len(members) == 2:
            body.add(f"auto{random.choice(('', '&'))} [{other}, {other}b] = {name};")
            body.variables.append(_member(other, numbers[0][1]))
    body.variables += [_member(f"{name}.{member}", type) for member, type in numbers]


def _member(name: str, type: str, is_const: bool = False) -> _Variable:
    return _Variable(name, type in FLOATS, is_const, is_bool=type == "bool")


def _edit(body: _Body) -> None:
    random, (vector, is_float, length) = body.random, body.random.choice(body.vectors)
    value, at = _any(body), random.randint(0, length)
    forms = (
        (f"{vector}.insert({vector}.begin() + {at}, {value});", length + 1),
        (f"{vector}.erase({vector}.begin() + {min(at, length - 1)});", length - 1),
        (f"{vector}.erase({vector}.begin() + {at}, {vector}.end());", at),
        (f"{vector}.pop_back();", length - 1),
        (f"{vector}.resize({at + 1});", at + 1),
        (f"{vector}.resize({at + 2}, {value});", at + 2),
        (f"{vector}.assign({at + 1}, {value});", at + 1),
        (f"{vector}.emplace_back({value});", length + 1),
        (f"{vector}.insert({vector}.end(), {vector}.begin(), {vector}.end());", 2 * length),
        (f"if ({vector}.empty()) {vector}.clear();", length),
    )
    line, left = random.choice(forms)
    body.add(line)
    body.vectors.remove((vector, is_float, length))
    if left and body.depth == 0:
        body.vectors.append((vector, is_float, left))


def _places(body: _Body) -> None:
    random, (vector, _, length) = body.random, body.random.choice(body.vectors)
    total, type, name = body.name("t"), _type(body.random), body.name("e")
    first, end = random.choice((("begin() + 1", "end"), ("begin()", "end"), ("cbegin()", "cend")))
    step = random.choice((f"++{name}", f"{name}++", f"{name} += 1"))
    body.add(f"{type} {total} = 0;")
    head = f"auto {name} = {vector}.{first}; {name} != {vector}.{end}(); {step}"
    body.add(f"for ({head}) {total} += *{name};")
    if random.random() < 0.4:
        body.add(f"*({vector}.begin() + {random.randrange(length)}) = {_any(body)};")
    body.variables.append(_Variable(total, type in FLOATS, is_bool=type == "bool"))


def _swap(body: _Body) -> None:
    random, (vector, _, length) = body.random, body.random.choice(body.vectors)
    if random.random() < 0.5:
        order = random.choice(("std::sort", "std::reverse"))
        return body.add(f"{order}({vector}.begin(), {vector}.end());")
    return body.add(
        f"std::swap({vector}[{random.randrange(length)}], {vector}[{random.randrange(length)}]);"
    )


# --- Expressions ----------------------------------------------------------------------------------


def _any(body: _Body) -> str:
    return _expression(body, body.random.random() < 0.35)


# i is an integer expression, f a float one, e either; c a condition, n a small number; I, F are types.
_CONDITIONS = (
    *("e < e", "e <= e", "e > e", "e >= e", "e == e", "e != e"),
    *("!(e < e)", "i && e < e", "e > e || i"),
)
_OF_INTEGERS = (
    *("(i + i)", "(i - i)", "(i & i)", "(i | i)", "(i ^ i)", "(i * n)", "(i / n)", "(i % n)"),
    *("(i / i)", "(i >> n)", "((i & 0xff) << n)", "(c ? i : i)", "(c)", "-(i)", "~(i)", "+(i)"),
    *("static_cast<I>(i)", "static_cast<I>(f)", "(int)(i)", "(char)(i)", "int64_t(i)", "int(f)"),
    *("int{n}", "int64_t{n}", "uint8_t{n}", "sizeof(I)", "sizeof(i)", "(i + int())"),
    *("std::max<int>(i, i)", "std::min<int64_t>(i, i)", "std::max<size_t>(i, i)"),
    *("std::numeric_limits<I>::max()", "std::numeric_limits<I>::min()"),
    *("std::abs(static_cast<int>(i))", "std::abs((short)(i))", "std::min<uint8_t>(i, f)"),
)
_OF_FLOATS = (
    *(
        "(f + f)",
        "(f - e)",
        "(e * f)",
        "(f / n.5f)",
        "(f / i)",
        "(c ? f : e)",
        "(c ? i : f)",
        "-(f)",
    ),
    *("static_cast<F>(e)", "std::max<F>(e, f)", "std::min<F>(f, i)", "std::abs(f)"),
    *(
        "std::trunc(e)",
        "std::round(f)",
        "std::fabs(e)",
        "(f - double())",
        "float{n}",
        "double{n.5}",
    ),
    *("std::numeric_limits<F>::max()", "std::numeric_limits<F>::epsilon()"),
    *("std::sqrt(f)", "std::floor(f)", "std::ceil(f)", "std::sqrt(i)"),
    *("std::exp(f)", "std::log(f)", "std::pow(f, n)", "std::pow(e, n.5)", "std::log2(e)"),
    *("std::pow(f, f)", "std::exp(i)", "std::log10(e)", "std::exp2(f)"),
)


def _condition(body: _Body, depth: int = 0) -> str:
    return _filled(body, body.random.choice(_CONDITIONS), depth)


def _expression(body: _Body, is_float: bool, depth: int = 0) -> str:
    if depth > 2 or body.random.random() < 0.25:
        return _atom(body, is_float)
    return _filled(body, body.random.choice(_OF_FLOATS if is_float else _OF_INTEGERS), depth)


def _filled(body: _Body, form: str, depth: int) -> str:
    random = body.random

    def one(letter: re.Match[str]) -> str:
        match letter[0]:
            case "i" | "f":
                return _expression(body, letter[0] == "f", depth + 1)
            case "e":
                return _expression(body, random.random() < 0.5, depth + 1)
            case "c":
                return _condition(body, depth + 1)
            case "n":
                return str(random.randint(1, 7))
        return random.choice(FLOATS if letter[0] == "F" else INTEGERS)

    return re.sub(r"\b[ifecnIF]\b", one, form)


def _atom(body: _Body, is_float: bool) -> str:
    random = body.random
    named = [v.name for v in body.variables if v.is_float == is_float]
    if named and random.random() < 0.6:
        return random.choice(named)
    called = [(name, count) for name, count, of_float in body.lambdas if of_float == is_float]
    if called and random.random() < 0.2:
        name, count = random.choice(called)
        arguments = ", ".join(_literal(random, random.random() < 0.4) for _ in range(count))
        return f"{name}({arguments})"
    vectors = [(name, length) for name, of_float, length in body.vectors if of_float == is_float]
    if vectors and random.random() < 0.4:
        name, length = random.choice(vectors)
        index = random.randrange(length)
        return random.choice((f"{name}[{index}]", f"{name}.at({index})", f"{name}.back()"))
    if body.vectors and not is_float and random.random() < 0.2:
        return f"{random.choice(body.vectors)[0]}.size()"
    return _literal(random, is_float)


def _literal(random: Random, is_float: bool) -> str:
    if is_float:
        return _float(random)
    small = str(random.randint(0, 12))
    wide = str(random.choice((127, 128, 255, 256, 300, 32767, 65535, 65536, 100000, 2147483647)))
    suffix = random.choice(("", "", "", "", "u", "l", "ul", "LL", "ULL"))
    others = (f"0x{random.randint(0, 255):x}", f"'{random.choice('a0Z')}'", "true", "4294967295")
    chosen = random.random()
    if chosen < 0.6:
        return small + suffix
    return wide + suffix if chosen < 0.85 else random.choice(others)


def _float(random: Random) -> str:
    return (
        f"{random.randint(0, 40)}.{random.choice((0, 1, 25, 5, 75, 9))}{random.choice(('', 'f'))}"
    )

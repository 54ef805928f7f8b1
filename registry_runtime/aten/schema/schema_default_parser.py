"""Reads the default of a schema's argument: `alpha=1`, `stride=[1, 1]`, `layout=strided`.

Some defaults are words of the schema language and become the number that C++ has for them at once:
`float32` is 6. `int[2] stride=1` stands for `[1, 1]`. Lists come out as tuples, the rest as Python's
own bool, int, float, complex, str and None; a device as the string that names it.
"""

from __future__ import annotations

import math
import re

from registry_runtime.aten.schema.jit_type import Type, TypeKind
from registry_runtime.aten.schema.schema_lexer import Lexer, SchemaError, Token, report

# The words that stand for a number whatever the type. Others are known where a dtype is due.
_CONSTANTS = {
    "float": 6,  # at::kFloat
    "complex": 9,  # at::kComplexFloat
    "long": 4,  # at::kLong
    "strided": 0,  # at::kStrided
    "Mean": 1,  # at::Reduction::Mean
    "contiguous_format": 0,  # at::MemoryFormat::Contiguous
}
# c10::getStringToDtypeMap: for each ScalarType, in order, its names.
_DTYPE_NAMES = """
    uint8 int8 int16/short int32/int int64/long float16/half float32/float float64/double
    complex32/chalf complex64/cfloat complex128/cdouble bool qint8 quint8 qint32 bfloat16
    quint4x2 quint2x4 bits1x8 bits2x4 bits4x2 bits8 bits16
    float8_e5m2 float8_e4m3fn float8_e5m2fnuz float8_e4m3fnuz uint16 uint32 uint64
    uint1 uint2 uint3 uint4 uint5 uint6 uint7 int1 int2 int3 int4 int5 int6 int7
    float8_e8m0fnu float4_e2m1fn_x2
"""
_DTYPES = {
    name: number for number, names in enumerate(_DTYPE_NAMES.split()) for name in names.split("/")
}
_SIMPLE = {
    TypeKind.StringType,
    TypeKind.OptionalType,
    TypeKind.NumberType,
    TypeKind.IntType,
    TypeKind.BoolType,
    TypeKind.FloatType,
    TypeKind.ComplexType,
}
_ONLY_NONE = {TypeKind.TensorType, TypeKind.GeneratorType, TypeKind.QuantizerType}
_ELEMENTS: dict[TypeKind, tuple[type, str]] = {
    TypeKind.ComplexType: (complex, "complex double"),
    TypeKind.FloatType: (float, "double"),
    TypeKind.IntType: (int, "int"),
    TypeKind.BoolType: (bool, "bool"),
}
_MAX_SIZE = 1 << 16  # ours: PyTorch fills the memory first
_DEVICES = (
    "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, "
    "mps, meta, hpu, mtia, privateuseone"
)
_DEVICE = re.compile(r"([A-Za-z_]+)(?::(?:0|[1-9][0-9]*))?")
_ESCAPES = {c: c for c in "\\'\"\n"} | dict(zip("abfnvt", "\a\b\f\n\v\t", strict=True))


def parse_default(lexer: Lexer, fake: Type, real: Type, size: int | None) -> object:
    """The default of an argument of these types, whose list, if it is one, has a `size`.

    Raises SchemaError.
    """
    start = lexer.current
    if fake.kind in _ONLY_NONE:
        lexer.expect("None")
        return None
    if fake.kind in _SIMPLE:
        return _constant(lexer, fake.kind, real)
    if fake.kind is TypeKind.DeviceObjType:
        return _device(lexer, lexer.expect("string_literal"))
    if fake.kind is not TypeKind.ListType:
        raise report("unexpected type, file a bug report", lexer.text, start)
    if start.kind == "ident":
        lexer.expect("None")
    kind = fake.element.kind
    if size is not None and start.kind != "[":
        value = _constant(lexer, kind, real.element)
        if size > _MAX_SIZE:
            raise SchemaError(
                f"a list of {size} elements",
                lexer.text,
                start.start,
                start.end,
                hint=f"at most {_MAX_SIZE}",
            )
        return _checked_list(lexer, kind, start, [value] * size)
    lexer.expect("[")
    values: list[object] = []
    if lexer.current.kind != "]":
        values.append(_constant(lexer, kind, real.element))
        while lexer.next_if(","):
            values.append(_constant(lexer, kind, real.element))
    lexer.expect("]")
    return _checked_list(lexer, kind, start, values)


def _constant(lexer: Lexer, kind: TypeKind, real: Type) -> object:
    token = lexer.current
    match token.kind:
        case "True" | "False":
            lexer.next()
            return token.kind == "True"
        case "None":
            lexer.next()
            return None
        case "string_literal":
            lexer.next()
            return _unescape(lexer, token)
        case "ident":
            lexer.next()
            known = _CONSTANTS.get(token.text)
            if known is None and _may_be_dtype(real):
                known = _DTYPES.get(token.text)
            if known is None:
                # PyTorch points behind the word, and so do we.
                raise report("invalid numeric default value", lexer.text, lexer.current)
            return known
    sign = "-" if lexer.next_if("-") else ""
    number = lexer.expect("number")
    return _number(lexer, kind, sign + number.text, number)


def _may_be_dtype(type: Type) -> bool:
    return type.kind is TypeKind.ScalarTypeType or (
        type.kind is TypeKind.OptionalType and _may_be_dtype(type.element)
    )


def _number(lexer: Lexer, kind: TypeKind, text: str, token: Token) -> object:
    if kind is TypeKind.ComplexType or "j" in text:
        return complex(0.0, _float(lexer, text[:-1], token))
    if kind is TypeKind.FloatType or "." in text or "e" in text:
        return _float(lexer, text, token)
    return integer(lexer, text, token)


def integer(lexer: Lexer, text: str, token: Token) -> int:
    """`std::stoll`: the digits at the front count, what follows them does not.

    Raises SchemaError with the one word that std::stoll's exceptions hold.
    """
    digits = re.match("-?[0-9]+", text)
    value = int(digits.group()) if digits and len(text) < 100 else 2**63
    if not -(2**63) <= value < 2**63:
        raise SchemaError("stoll", lexer.text, token.start, token.end)
    return value


def _float(lexer: Lexer, text: str, token: Token) -> float:
    try:
        value = float.fromhex(text) if "x" in text.lower() else float(text)
    except (ValueError, OverflowError):
        value = math.inf
    if math.isinf(value):
        raise SchemaError("stod", lexer.text, token.start, token.end)
    return value


def _checked_list(
    lexer: Lexer, kind: TypeKind, start: Token, values: list[object]
) -> tuple[object, ...]:
    if kind not in _ELEMENTS:
        sentence = "lists are only supported for float, int and complex types"
        raise report(sentence, lexer.text, start)
    of, name = _ELEMENTS[kind]
    if any(type(value) is not of for value in values):
        raise SchemaError(f"expected {name}", lexer.text, start.start, start.end)
    return tuple(values)


def _device(lexer: Lexer, token: Token) -> str:
    text = _unescape(lexer, token)
    match = _DEVICE.fullmatch(text)
    if not text:
        sentence = "Device string must not be empty"
    elif match is None:
        sentence = f"Invalid device string: '{text}'"
    elif match[1] not in _DEVICES.split(", "):
        sentence = f"Expected one of {_DEVICES} device type at start of device string: {match[1]}"
    else:
        return text
    raise SchemaError(sentence, lexer.text, token.start, token.end)


def _unescape(lexer: Lexer, token: Token) -> str:
    """`parseStringLiteral`: knows octal escapes, refuses the hexadecimal ones."""
    quotes = 3 if len(token.text) >= 6 and token.text[:3] in ("'''", '"""') else 1
    body = token.text[quotes:-quotes]

    def replace(match: re.Match[str]) -> str:
        what = match[1]
        if what in _ESCAPES:
            return _ESCAPES[what]
        if what == "x":
            raise report("unsupported hex specifier", lexer.text, token)
        if what in ("u", "U"):
            raise report("unsupported unicode specifier", lexer.text, token)
        if len(what) == 3 and int(what, 8) < 256:
            return chr(int(what, 8))
        raise report(" ill formed octal specifier", lexer.text, token)

    return re.sub(r"\\([0-7]{3}|.)", replace, body, flags=re.DOTALL)

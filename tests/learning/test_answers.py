"""Answers that learners gave, right and wrong: what each exercise says of them.

An answer is a solution with one place changed. A wrong one stands with a piece of what is said of it.
"""

import re

import pytest

from visualizer.learning import checks, lesson

RIGHT = ""


def judged(id, edits, number=0):
    read = lesson.load(lesson.find(id))
    exercise = [exercise for _, exercise in read.exercises()][number]
    text = read.file(exercise.solution).read_text()
    for old, new in edits:
        assert re.search(old, text), f"{old} is not in the solution"
        text = re.sub(old, new, text)
    return checks.check(read, exercise, text)


CALL = r"add_stub\(device_type\(\), \*this, -alpha\);"
BUILD = r"build_borrowing_binary_op\(maybe_get_output\(\), self, other\);"
EMPTY = r"(?<=\)) \{\}(?=\n)"
ALLOC, DATA = "dev_ctx.template Alloc<bool>(out);", "out->data<bool>();"
LOOP = (
    f"{{ bool* to = {ALLOC} const T* a = x.data<T>(); const T* b = y.data<T>();"
    " for (int64_t i = 0; i < x.numel(); ++i) { to[i] = a[i] < b[i]; } }"
)
VECTORS = r"vec::Vectorized<scalar_t> self, vec::Vectorized<scalar_t> other"

ANSWERS = {
    # The two halves are run: what counts is what comes out.
    ("aten/9", "alpha for minus alpha"): ([("-alpha", "alpha")], "fills the output of [5] [2]"),
    ("aten/9", "operands swapped"): ([("self, other\\);", "other, self);")], "with: [-3]"),
    ("aten/9", "one operand twice"): ([("self, other\\);", "self, self);")], "with: [0]"),
    ("aten/9", "never called"): ([(CALL, r"if (false) \g<0>")], "no kernel was called"),
    ("aten/9", "nothing built"): ([(BUILD, "")], "meta has made no iterator"),
    ("aten/9", "an unknown function"): (
        [(BUILD, "build_it(self);")],
        "nothing is known of `build_it`",
    ),
    ("aten/9", "a constant for alpha"): ([("-alpha", "Scalar(-1)")], "alpha=2 with: [3]"),
    ("aten/9", "a pointer for the iterator"): (
        [(r"\*this", "this")],
        "this argument is a pointer: it has no `common_dtype`",
    ),
    ("aten/9", "a name for the iterator"): (
        [(CALL, "auto& iter = *this; add_stub(iter.device_type(), iter, -alpha);")],
        RIGHT,
    ),
    ("aten/9", "a name for the factor"): (
        [(CALL, "const auto factor = -alpha; add_stub(at::kCPU, *this, factor);")],
        RIGHT,
    ),
    ("aten/9", "minus a double"): ([("-alpha", "-alpha.toDouble()")], RIGHT),
    ("aten/9", "times minus one"): ([("-alpha", "-1 * alpha.to<double>()")], RIGHT),
    # The types of parameters count, not their spelling or names.
    ("aten/12", "other names"): (
        [
            (VECTORS, "vec::Vectorized<scalar_t> a, vec::Vectorized<scalar_t> b"),
            (r"other - all \* self", "b - all * a"),
        ],
        RIGHT,
    ),
    ("aten/12", "no type to convert to"): ([(r"to<scalar_t>", "to<>")], "is no type"),
    ("aten/12", "an alias"): (
        [
            ("auto all = ", "using Vec = vec::Vectorized<scalar_t>; auto all = "),
            (VECTORS, "Vec self, Vec other"),
        ],
        RIGHT,
    ),
    ("aten/12", "const references"): (
        [
            (
                VECTORS,
                "const vec::Vectorized<scalar_t>& self, const vec::Vectorized<scalar_t>& other",
            )
        ],
        RIGHT,
    ),
    ("aten/12", "the compiler finds the type"): ([(VECTORS, "auto self, auto other")], RIGHT),
    ("aten/12", "elements for vectors"): (
        [(VECTORS, "scalar_t self, scalar_t other")],
        "this function is given vectors: `self` is a float",
    ),
    ("aten/12", "vectors for elements"): (
        [(r"\(scalar_t self, scalar_t other\)", f"({VECTORS})")],
        "this function is given single elements",
    ),
    # What a kernel calls is named if nobody knows it.
    ("aten/4", "an unknown function"): ([(r"x\.add\(y, by\)", "mix(x, y, by)")], "`mix`"),
    ("aten/4", "itself"): (
        [(r"x\.add\(y, by\)", "blend_by_cpu(x, y, by)")],
        "`blend_by_cpu` is called too deeply: does it end?",
    ),
    ("aten/6", "an unknown function"): (
        [(r"at::_ops::add_Tensor::redispatch\(", "pass_on(")],
        "nothing is known of `pass_on`",
    ),
    ("aten/6", "another unknown one"): (
        [(r"at::_ops::add_Tensor::redispatch\(", "at::redispatch::add(")],
        "nothing is known of `at::redispatch::add`",
    ),
    ("aten/7", "an unknown function"): ([(r"x\.add\(y, 1\)\.add\(.*\)", "lerp(x, y)")], "`lerp`"),
    ("aten/6", "one argument too few"): (
        [("other, self, alpha", "other, self")],
        "at::_ops::add_Tensor takes 3 arguments, and gets 2",
    ),
    ("aten/6", "all keys again"): (
        [("ks & c10::after_autograd_keyset", "ks")],
        "comes back to itself",
    ),
    ("aten/1", "for another device"): ([("CPU, m", "CUDA, m")], "has a kernel for CUDA"),
    ("aten/1", "no kernel"): ([("m.impl.*", "")], "has no kernel; it should have one for CPU"),
    ("aten/1", "all in one block"): (
        [
            (
                r"\"\);\n\}\n\nTORCH_LIBRARY_IMPL\(.*\n.*;",
                '", torch::dispatch(c10::kCPU, &square_cpu));',
            )
        ],
        RIGHT,
    ),
    # A mapping may return in braces, or in each branch.
    ("fluid/6", "braces"): ([(r"return KernelSignature\((.*)\);", r"return {\1};")], RIGHT),
    ("fluid/6", "swapped names"): (
        [(r"\"MaxLenTensor\" : \"maxlen\"", '"maxlen" : "MaxLenTensor"')],
        "the mapping says of attributes: MaxLenTensor, out_dtype; it should be: maxlen, out_dtype",
    ),
    # Rows are told as one speaks of them.
    ("fluid/3", "an input that is always there"): (
        [(r"const paddle::optional<DenseTensor>& bias", "const DenseTensor& bias")],
        "input 2 of row_norm on CPU has the type const phi::DenseTensor&",
    ),
    ("phi/7", "for each type"): (
        [(r"if \(.*\) ", "")],
        "output 1 of moments on CPU for float64 has the data type float32; it should be float64",
    ),
    ("phi/7", "a condition at once"): (
        [
            (
                r"  if .*\n.*\n.*\n",
                "  const auto T = kernel_key.dtype();\n  kernel->OutputAt(1).SetDataType("
                "T == phi::DataType::FLOAT16 ? phi::DataType::FLOAT32 : T);\n",
            )
        ],
        RIGHT,
    ),
    ("phi/2", "a name that isn't there"): (
        [("phi::SignKernel", "SignKernel")],
        "`SignKernel` is not declared: a compiler stops here",
    ),
    ("phi/2", "a using"): ([("PD_REG", "using phi::SignKernel;\nPD_REG")], RIGHT),
    ("fluid/2", "another factor"): (
        [("1.0f", "0.0f")],
        "of alpha, the maker of axpy says: float alpha = 0.0; it should say: float alpha = 1.0",
    ),
    ("fluid/2", "an integer for a float"): ([("1.0f", "1")], RIGHT),
    ("fluid/7", "a variable for the dims"): (
        [(r"  out->set_dims\(label.dims\(\)\);", "  auto d = label.dims(); out->set_dims(d);")],
        RIGHT,
    ),
    ("macros/1", "through another macro"): (
        [(r"#define.*", "#define SQ(y) ((y) * (y))\n#define SQUARE(x) SQ(x)")],
        RIGHT,
    ),
    ("macros/1", "a statement expression"): (
        [(r"#define.*", "#define SQUARE(x) ({ int y = (x); y * y; })")],
        "int is neither a macro nor an integer constant",
    ),
    ("macros/6", "GNU's comma"): (
        [(r"SEVENTH\(0 .*, 5", "SEVENTH(0, ##__VA_ARGS__, 5")],
        RIGHT,
    ),
    # Two fallbacks for one key: in PyTorch's own words.
    ("aten/7", "a second fallback"): (
        [
            (
                r"\Z",
                "TORCH_LIBRARY_IMPL(_, AutogradCPU, m) {\n"
                "  m.fallback(torch::CppFunction::makeFromBoxedFunction<&between_autograd>());\n}\n",
            )
        ],
        "Tried to register multiple backend fallbacks for the same dispatch key AutogradCPU",
    ),
    # A body may be empty; one that isn't is run.
    ("phi/15", "greater for less"): (
        [(EMPTY, LOOP.replace("a[i] <", "a[i] >"))],
        "makes [False, True, False]",
    ),
    ("phi/15", "less or equal"): (
        [(EMPTY, LOOP.replace("a[i] <", "a[i] <="))],
        "makes [True, False, True]",
    ),
    ("phi/15", "tensors compared"): (
        [(EMPTY, "{ bool less = x > y; }")],
        "there is no `>` for `DenseTensor`",
    ),
    ("phi/15", "an undeclared function"): ([(EMPTY, "{ foo(3); }")], "`foo` is not known here"),
    ("phi/15", "an undeclared variable"): (
        [(EMPTY, "{" + ALLOC + "for (int i = 0; i < n; ++i) to[i] = true; }")],
        "`n` is not known here",
    ),
    ("phi/15", "no memory"): ([(EMPTY, LOOP.replace(ALLOC, DATA))], "the output has no memory yet"),
    ("phi/15", "memory for T"): ([(EMPTY, LOOP.replace("bool", "T"))], "memory for float32"),
    ("phi/15", "the last one forgotten"): (
        [(EMPTY, LOOP.replace("x.numel()", "x.numel() - 1"))],
        "makes [True, False, nothing]",
    ),
    ("phi/15", "one too many"): ([(EMPTY, LOOP.replace("i < x", "i <= x"))], "out of range"),
    ("phi/15", "data of another type"): (
        [(EMPTY, LOOP.replace("x.data<T>", "x.data<double>"))],
        "the tensor holds float32, and data<T>() asks for float64",
    ),
    ("phi/15", "declared only"): ([(EMPTY, ";")], "is declared and never defined"),
    ("phi/15", "a loop"): ([(EMPTY, LOOP)], RIGHT),
    ("phi/15", "a loop by an index"): (
        [(EMPTY, LOOP.replace("int64_t i", "size_t i").replace("++i", "i++"))],
        RIGHT,
    ),
    ("phi/15", "the other way round"): (
        [(EMPTY, LOOP.replace("a[i] < b[i]", "b[i] > a[i]"))],
        RIGHT,
    ),
    ("phi/15", "a condition"): (
        [(EMPTY, LOOP.replace("a[i] < b[i]", "a[i] < b[i] ? true : false"))],
        RIGHT,
    ),
    ("fluid/11b", "memory of the wrong type"): (
        [(EMPTY, "{ dev_ctx.template Alloc<T>(y); }")],
        "gives its output memory for float64; it should be int64",
    ),
    ("fluid/11b", "memory by the attribute"): (
        [(EMPTY, "{ dev_ctx.Alloc(y, out_dtype); }")],
        RIGHT,
    ),
    # Where there is CUDA, and where there isn't.
    ("phi/12", "only with CUDA"): (
        [(r"(PD_REGISTER_KERNEL\(relu, GPU.*)", "#ifdef PADDLE_WITH_CUDA\n\\1\n#endif")],
        RIGHT,
    ),
    ("phi/12", "with CUDA or HIP"): (
        [
            (
                r"(PD_REGISTER_KERNEL\(relu, GPU.*)",
                "#if defined(PADDLE_WITH_CUDA) || defined(PADDLE_WITH_HIP)\n\\1\n#endif",
            )
        ],
        RIGHT,
    ),
    ("phi/12", "only without CUDA"): (
        [(r"(PD_REGISTER_KERNEL\(relu, GPU.*)", "#ifndef PADDLE_WITH_CUDA\n\\1\n#endif")],
        "relu with (GPU, NCHW, float32) comes out as: fell back to the CPU; it should be: found",
    ),
}


def named(case):
    id, what = case
    return f"{id}-{what.replace(' ', '-')}"


@pytest.mark.parametrize("case", ANSWERS, ids=named)
def test_an_answer_is_judged_by_what_it_does(case):
    edits, message = ANSWERS[case]
    failed = judged(case[0], edits).failed
    assert (message in failed and failed) if message else not failed, failed


def test_what_a_body_is_refused_for_has_its_line():
    read = lesson.load(lesson.find("fluid/12"))
    (exercise,) = (exercise for _, exercise in read.exercises())
    lines = read.text(exercise.solution).splitlines()
    at = next(n for n, line in enumerate(lines) if "Alloc<T>" in line)
    lines.insert(at + 1, "  goto nowhere;")
    verdict = checks.check(read, exercise, "\n".join(lines) + "\n")
    assert verdict.failed
    assert verdict.where is not None
    assert verdict.where.line == at + 2

"""The flags that only a compiler understands, and which of them may reach one.

`-fopenmp` defines a macro, `-march=native` some dozens, `-nostdinc` takes folders away: what, each
compiler knows for itself. So the compiler is asked, with these flags among its words (`ask_compiler`).

But flags also come from a `compile_commands.json`, which may be a stranger's, and gcc runs programs
that a flag names, even where it only preprocesses: `-B`, `-wrapper`, `-fplugin=`, `-specs=`. So what
reaches a compiler is written down here, and compared whole: a flag that is not in these lists, and one
that begins like one of them, never does.
"""

from __future__ import annotations

import re

_PROCESSOR = """
    3dnow 3dnowa abm adx aes amx-bf16 amx-int8 amx-tile avx avx2 avx512f avx512cd avx512er avx512pf
    avx512bw avx512dq avx512vl avx512ifma avx512vbmi avx512vbmi2 avx512vnni avx512bitalg
    avx512vpopcntdq avx512bf16 avx512fp16 avx512vp2intersect avxvnni avxifma avxneconvert
    avxvnniint8 bmi bmi2 cldemote clflushopt clwb clzero crc32 cx16 enqcmd f16c fma fma4 fsgsbase fxsr
    gfni hle hreset kl lwp lzcnt mmx movbe movdir64b movdiri mwaitx pclmul pconfig pku popcnt prefetchi
    prefetchwt1 prfchw ptwrite raoint rdpid rdrnd rdseed rtm sahf serialize sgx sha shstk sse sse2 sse3
    sse4 sse4.1 sse4.2 sse4a ssse3 tbm tsxldtrk uintr vaes vpclmulqdq waitpkg wbnoinvd widekl xop xsave
    xsavec xsaveopt xsaves fentry indirect-branch-register indirect-branch-cs-prefix record-mcount
    retpoline skip-rax-setup 80387 fp-ret-in-387 general-regs-only soft-float hard-float red-zone recip
    ieee-fp ms-bitfields outline-atomics thumb unaligned-access strict-align relax
"""
_FEATURE = """
    aligned-new asynchronous-unwind-tables associative-math blocks builtin char8_t common concepts
    coroutines cx-fortran-rules cx-limited-range cxx-exceptions data-sections exceptions fast-math
    finite-math-only freestanding function-sections gnu-tm gnu89-inline hosted implicit-templates
    inline jump-tables lto math-errno modules-ts ms-compatibility ms-extensions non-call-exceptions
    omit-frame-pointer openacc openmp openmp-simd optimize-sibling-calls permissive pic PIC pie PIE plt
    reciprocal-math rounding-math rtti semantic-interposition short-enums short-wchar signaling-nans
    signed-char signed-zeros sized-deallocation stack-clash-protection stack-protector
    stack-protector-all stack-protector-explicit stack-protector-strong strict-aliasing
    strict-overflow strong-eval-order threadsafe-statics trapping-math trapv tree-vectorize
    unroll-loops unsafe-math-optimizations unsigned-char unwind-tables wrapv
    visibility-inlines-hidden delete-null-pointer-checks merge-all-constants merge-constants ident
    allow-store-data-races conserve-stack var-tracking var-tracking-assignments partial-inlining
    ipa-cp-clone ipa-icf ipa-sra tree-ter tree-loop-distribute-patterns tree-slp-vectorize gcse
    code-hoisting reorder-blocks schedule-insns schedule-insns2 zero-initialized-in-bss split-stack
    elide-constructors operator-names gnu-unique keep-inline-functions implicit-inline-templates
    integrated-as strict-volatile-bitfields fat-lto-objects addrsig standalone-debug reg-struct-return
    pcc-struct-return stack-check guess-branch-probability zero-call-used-regs
"""
_WITH_VALUE = {
    "m": "abi align-data arch branch-protection cmodel cpu float-abi fpmath fpu function-return "
    "harden-sls indirect-branch preferred-stack-boundary regparm stack-alignment stack-protector-guard "
    "stack-protector-guard-offset stack-protector-guard-reg stack-protector-guard-symbol tls-dialect "
    "tune",
    "f": "abi-version aligned-new cf-protection constexpr-depth excess-precision fp-contract "
    " ms-compatibility-version no-sanitize align-functions align-jumps align-labels "
    "align-loops inline-limit lto openmp-version patchable-function-entry sanitize "
    "stack-protector-guard trivial-auto-var-init zero-call-used-regs "
    "template-depth visibility",
}

_ONE_OF = {
    "processor": "|".join(map(re.escape, _PROCESSOR.split())),
    "feature": "|".join(map(re.escape, _FEATURE.split())),
    "m": "|".join(_WITH_VALUE["m"].split()),
    "f": "|".join(_WITH_VALUE["f"].split()),
}
_LISTED = (
    r"-O(?:[0-3sgz]|fast)?",
    r"-m(?:32|64|x32|16)",
    rf"-m(?:no-)?(?:{_ONE_OF['processor']})",
    rf"-f(?:no-)?(?:{_ONE_OF['feature']})",
    rf"-m(?:{_ONE_OF['m']})=[\w.,+-]+",
    rf"-f(?:{_ONE_OF['f']})=[\w.,+-]+",
    r"-pthread|-undef|-nostdinc|-nostdinc\+\+|-trigraphs|-stdlib=(?:libc|libstdc)\+\+",
    r"--target=[\w.+-]+",
    r"--sysroot=/[^\0]*",
    r"-fno-builtin-[A-Za-z_]\w*",
    r"-f(?:input|exec)-charset=(?i:utf-?8)",  # as files are read; what differs is refused
    r"-f(?:macro|file)-prefix-map=[^\0]*=[^\0]*",
)
_REACHES = re.compile("|".join(f"(?:{form})" for form in _LISTED))
_DRIVERS = r"(?:[a-z0-9_]+-){0,4}(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+)(?:-[0-9]+(?:\.[0-9]+)*)?"
_KNOWN = re.compile(_DRIVERS)


def may_reach(word: str) -> bool:
    """Whether a compiler may be started with this word. A folder that it names is absolute."""
    return _REACHES.fullmatch(word) is not None


def is_compiler(name: str) -> bool:
    """Whether this is how a gcc or clang is called, `clang-14` and `aarch64-linux-gnu-gcc` too: such
    a one is asked where it is on PATH. It is a name, never a path."""
    return _KNOWN.fullmatch(name) is not None

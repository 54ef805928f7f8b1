"""Files in the shapes that extensions have: what they need stands in headers, or nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from registry_runtime.cxx import Code
from registry_runtime.phi.call.kernel_call import instance_of
from registry_runtime.phi.kernel_template import KernelError
from visualizer.cli import main
from visualizer.expansion import Options
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.samples import samples_folder

ATEN = Options(include_folders=(str(samples_folder() / "aten"),), cc="none")
PHI = Options(include_folders=(str(samples_folder() / "phi"),), cc="none")


def opened(folder: Path, options: Options = ATEN, **files: str) -> Workbench:
    """`a_h="…"` is a.h; a.cc is opened."""
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    return open_file(folder / "a.cc", options)


def said(bench: Workbench) -> list[str]:
    """Each diagnostic as `LINE:COLUMN severity message`, with the file where that isn't a.cc."""
    return [
        f"{Path(d.where.file).name.removeprefix('a.cc')}{d.where.line}:{d.where.column} "
        f"{d.severity} {d.message}"
        for d in bench.diagnostics
    ]


def listed(bench: Workbench) -> list[tuple[str, str, str]]:
    entries = (entry.registration for entry in bench.entries)
    return [(r.kernel_name, str(r.key), str(r.function)) for r in entries]


HEADER = """\
#pragma once
using Tensor = at::Tensor;
namespace shop {
using Many = std::vector<Tensor>;
typedef Many tensor_list;
Tensor sold(const Tensor& x);
Tensor counted(tensor_list l, const Tensor& x);
#define DECLARED_AS(name) Tensor name##Kernel(const Many& y)
DECLARED_AS(Packed);
}
"""


def test_functions_aliases_and_what_a_macro_declares_are_found_in_headers(tmp_path: Path) -> None:
    block = """\
#include "library.h"
#include "a.h"
TORCH_LIBRARY(shop, m) {
  m.def("sold", TORCH_FN(shop::sold));
  m.def("counted", shop::counted);
  m.def("packed", &shop::PackedKernel);
}
"""
    bench = opened(tmp_path, a_h=HEADER, a_cc=block)
    assert said(bench) == []
    schemas = [function for _, key, function in listed(bench) if key == "schema"]
    assert schemas == [
        "shop::sold(Tensor _0) -> Tensor _0",
        "shop::counted(Tensor[] _0, Tensor _1) -> Tensor _0",
        "shop::packed(Tensor[] _0) -> Tensor _0",
    ]


ONCE_MORE = """\
#include "library.h"
#include "a.h"
using Tensor = at::Tensor;
TORCH_LIBRARY(shop, m) {
  m.def("paired", shop::paired);
  m.def("wrapped", shop::inner::wrapped);
}
at::Tensor shop::inner::wrapped(const at::Tensor& x) { return x; }
"""


def test_what_the_file_declares_only_further_down_may_stand_in_a_header_too(
    tmp_path: Path,
) -> None:
    header = """\
#pragma once
using Tensor = at::Tensor;
namespace shop {
std::tuple<Tensor, std::vector<Tensor>> paired(const Tensor& x);
namespace inner { Tensor wrapped(const Tensor& x); }
}
"""
    bench = opened(tmp_path, a_h=header, a_cc=ONCE_MORE)
    assert said(bench) == []
    assert [function for _, key, function in listed(bench) if key == "schema"] == [
        "shop::paired(Tensor _0) -> (Tensor _0, Tensor[] _1)",
        "shop::wrapped(Tensor _0) -> Tensor _0",
    ]


WITHIN = """\
#include "library.h"
#include "a.h"
namespace shop::one {
#include "a.inc"
}
at::Tensor sold(const at::Tensor& x, int64_t n);
TORCH_LIBRARY(shop, m) {
  m.def("sold", sold);
  m.def("sold_one", shop::one::sold);
  m.def("sold_two", shop::two::sold);
}
"""


def test_what_is_included_inside_of_a_namespace_is_declared_in_that_one(tmp_path: Path) -> None:
    header = '#pragma once\nnamespace shop { ; namespace two {\n#include "a.inc"\n}; };\n'
    declares = "at::Tensor sold(const at::Tensor& x);\n"
    bench = opened(tmp_path, a_h=header, a_inc=declares, a_cc=WITHIN)
    assert said(bench) == []
    assert [function for _, key, function in listed(bench) if key == "schema"] == [
        "shop::sold(Tensor _0, int _1) -> Tensor _0",
        "shop::sold_one(Tensor _0) -> Tensor _0",
        "shop::sold_two(Tensor _0) -> Tensor _0",
    ]


STUBS = """\
#pragma once
#include "dispatch_stub.h"
#include "tensor_meta.h"
namespace at::native {
using sold_fn = void (*)(TensorIteratorBase&);
DECLARE_DISPATCH(sold_fn, sold_stub)
}
"""
DEVICES = ["CUDA", "HIP", "XPU", "HPU", "MPS", "MTIA", "PRIVATEUSE1"]


@pytest.mark.parametrize("device", DEVICES)
def test_a_devices_slot_is_filled_of_a_stub_that_only_a_header_declares(
    device: str, tmp_path: Path
) -> None:
    slot = f"""\
#include "a.h"
namespace at::native {{
void sold_kernel(TensorIteratorBase& iter) {{}}
REGISTER_{device}_DISPATCH(sold_stub, &sold_kernel)
}}
"""
    bench = opened(tmp_path, a_h=STUBS, a_cc=slot)
    assert said(bench) == []
    key = {"HIP": "CUDA", "PRIVATEUSE1": "PrivateUse1"}.get(device, device)
    assert listed(bench) == [("sold_stub", key, "at::native::sold_kernel")]


UNREAD = """\
#include "library.h"
{include}
struct Till;
int open_till(const {type}& d, int64_t n);
TORCH_LIBRARY(shop, m) {{
  m.def("open", open_till);
  m.def("shut(Tensor x) -> Tensor");
}}
"""


def test_an_entry_whose_signature_is_unknown_is_listed_and_the_block_goes_on(
    tmp_path: Path,
) -> None:
    bench = opened(tmp_path, a_cc=UNREAD.format(include='#include "till.h"', type="shop::Drawer"))
    told = "nothing is known of `shop::Drawer`: the signature of open_till is unknown"
    assert said(bench)[1:] == [f"4:15 warning {told}"]
    assert bench.diagnostics[1].code is Code.UNKNOWN_SIGNATURE
    assert listed(bench)[1:] == [
        ("shop::open", "schema", "signature unknown"),
        ("shop::open", "CompositeImplicitAutograd", "open_till, signature unknown"),
        ("shop::shut", "schema", "shop::shut(Tensor x) -> Tensor"),
    ]


@pytest.mark.parametrize(
    ("type", "told", "hint"),
    [
        ("at::Tensro", "4:25 error `at::Tensro` is not known here", "did you mean `at::Tensor`?"),
        ("shop::Drawer", "4:21 error `shop` is not known here", ""),
    ],
)
def test_a_type_that_nothing_declares_is_an_error_where_all_headers_are_found(
    type: str, told: str, hint: str, tmp_path: Path
) -> None:
    bench = opened(tmp_path, a_cc=UNREAD.format(include="", type=type))
    assert said(bench) == [told]
    assert bench.diagnostics[0].hint.startswith(hint)
    assert [function for *_, function in listed(bench)][2] == "open_till, signature unknown"


NOBODY = """\
#include "library.h"
{include}
TORCH_LIBRARY_FRAGMENT(shop, m) {{
  m.impl("one", &shop::one);
  m.def("two(Tensor x) -> Tensor");
}}
TORCH_LIBRARY_IMPL(shop, CPU, m) {{ m.impl("one", &shop::one); }}
"""


def test_each_statement_that_fails_is_told_and_how_many_did_not(tmp_path: Path) -> None:
    bench = opened(tmp_path, a_cc=NOBODY.format(include=""))
    assert said(bench) == [
        "4:18 error `shop` is not known here",
        "7:51 error `shop` is not known here",
    ]
    assert bench.diagnostics[0].hint.endswith("1 of the 2 statements of this block registered")
    assert [name for name, *_ in listed(bench)] == ["shop::two"]


def test_what_a_missing_header_may_declare_is_registered_and_the_header_named(
    tmp_path: Path,
) -> None:
    bench = opened(tmp_path, a_cc=NOBODY.format(include='#include "till.h"'))
    assert [d.severity for d in bench.diagnostics] == ["error", "warning", "warning"]
    assert "till.h" in bench.diagnostics[1].hint
    keys = [(name, key) for name, key, _ in listed(bench)]
    assert keys == [
        ("shop::one", "CompositeImplicitAutograd"),
        ("shop::two", "schema"),
        ("shop::one", "CPU"),
    ]


MISSPELT = """\
#include "kernel_registry.h"
{include}
namespace phi {{
template <typename T, typename Context>
void TillKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {{}}
}}
PD_REGISTER_KERNEL(till, CPU, ALL_LAYOUT, phi::TilllKernel, float) {{}}
"""


def test_a_misspelt_kernel_is_an_error_unless_a_header_is_missing(tmp_path: Path) -> None:
    bench = opened(tmp_path, PHI, a_cc=MISSPELT.format(include=""))
    assert said(bench) == ["7:43 error `phi::TilllKernel` is not declared: a compiler stops here"]
    assert bench.diagnostics[0].hint == "did you mean `phi::TillKernel`?"
    bench = opened(tmp_path, PHI, a_cc=MISSPELT.format(include='#include "till.h"'))
    assert [d.severity for d in bench.diagnostics] == ["error", "warning"]
    assert bench.diagnostics[1].hint == "it may be declared in till.h, which isn't found"
    assert len(bench.entries) == 1
    with pytest.raises(KernelError, match=r"no C\+\+ function of that name is declared"):
        instance_of(bench.entries[0].registration.kernel)


@pytest.mark.parametrize("name", ["Till", "ReapTill", "TillBy", "ReapTillBy"])
def test_kernels_that_a_macro_in_a_header_declares_have_their_arguments(
    tmp_path: Path, name: str
) -> None:
    before, behind = name.split("Till")
    header = f"""\
#define TWO_INPUTS(name)                                  \\
  template <typename T, typename Context>                 \\
  void {before}##name##{behind}Kernel(                    \\
      const Context& c, const DenseTensor& x, const DenseTensor& y, DenseTensor* out)
namespace phi {{
TWO_INPUTS(Till);
}}
"""
    if not before:
        header = header.replace("void ##", "void ")
    text = '#include "kernel_registry.h"\n#include "a.h"\n'
    text += f"PD_REGISTER_KERNEL(till, CPU, ALL_LAYOUT, phi::{name}Kernel, float) {{}}\n"
    bench = opened(tmp_path, PHI, a_h=header, a_cc=text)
    assert said(bench) == []
    (entry,) = bench.entries
    assert len(entry.registration.kernel.args_def.input_defs) == 2


FOR_ROCM = """\
#include "library.h"
at::Tensor sold(const at::Tensor& x);
TORCH_LIBRARY(shop, m) {
#if defined(USE_ROCM)
  m.def("sold", sold);
#endif
}
TORCH_LIBRARY_FRAGMENT(other, m) {}
"""


def test_a_block_of_which_nothing_is_left_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.cc"
    path.write_text(FOR_ROCM)
    folders = ["-I", str(samples_folder() / "aten")]
    assert main(["kernels", str(path), *folders]) == 0
    told = capsys.readouterr()
    assert "shop::sold" not in told.out
    lines = [line for line in told.err.splitlines() if ": note: " not in line]
    assert [line.partition("a.cc:")[2] for line in lines] == [
        "3:1: warning: nothing is left in this block of `TORCH_LIBRARY`, so no operator comes of it "
        "(line 4 leaves out what follows it: a -D may bring it)"
    ]
    assert main(["kernels", str(path), *folders, "-D", "USE_ROCM"]) == 0
    told = capsys.readouterr()
    assert "shop::sold" in told.out
    assert "3:1" not in told.err

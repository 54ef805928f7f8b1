"""A program is all its texts: what one file declares another defines, and that is what runs; and what
a call can't do is said at the token that is to blame, in whichever file that stands."""

from pathlib import Path

import numpy as np
import pytest

from registry_runtime.lab.fluid.trial import try_op
from registry_runtime.phi.call.op_call import OpError
from registry_runtime.program import Program
from tests.fluid.texts import told
from visualizer.cli import main
from visualizer.expansion import Options
from visualizer.workbench.bench import Workbench, open_file

FLUID = Path(__file__).parents[2] / "cpp_samples" / "fluid"
OPTIONS = Options(include_folders=(str(FLUID), str(FLUID.parent / "phi")))
X = np.arange(12.0).reshape(3, 4)
DECLARATION = (
    "void TraceInferMeta(const MetaTensor& x, int offset, int axis1, int axis2, MetaTensor* out)"
)


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def infer_meta(body: str) -> str:
    return f'#include "infermeta_utils.h"\nnamespace phi {{\n{DECLARATION} {body}\n}}\n'


class Loaded:
    """The operator between the worlds, with PHI's kernel."""

    def __init__(self) -> None:
        self.program = Program()
        for name in ("between/trace_op.cc", "after/trace_kernel.cc"):
            open_file(FLUID / name, None, self.program)

    def open(self, path: Path) -> Workbench:
        return open_file(path, OPTIONS, self.program)


@pytest.fixture
def loaded() -> Loaded:
    return Loaded()


def token(error: OpError) -> str:
    assert error.span is not None
    return error.source[error.span.start : error.span.end]


class TestBodiesOfOtherTexts:
    def test_an_infermeta_comes_before_pythons(self, loaded: Loaded, tmp_path: Path) -> None:
        fluid = loaded.program.fluid
        before = fluid.call_op("trace", {"Input": X})["Out"].shape
        body = "{ out->set_dims(phi::make_ddim({1, 1})); out->set_dtype(x.dtype()); }"
        bench = loaded.open(write(tmp_path, "unary.cc", infer_meta(body)))
        assert fluid.call_op("trace", {"Input": X})["Out"].shape == (1, 1)
        bench.take_back()
        assert fluid.call_op("trace", {"Input": X})["Out"].shape == before == ()

    def test_its_numbers_have_cpps_types(self, loaded: Loaded, tmp_path: Path) -> None:
        # 3 rows pooled, as any pooling computes it, and a byte that wraps around
        pooled = "int64_t h = (x.dims()[0] - 7) / 2 + 4; int8_t w = 259;"
        many = "auto n = x.dims().size() > 1 ? std::max(x.dims().size(), 1) : 7;"
        body = f"{pooled} {many} out->set_dims(phi::make_ddim({{h, w, n}})); out->set_dtype(x.dtype());"
        loaded.open(write(tmp_path, "unary.cc", infer_meta(f"{{ {body} }}")))
        with pytest.raises(OpError, match=r"InferShape found the dims \[2, 3, 2\] for output Out"):
            loaded.program.fluid.call_op("trace", {"Input": X})

    def test_one_that_leaves_its_output_open(self, loaded: Loaded, tmp_path: Path) -> None:
        loaded.open(write(tmp_path, "unary.cc", infer_meta("{ out->set_dtype(x.dtype()); }")))
        with pytest.raises(
            OpError, match=r"phi::TraceInferMeta leaves .* Out open.*out->set_dims"
        ) as e:
            loaded.program.fluid.call_op("trace", {"Input": X})
        assert token(e.value) == "TraceInferMeta"

    def test_what_is_wrong_in_it_is_pointed_at_there(self, loaded: Loaded, tmp_path: Path) -> None:
        loaded.open(write(tmp_path, "unary.cc", infer_meta("{ out->set_dims(no_such(x)); }")))
        with pytest.raises(OpError) as e:
            loaded.program.fluid.call_op("trace", {"Input": X})
        assert token(e.value) == "no_such"

    def test_a_static_one_is_its_own_texts(self, loaded: Loaded, tmp_path: Path) -> None:
        text = infer_meta("{ out->set_dims(phi::make_ddim({7})); }")
        loaded.open(write(tmp_path, "unary.cc", text.replace("void", "static void", 1)))
        assert loaded.program.fluid.call_op("trace", {"Input": X})["Out"].shape == ()

    def test_an_infermeta_that_nobody_wrote_in_python(self, tmp_path: Path) -> None:
        program = Program()
        named = FLUID.joinpath("between/trace_op.cc").read_text()
        named = named.replace('#include "../', f'#include "{FLUID}/')
        named = named.replace(
            "namespace ops =", f"namespace phi {{ {DECLARATION}; }}\nnamespace ops ="
        )
        named = named.replace("TraceInferMeta", "MineInferMeta")
        open_file(write(tmp_path, "op.cc", named), OPTIONS, program)
        open_file(FLUID / "after" / "trace_kernel.cc", None, program)
        with pytest.raises(OpError, match="MineInferMeta` is declared only"):
            program.fluid.call_op("trace", {"Input": X})
        text = infer_meta("{ out->set_dims(phi::make_ddim({1})); }")
        text = text.replace("TraceInferMeta", "MineInferMeta")
        open_file(write(tmp_path, "unary.cc", text), OPTIONS, program)
        assert program.fluid.call_op("trace", {"Input": X})["Out"].shape == (1,)

    def test_an_argument_mapping(self, loaded: Loaded, tmp_path: Path) -> None:
        head = '#include "op_utils.h"\nnamespace phi { '
        head += "KernelSignature Mapping(const ArgumentMappingContext& ctx)"
        registered = f"{head}; }}\nPD_REGISTER_ARG_MAPPING_FN(trace, phi::Mapping);\n"
        (entry,) = loaded.open(write(tmp_path, "sig.cc", registered)).entries
        assert not entry.registration.runnable
        body = (
            '{ return KernelSignature("trace", {"Input"}, {"offset", "axis2", "axis1"}, {"Out"}); }'
        )
        loaded.open(write(tmp_path, "sig_body.cc", f"{head} {body} }}\n"))
        assert entry.registration.runnable
        signature = loaded.program.phi.op_signature("trace", inputs={"Input": X})
        assert signature.attr_names == ("offset", "axis2", "axis1")


class TestSaidAtTheToken:
    def sig(self, tmp_path: Path, old: str, new: str) -> Path:
        text = (FLUID / "trace_sig.cc").read_text()
        assert old in text
        return write(tmp_path, "sig.cc", text.replace(old, new, 1))

    def test_a_mapping_to_a_kernel_that_there_is_not(self, tmp_path: Path) -> None:
        path = self.sig(tmp_path, 'KernelSignature("trace"', 'KernelSignature("trase"')
        bench = open_file(path, OPTIONS)
        (said,) = told(bench)
        assert said.startswith("warning: no kernel `trase` is registered so far")
        assert said.partition(" @ ")[2].startswith('"trase"')
        assert "trace" in bench.diagnostics[0].hint
        unknown = [bench.program.phi.unknown_kernels(e.registration) for e in bench.entries]
        assert [list(names) for names in unknown] == [["trase"], []]

    def test_a_base_name_that_there_is_not(self, tmp_path: Path) -> None:
        text = '#include "op_utils.h"\nPD_REGISTER_BASE_KERNEL_NAME(elementwise_sub, subtrakt);\n'
        (said,) = told(open_file(write(tmp_path, "b.cc", text), OPTIONS))
        assert "`subtrakt`" in said
        assert said.partition(" @ ")[2].startswith("subtrakt")

    def test_a_call_by_such_a_base_name(self, loaded: Loaded, tmp_path: Path) -> None:
        text = '#include "op_utils.h"\nPD_REGISTER_BASE_KERNEL_NAME(trace, trase);\n'
        loaded.open(write(tmp_path, "b.cc", text))
        with pytest.raises(OpError, match=r"`trase` is not registered; did you mean `trace`") as e:
            loaded.program.fluid.call_op("trace", {"Input": X})
        assert token(e.value) == '"trase"'

    def test_samples_are_read_without_their_kernels(self) -> None:
        for name in ("trace_sig.cc", "elementwise_sig.cc", "scale_sig.cc"):
            bench = open_file(FLUID / name)
            assert not bench.diagnostics
            assert not any(bench.program.phi.unknown_kernels(e.registration) for e in bench.entries)

    def test_too_few_names(self, loaded: Loaded, tmp_path: Path) -> None:
        old = '{"offset", "axis1", "axis2"}, {"Out"}'
        loaded.open(self.sig(tmp_path, old, '{"offset", "axis1"}, {"Out"}'))
        with pytest.raises(
            OpError, match=r"TraceOpArgumentMapping lists 3 .* takes 4: x, off"
        ) as e:
            try_op(loaded.program.fluid, "trace", size=16)
        assert token(e.value).startswith("KernelSignature")

    def test_a_class_that_reads_what_the_operator_has_not(self, tmp_path: Path) -> None:
        header = (FLUID / "trace_op.h").read_text()
        for folder, (old, new) in enumerate(
            [('("Input")', '("Inputs")'), ('Attr<int>("offset")', 'Attr<int>("offsets")')]
        ):
            assert old in header
            beside = tmp_path / str(folder)
            beside.mkdir()
            write(beside, "trace_op.h", header.replace(old, new))
            path = write(beside, "trace_op.cc", (FLUID / "trace_op.cc").read_text())
            program = open_file(path, OPTIONS).program
            with pytest.raises(OpError, match=r"Inputs|offsets") as e:
                program.fluid.call_op("trace", {"Input": X})
            assert token(e.value) in ('"Inputs"', '"offsets"')

    def test_run_tells_file_and_line(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = self.sig(tmp_path, 'KernelSignature("trace"', 'KernelSignature("trase"')
        files = [FLUID / "between" / "trace_op.cc", FLUID / "after" / "trace_kernel.cc", path]
        words = ["run", "trace", "-I", str(FLUID), "-I", str(FLUID.parent / "phi")]
        assert main([*words, *(w for f in files for w in ("--file", str(f)))]) == 1
        assert f"{path}:11:26: error: trace: The kernel `trase`" in capsys.readouterr().err


def test_a_grad_op_maker_that_fails(tmp_path: Path) -> None:
    text = (FLUID / "trace_op.cc").read_text()
    path = write(tmp_path, "trace_op.cc", text.replace("this->Input(", "this->Inputt("))
    said = told(open_file(path, OPTIONS))
    assert any("trace's grad op maker fails" in s and "Inputt" in s for s in said)
    macro = "BOOST_GET_CONST(int, this->Attrs())"
    text = text.replace("this->Attrs()", macro)
    said = told(
        open_file(
            write(tmp_path, "boost.cc", text.replace('"trace_op.h"', f'"{FLUID}/trace_op.h"'))
        )
    )
    assert any("`BOOST_GET_CONST` takes a type, and is not a macro here" in s for s in said)


def test_phis_types_outside_of_its_namespace(tmp_path: Path) -> None:
    text = (
        '#include "kernel_registry.h"\nnamespace paddle { namespace operators {\n'
        "template <typename T, typename Context>\nvoid MineKernel(const Context& dev_ctx, "
        "const phi::DenseTensor& x, const Scalar& s, phi::DenseTensor* out) {}\n} }\n"
        "PD_REGISTER_KERNEL(mine, CPU, ALL_LAYOUT, paddle::operators::MineKernel, float) {}\n"
    )
    (said,) = open_file(write(tmp_path, "mine.cc", text), OPTIONS).diagnostics
    assert said.hint.startswith("write phi::Scalar, or `using phi::Scalar;`")
    above = text.replace("operators {\n", "operators {\nusing phi::Scalar;\n", 1)
    assert len(open_file(write(tmp_path, "using.cc", above), OPTIONS).entries) == 1


def test_selecting_what_is_an_operator_and_no_kernel(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(FLUID / "elementwise_sig.cc")
    assert main(["kernels", file, "--select", "elementwise_add:CPU:float32"]) == 1
    said = capsys.readouterr().err
    assert "elementwise_add is PHI's kernel add, which these files don't register" in said
    assert "elementwise_sub" not in said


def test_what_is_left_out_without_cuda(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(FLUID / "trace_op.cu.cc")
    assert main(["kernels", file]) == 0
    assert "registers nothing without -D PADDLE_WITH_CUDA" in capsys.readouterr().err
    assert main(["kernels", file, "-D", "PADDLE_WITH_CUDA"]) == 0
    assert "note" not in capsys.readouterr().err


def test_the_registries_say_whose_a_name_is_and_its_form_where_none_has_it(loaded: Loaded) -> None:
    empty = Program()
    asked = ("aten::add.Tensor", "add.Tensor", "add_stub", "trace", "bitwise_and")
    assert [empty.framework_of(name) for name in asked] == ["aten", "aten", "aten", "phi", "phi"]
    program = loaded.program
    open_file(FLUID.parent / "phi" / "bitwise_kernel.cc", None, program)
    named = {name: program.framework_of(name) for name in ("trace", "bitwise_and", "trac")}
    assert named == {"trace": "fluid", "bitwise_and": "phi", "trac": "fluid"}

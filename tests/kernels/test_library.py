"""Looking a kernel up tells what its C++ function takes, and costs no compiler."""

from __future__ import annotations

import ast
import subprocess
import sys
import threading
from itertools import product
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest

from registry_runtime import phi
from registry_runtime.kernels import find, known, library
from registry_runtime.kernels.template import Build, Instance, KernelTemplate
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.parameter_types import Parameter
from tests.waiting import PATIENCE

DEV_CTX = Parameter("dev_ctx", "const Context&")
X = Parameter("x", "const DenseTensor&")
Y = Parameter("y", "const DenseTensor&")
OUT = Parameter("out", "DenseTensor*")


def instance(name: str = "phi::BitwiseAndKernel", dtype: DataType = DataType.INT32) -> Instance:
    template = find(name)
    assert template is not None
    return template.instantiate(dtype, "CPUContext")


def test_importing_the_library_imports_no_compiler() -> None:
    code = (
        "import sys; from registry_runtime.kernels import find;"
        "assert find('phi::BitwiseAndKernel').parameters;"
        "assert not {'numba', 'cupy', 'llvmlite'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=PATIENCE)


def test_a_call_runs_the_file_of_its_kernel_and_no_other() -> None:
    code = """
        import sys
        import numpy
        from visualizer.workbench.samples import samples_folder
        from visualizer.workbench import load
        def read():
            prefix = "registry_runtime.kernels."
            files = [n for n in sys.modules if n.startswith(prefix)]
            return " ".join(sorted(n.removeprefix(prefix) for n in files if has_kernel(n)))
        def has_kernel(name):
            values = vars(sys.modules[name]).values()
            return any(type(value).__name__ == "KernelTemplate" for value in values)
        names = ("send_v2", "scale", "bitwise", "compare")
        loaded = load([samples_folder() / "phi" / f"{name}_kernel.cc" for name in names])
        print(read())
        loaded.call("bitwise_not", numpy.array([True]))
        print(read())
    """
    done = subprocess.run(
        [sys.executable, "-c", dedent(code)],
        check=True,
        timeout=PATIENCE,
        capture_output=True,
        text=True,
    )
    assert done.stdout.splitlines() == ["", "bitwise"]


def test_what_a_files_text_says_of_its_kernels_is_what_they_are() -> None:
    unread = 0
    for template in library():
        head = known(template.name)
        assert head is not None
        unread += not isinstance(head, KernelTemplate)
        assert head.parameters == template.parameters
        assert head.dtypes == template.dtypes
        assert head.backends == template.backends
        assert head.inputs == template.inputs
    assert unread > 40


def test_a_finder_is_handed_to_phi_which_imports_no_kernels() -> None:
    folder = Path(phi.__file__).parent
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            named = [node.module] if isinstance(node, ast.ImportFrom) else []
            named += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            named += [
                f"{node.module}.{alias.name}"
                for alias in getattr(node, "names", ())
                if isinstance(node, ast.ImportFrom)
            ]
            for name in named:
                assert not str(name).startswith("registry_runtime.kernels"), (file, node.lineno)


def test_data_types_need_no_numpy() -> None:
    code = (
        "import sys, importlib.util as u;"
        "s = u.spec_from_file_location('data_type', sys.argv[1]); m = u.module_from_spec(s);"
        "s.loader.exec_module(m); assert str(m.DataType.INT32) == 'int32';"
        "assert 'numpy' not in sys.modules"
    )
    file = sys.modules[DataType.__module__].__file__
    assert file
    subprocess.run([sys.executable, "-c", code, file], check=True, timeout=PATIENCE)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("phi::BitwiseAndKernel", (DEV_CTX, X, Y, OUT)),
        ("phi::BitwiseOrKernel", (DEV_CTX, X, Y, OUT)),
        ("phi::BitwiseXorKernel", (DEV_CTX, X, Y, OUT)),
        ("phi::BitwiseNotKernel", (DEV_CTX, X, OUT)),
        (
            "phi::FullBatchSizeLikeKernel",
            (
                DEV_CTX,
                X,
                Parameter("shape", "const std::vector<int>&"),
                Parameter("val", "const Scalar&"),
                Parameter("dtype", "DataType"),
                Parameter("x_batch_size_dim", "int"),
                Parameter("out_batch_size_dim", "int"),
                OUT,
            ),
        ),
    ],
)
def test_parameters_are_those_of_paddles_header(
    name: str, parameters: tuple[Parameter, ...]
) -> None:
    template = find(name)
    assert template is not None
    assert template.name == name
    assert template.parameters == parameters
    assert template.backends == {"CPU", "GPU"}


def test_a_leading_scope_changes_nothing() -> None:
    assert find("::phi::BitwiseAndKernel") is find("phi::BitwiseAndKernel")


@pytest.mark.parametrize("name", ["phi::ConcatKernel", "BitwiseAndKernel", "bitwise_and", ""])
def test_a_kernel_that_nobody_wrote_is_none(name: str) -> None:
    assert find(name) is None


def test_a_template_has_the_name_that_its_file_gives_it() -> None:
    for template in library():
        name = template.name.rpartition("::")[2]
        own = vars(sys.modules[template.signature.__module__]).get(name)
        assert template is own or own is None or template.name.startswith("custom_cpu::")


def test_the_library_is_sorted_by_name() -> None:
    names = [template.name for template in library()]
    assert names == sorted(names)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("template", library(), ids=lambda template: template.name)
def test_every_kernel_agrees_with_numpy_for_every_data_type(template: KernelTemplate) -> None:
    """As `unfold run NAME --dtype T --check` does."""
    on_host = {"CPU": "CPUContext", "ONEDNN": "OneDNNContext"}
    contexts = [context for backend, context in on_host.items() if backend in template.backends]
    for dtype, context in product(sorted(template.dtypes), contexts):
        kernel = template.instantiate(dtype, context)
        for size in (1, 1000):
            args = kernel.sample_inputs(size, np.random.default_rng(size))
            assert kernel.agrees(args, kernel.launch(*args)), (dtype, size)


def test_agreeing_allows_for_as_many_roundings_as_the_kernel_says() -> None:
    exp, x = instance("phi::ExpKernel", DataType.FLOAT32), np.array([0, 1, np.nan], np.float32)
    right = exp.reference(x)
    near = np.nextafter(right, np.float32(9))
    assert exp.agrees((x,), right)
    assert exp.agrees((x,), near)
    assert not exp.agrees((x,), right * np.float32(1.0001))
    assert not exp.agrees((x,), np.zeros(3, np.float32))
    assert not exp.agrees((x,), right.astype(np.float64))
    assert not exp.agrees((x,), right[:2])
    relu = instance("phi::ReluKernel", DataType.FLOAT32)
    assert not relu.agrees((x,), np.nextafter(relu.reference(x), np.float32(9)))


def test_one_instantiation_is_one_instance() -> None:
    assert instance() is instance()
    assert instance() is not instance(dtype=DataType.INT64)
    assert repr(instance()) == "phi::BitwiseAndKernel<int32, CPUContext>"


def test_threads_that_build_at_once_get_one_build() -> None:
    unused = instance("phi::BitwiseXorKernel", DataType.UINT32)
    builds: list[Build] = []
    threads = [threading.Thread(target=lambda: builds.append(unused.build())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(builds) == 4
    assert len({id(build) for build in builds}) == 1
    assert builds[0].backend == "CPU"
    assert builds[0].compile_seconds > 0


def test_the_first_launch_builds_and_later_ones_go_straight_to_the_build() -> None:
    unused = instance("phi::BitwiseOrKernel", DataType.UINT32)
    x = np.array([1, 2], np.uint32)
    assert unused.launch(x, x).tolist() == [1, 2]
    assert unused.launch is unused.build().launch


def test_a_build_shows_its_machine_code() -> None:
    assert "bitwise_and" in instance().build().code()
    fill = instance("phi::FullBatchSizeLikeKernel").build()
    assert "fill" in fill.code()


class TestErrors:
    def test_a_context_that_no_kernel_is_written_for(self) -> None:
        template = find("phi::BitwiseAndKernel")
        assert template is not None
        with pytest.raises(
            KernelError, match="for CPUContext and GPUContext and CustomContext, not for XPUContext"
        ):
            template.instantiate(DataType.INT32, "XPUContext")

    @pytest.mark.parametrize("dtype", [DataType.FLOAT32, DataType.BFLOAT16, DataType.UNDEFINED])
    def test_a_type_that_has_no_such_operator_fails_when_built(self, dtype: DataType) -> None:
        with pytest.raises(
            KernelError, match=f"<{dtype}, CPUContext> makes no sense: T may be bool"
        ):
            instance(dtype=dtype).build()

    def test_shapes_that_do_not_broadcast(self) -> None:
        x, y = np.zeros((2, 3), np.int32), np.zeros(4, np.int32)
        for function in (instance().launch, instance().reference):
            with pytest.raises(KernelError) as caught:
                function(x, y)
            assert str(caught.value) == (
                "phi::BitwiseAndKernel: Broadcast dimension mismatch. Operands could not be "
                "broadcast together with the shape of X = [2, 3] and the shape of Y = [4]. "
                "Received [3] in X is not equal to [4] in Y at i:1."
            )

    def test_a_wrong_dtype_is_refused_and_not_cast(self) -> None:
        x = np.ones(3, np.int32)
        with pytest.raises(KernelError, match="y is int16; cast it to int32, or run the kernel"):
            instance().launch(x, x.astype(np.int16))
        with pytest.raises(KernelError, match="x is float64"):
            instance().launch(np.ones(3), x)

    def test_a_foreign_byte_order_is_refused(self) -> None:
        with pytest.raises(KernelError, match="PHI has no data type for NumPy's >i4"):
            instance().launch(np.ones(3, ">i4"), np.ones(3, ">i4"))

    @pytest.mark.parametrize(
        "value", ["text", None, pytest.param(object(), id="object"), [[1], [2, 3]]], ids=str
    )
    def test_what_is_no_tensor(self, value: object) -> None:
        with pytest.raises(KernelError, match="x must be a const DenseTensor&, not"):
            instance().launch(value, np.ones(3, np.int32))

    def test_a_wrong_number_of_arguments(self) -> None:
        with pytest.raises(KernelError, match=r"takes 2 arguments \(x, y\), got 1"):
            instance().reference(np.ones(3, np.int32))

    @pytest.mark.parametrize(
        ("out", "message"),
        [
            (
                np.zeros(4, np.int32),
                r"out is int32 of shape \(4,\); it must be int32 of shape \(3,\)",
            ),
            (np.zeros(3, np.int64), "out is int64"),
            ([0, 0, 0], "out must be a NumPy array or a DenseTensor, not list"),
            (np.broadcast_to(np.int32(0), (3,)), "out is read-only"),
        ],
        ids=["shape", "dtype", "list", "read-only"],
    )
    def test_an_output_that_cannot_take_the_result(self, out: object, message: str) -> None:
        x = np.ones(3, np.int32)
        with pytest.raises(KernelError, match=message):
            instance().launch(x, x, out=out)

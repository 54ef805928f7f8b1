"""One idiom of Fluid's, and what stands for it in PHI: a line of a body each."""

from pathlib import Path

import pytest

from tests.migration.operator_text import MAKER, body_of, migrated, operator_text, piece

ALIASES = "using Tensor = framework::Tensor;\nusing LoDTensor = framework::LoDTensor;\n\n"
OUT = 'auto* out = ctx.Output<Tensor>("Out");\n'
IN = 'auto* x = ctx.Input<Tensor>("X");\n'


def body(folder: Path, text: str, maker: str = MAKER) -> str:
    found = migrated(folder, operator_text(text, maker, before=ALIASES))
    return body_of(piece(found, "scale_kernel.cc"))


@pytest.mark.parametrize(
    ("fluid", "phi"),
    [
        # the table of 3.2.3, in its order
        ("framework::Tensor tmp;", "DenseTensor tmp;"),
        ("framework::LoDTensor tmp;", "DenseTensor tmp;"),
        ("LoDTensor tmp;", "DenseTensor tmp;"),
        ("std::vector<Tensor> all;", "std::vector<DenseTensor> all;"),
        ("Functor<DeviceContext, T> f;", "Functor<Context, T> f;"),
        (OUT + "out->mutable_data<T>(ctx.GetPlace());", "dev_ctx.template Alloc<T>(out);"),
        (
            OUT + "auto place = ctx.GetPlace();\nT* p = out->mutable_data<T>(place);",
            "auto place = dev_ctx.GetPlace();\nT* p = dev_ctx.template Alloc<T>(out);",
        ),
        (OUT + "auto* p = out->mutable_data<T>();", "auto* p = out->data<T>();"),
        (
            OUT + "auto* p = out->mutable_data<T>({2, 3}, ctx.GetPlace());",
            "out->Resize({2, 3});\nauto* p = dev_ctx.template Alloc<T>(out);",
        ),
        (
            OUT + "out->mutable_data(ctx.GetPlace(), dtype);",
            "dev_ctx.Alloc(out, dtype);",
        ),
        (
            "Tensor t;\nt.mutable_data<T>(ctx.GetPlace());",
            "DenseTensor t;\ndev_ctx.template Alloc<T>(&t);",
        ),
        (
            OUT + "out->mutable_data<T>(platform::CPUPlace());",
            "dev_ctx.template HostAlloc<T>(out);",
        ),
        (
            OUT + "auto cpu = platform::CPUPlace();\nout->mutable_data<T>(out->dims(), cpu);",
            "auto cpu = phi::CPUPlace();\nout->Resize(out->dims());\n"
            "dev_ctx.template HostAlloc<T>(out);",
        ),
        (
            OUT + "platform::CPUPlace cpu;\nauto same = cpu;\nout->mutable_data<T>(same);",
            "phi::CPUPlace cpu;\nauto same = cpu;\ndev_ctx.template HostAlloc<T>(out);",
        ),
        (
            OUT + "auto cpu = platform::CPUPlace();\nout->mutable_data(cpu, dtype);",
            "auto cpu = phi::CPUPlace();\ndev_ctx.HostAlloc(out, dtype);",
        ),
        (
            'Throw(platform::errors::NotFound("platform::errors"));',
            'Throw(errors::NotFound("platform::errors"));',
        ),
        ("platform::bfloat16 b;", "dtype::bfloat16 b;"),
        ("paddle::platform::complex128 c;", "dtype::complex<double> c;"),
        ("platform::complex<T> c;", "dtype::complex<T> c;"),
        (
            "auto e = framework::EigenVector<T>::Flatten(tmp);",
            "auto e = EigenVector<T>::Flatten(tmp);",
        ),
        ("platform::CUDAPlace gpu;", "phi::GPUPlace gpu;"),
        (
            "auto e = framework::DefaultCPUGenerator()->GetCPUEngine();",
            "auto e = dev_ctx.GetGenerator()->GetCPUEngine();",
        ),
        ("framework::LoD lod;", "phi::LoD lod;"),
        (
            IN + OUT + "framework::TensorCopy(*x, ctx.GetPlace(), out);",
            "phi::Copy(dev_ctx, x, dev_ctx.GetPlace(), false, out);",
        ),
        (
            IN + OUT + "framework::TensorCopySync(*x, platform::CPUPlace(), out);",
            "phi::Copy(dev_ctx, x, phi::CPUPlace(), true, out);",
        ),
        (
            "if (platform::is_gpu_place(ctx.GetPlace())) return;",
            "if (dev_ctx.GetPlace().GetType() == phi::AllocationType::GPU) return;",
        ),
        (
            "bool b = !platform::is_cpu_place(p);",
            "bool b = !(p.GetType() == phi::AllocationType::CPU);",
        ),
        # macros and operators that take a type, and conditionals that hold no whole statement
        (
            "auto* v = BOOST_GET(framework::VarDesc *, vars[0]);\n"
            "F(BOOST_GET_CONST(std::vector<int>, a), PADDLE_GET_CONST(bool, b));",
            "auto* v = BOOST_GET(framework::VarDesc *, vars[0]);\n"
            "F(BOOST_GET_CONST(std::vector<int>, a), PADDLE_GET_CONST(bool, b));",
        ),
        ("if (typeid(float) == typeid(T)) F();", "if (typeid(float) == typeid(T)) F();"),
        (
            "if (a) {\nF(platform::CPUPlace());\n}\n#ifdef XPU\nelse if (b) {\n"
            "F(platform::CPUPlace());\n}\n#endif\nelse {\nG();\n}",
            "if (a) {\nF(phi::CPUPlace());\n}\n#ifdef XPU\nelse if (b) {\n"
            "F(phi::CPUPlace());\n}\n#endif\nelse {\nG();\n}",
        ),
        (
            "if (a) {\nF();\n#ifdef XPU\n} else if (b) {\nF(platform::CPUPlace());\n#endif\n"
            "} else {\nG();\n}",
            "if (a) {\nF();\n#ifdef XPU\n} else if (b) {\nF(phi::CPUPlace());\n#endif\n"
            "} else {\nG();\n}",
        ),
        # 3.2.2: what was asked of the context
        (IN + "auto n = x->numel();", "auto n = x.numel();"),
        (IN + "F(x, *x, (*x).dims(), x->dims()[0]);", "F(&x, x, (x).dims(), x.dims()[0]);"),
        ('auto& x = *ctx.Input<Tensor>("X");\nF(x);', "F(x);"),
        ('F(ctx.Input<Tensor>("X")->dims());', "F(x.dims());"),
        ('int axis = ctx.Attr<int>("axis");\nF(axis);', "F(axis);"),
        ('auto a = ctx.Attr<int>("axis");\nF(a);', "F(axis);"),
        ('const int64_t a = ctx.Attr<int>("axis");\nF(a);', "const int64_t a = axis;\nF(a);"),
        (
            'const int64_t axis = ctx.Attr<int>("axis");\nF(axis);',
            "const int64_t axis_value = axis;\nF(axis_value);",
        ),
        ('T f = static_cast<T>(ctx.Attr<int>("axis"));', "T f = static_cast<T>(axis);"),
        (
            "auto& dev_ctx = ctx.template device_context<DeviceContext>();\nF(dev_ctx);",
            "F(dev_ctx);",
        ),
        (
            "auto& c = ctx.template device_context<DeviceContext>();\nc.Wait();",
            "dev_ctx.Wait();",
        ),
        (
            "auto& place = *ctx.template device_context<DeviceContext>().eigen_device();",
            "auto& place = *dev_ctx.eigen_device();",
        ),
        # 3.3.1's names
        (
            'auto* v = ctx.InputVar("X");\nauto& x = v->Get<framework::LoDTensor>();\nF(x.dims());',
            "F(x.dims());",
        ),
        ('F(ctx.InputVar("X")->Get<Tensor>().dims());', "F(x.dims());"),
        (
            'framework::Variable* v = ctx.OutputVar("Out");\n'
            "if (v->IsType<LoDTensor>()) F(v->GetMutable<LoDTensor>());",
            "if (true) F(out);",
        ),
        (IN + "auto lod = framework::ToAbsOffset(x->lod());", "auto lod = phi::ToAbsOffset(x.lod());"),
        (IN + "F(framework::vectorize(x->dims()));", "F(phi::vectorize(x.dims()));"),
        (IN + "F(x->type());", "F(x.dtype());"),
        ("platform::ForRange<DeviceContext> r(d, 3);", "phi::funcs::ForRange<Context> r(d, 3);"),
    ],
)  # fmt: skip
def test_an_idiom(fluid: str, phi: str, tmp_path: Path) -> None:
    assert body(tmp_path, fluid) == phi


def test_an_inner_block_may_reuse_a_name(tmp_path: Path) -> None:
    found = body(tmp_path, IN + "F(x->dims());\n{ auto x = G(); F(x->dims()); }")
    assert found == "F(x.dims());\n{ auto x_value = G(); F(x_value->dims()); }"


def test_a_lambda_sees_the_parameter(tmp_path: Path) -> None:
    found = body(tmp_path, IN + "auto f = [&](int i) { return x->dims()[i]; };")
    assert found == "auto f = [&](int i) { return x.dims()[i]; };"


def test_comments_and_strings_are_left_alone(tmp_path: Path) -> None:
    text = (
        '// ctx.Input<Tensor>("X") platform::errors\n'
        'F("framework::Tensor", /* DeviceContext */ R"(ctx.Attr<int>("axis"))");'
    )
    assert body(tmp_path, text) == text


def test_a_kernel_launch_is_understood(tmp_path: Path) -> None:
    found = body(tmp_path, IN + "Kernel<T><<<grid, 256, 0, s>>>(x->data<T>());")
    assert found == "Kernel<T><<<grid, 256, 0, s>>>(x.data<T>());"


@pytest.mark.parametrize(
    ("fluid", "reason"),
    [
        ("auto n = framework::Something();", "no row of the table says what framework::Something"),
        ("F(ctx.OutputVar(\"Out\"));", "a PHI kernel is given tensors and no variables"),
        (
            'F(ctx.InputVar("X")->Get<phi::SelectedRows>());',
            "one kernel for each type of tensor",
        ),
        ('auto* y = ctx.Input<Tensor>("Y");', '"Y" is no name of the operator\'s maker'),
        ("auto* y = ctx.Input<Tensor>(name);", "which name is meant is only known when this runs"),
        ("Elsewhere(ctx);", "the whole context is handed on"),
        ("math::Gather<T>(1);", "math::Gather is Fluid's"),
    ],
)  # fmt: skip
def test_what_has_no_row_is_marked_in_place(fluid: str, reason: str, tmp_path: Path) -> None:
    found = migrated(tmp_path, operator_text(fluid, before=ALIASES))
    (mark,) = found.left
    assert reason in mark.reason
    lines = piece(found, "cpu/scale_kernel.cc").split("\n")
    (at,) = [i for i, line in enumerate(lines) if "TODO(migrate)" in line]
    assert reason in lines[at]
    assert lines[at + 1].strip() == fluid.replace("<Tensor>", "<DenseTensor>")
    assert mark.idiom in fluid


@pytest.mark.parametrize(
    "place",
    [
        "auto p = ctx.GetPlace();\nif (small) p = platform::CPUPlace();",
        "platform::Place p;\nFill(&p);",
        "auto p = small ? platform::CPUPlace() : ctx.GetPlace();",
    ],
)
def test_a_place_that_may_be_another_is_for_a_person(place: str, tmp_path: Path) -> None:
    text = operator_text(f"{OUT}{place}\nout->mutable_data<T>(p);", before=ALIASES)
    assert "whose memory is this?" in "".join(mark.reason for mark in migrated(tmp_path, text).left)


def test_a_group_that_nobody_reads_is_marked(tmp_path: Path) -> None:
    text = (
        "Start();\n#ifdef A\nfor (int i = 0; i < 2; ++i) {\n#else\n"
        "for (auto p = platform::CPUPlace();;) {\n#endif\nF();\n}"
    )
    found = migrated(tmp_path, operator_text(text))
    (mark,) = found.left
    assert "another branch of the #if here is as it was" in mark.reason
    assert "platform::CPUPlace()" in piece(found, "cpu/scale_kernel.cc")


def test_types_under_a_condition_are_for_a_person(tmp_path: Path) -> None:
    text = operator_text("F();").replace(
        "ops::TestKernel<plat::CPUDeviceContext, plat::float16>",
        "\n#ifdef A\n ops::TestKernel<plat::CPUDeviceContext, plat::float16>,\n#endif\n"
        " ops::TestKernel<plat::CPUDeviceContext, int>",
    )
    found = migrated(tmp_path, text)
    kernel = piece(found, "cpu/scale_kernel.cc")
    assert "float,\n                   phi::dtype::float16,\n                   int) {}" in kernel
    assert "// TODO(migrate): some of these types stood under an #if" in kernel
    assert [m.reason for m in found.left] == [
        "some of these types stood under an #if: put it around them again"
    ]

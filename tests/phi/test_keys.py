"""The three coordinates of a kernel: their values and printed forms, and the key that packs them."""

import pytest

from registry_runtime.phi import (
    Backend,
    CustomRegisteredDeviceMap,
    DataLayout,
    DataType,
    KernelKey,
    string_to_backend,
)
from registry_runtime.phi.data_type import trans_to_phi_data_type
from registry_runtime.phi.place import CPUPlace, CustomPlace, GPUPinnedPlace


def test_backends_have_paddles_values_and_printed_forms() -> None:
    printed = ["Undefined", "CPU", "ONEDNN", "GPU", "GPUDNN", "XPU", "IPU", "KPS", "CUSTOM"]
    assert [str(Backend(value)) for value in range(9)] == printed
    assert int(Backend.NUM_BACKENDS) == 9
    assert Backend["ALL_BACKEND"] is Backend.UNDEFINED


def test_layouts_have_paddles_values_and_printed_forms() -> None:
    assert [str(DataLayout(value)) for value in range(10)] == [
        *("Undefined(AnyLayout)", "NHWC", "NCHW", "NCDHW", "NDHWC", "ONEDNN"),
        *("SPARSE_COO", "SPARSE_CSR", "PSTRING_UNION", "STRIDED"),
    ]
    anything = {DataLayout[name] for name in ("ANY", "ALL_LAYOUT", "kAnyLayout", "UNDEFINED")}
    assert anything == {DataLayout.UNDEFINED}
    assert DataLayout["kMKLDNN"] is DataLayout.ONEDNN


def test_coordinates_print_their_names_in_format_strings_too() -> None:
    assert f"{Backend.GPU}, {DataLayout.NHWC}" == "GPU, NHWC"


@pytest.mark.parametrize(
    ("spelling", "backend"),
    [
        ("CPU", Backend.CPU),
        ("OneDNN", Backend.ONEDNN),
        ("Custom", Backend.CUSTOM),
        ("Undefined", Backend.UNDEFINED),
        ("GPUDNN", Backend.GPUDNN),
    ],
)
def test_a_backend_is_named_in_a_string(spelling: str, backend: Backend) -> None:
    assert string_to_backend(spelling, CustomRegisteredDeviceMap()) is backend


def test_a_name_that_is_no_backends_is_a_new_device() -> None:
    devices = CustomRegisteredDeviceMap()
    # ONEDNN is how the backend prints, but not the string that stands for it.
    first, second = (string_to_backend(name, devices) for name in ("ONEDNN", "Ascend910"))
    assert (int(first), int(second)) == (10, 11)
    assert string_to_backend("ONEDNN", devices) is first
    assert (str(first), str(second)) == ("ONEDNN", "Ascend910")
    assert devices.device_types() == ("ONEDNN", "Ascend910")
    assert isinstance(first, Backend)


def test_a_key_prints_as_paddle_prints_it() -> None:
    key = KernelKey(Backend.CPU, DataLayout.ALL_LAYOUT, DataType.INT32)
    assert str(key) == "(CPU, Undefined(AnyLayout), int32)"
    assert str(KernelKey()) == "(Undefined, Undefined(AnyLayout), Undefined)"


def test_a_key_packs_backend_layout_and_dtype_from_the_lowest_bit_up() -> None:
    key = KernelKey(Backend.GPU, DataLayout.NCHW, DataType.FLOAT16)
    assert key.hash_value == Backend.GPU | DataLayout.NCHW << 8 | DataType.FLOAT16 << 12
    assert hash(key) == key.hash_value


def test_keys_are_equal_if_their_coordinates_are() -> None:
    one = KernelKey(Backend.CPU, DataLayout.ANY, DataType.INT32)
    same = KernelKey(Backend.CPU, DataLayout.ALL_LAYOUT, DataType.INT32)
    assert one == same
    assert {one: "kernel"}[same] == "kernel"
    for other in (
        KernelKey(Backend.GPU, DataLayout.ANY, DataType.INT32),
        KernelKey(Backend.CPU, DataLayout.NHWC, DataType.INT32),
        KernelKey(Backend.CPU, DataLayout.ANY, DataType.INT64),
    ):
        assert one != other
    assert one != "(CPU, Undefined(AnyLayout), int32)"


def test_keys_are_ordered_by_their_packed_numbers() -> None:
    on_gpu = KernelKey(Backend.GPU, DataLayout.ANY, DataType.BOOL)
    on_cpu = KernelKey(Backend.CPU, DataLayout.ANY, DataType.INT32)
    assert sorted([on_cpu, on_gpu]) == [on_gpu, on_cpu]


def test_a_key_can_be_made_of_a_place() -> None:
    devices = CustomRegisteredDeviceMap()
    assert str(KernelKey.of_place(CPUPlace(), devices)) == "(CPU, Undefined(AnyLayout), Undefined)"
    pinned = KernelKey.of_place(GPUPinnedPlace(), devices, DataLayout.NHWC, DataType.FLOAT16)
    assert pinned == KernelKey(Backend.GPU, DataLayout.NHWC, DataType.FLOAT16)
    new = KernelKey.of_place(CustomPlace("Ascend910"), devices)
    assert new.backend is string_to_backend("Ascend910", devices)


def test_a_data_type_can_be_made_of_the_number_that_fluid_stored_for_it() -> None:
    assert trans_to_phi_data_type(5) is DataType.FLOAT32
    assert trans_to_phi_data_type(17) is DataType.ALL_DTYPE
    # A LoDTensorArray is a variable's type too, and no data type.
    assert trans_to_phi_data_type(13) is DataType.UNDEFINED

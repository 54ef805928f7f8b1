"""Data types, tensors and scalars keep to Paddle's headers."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType, cpp_type_to_data_type
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.scalar import Scalar

# In the order of paddle/phi/common/data_type.h.
PRINTED = [
    "Undefined",
    "bool",
    "uint8",
    "int8",
    "uint16",
    "int16",
    "uint32",
    "int32",
    "uint64",
    "int64",
    "float32",
    "float64",
    "complex64",
    "complex128",
    "pstring",
    "float16",
    "bfloat16",
    "float8_e4m3fn",
    "float8_e5m2",
]
WITHOUT_NUMPY = (DataType.UNDEFINED, DataType.PSTRING, DataType.NUM_DATA_TYPES)


class TestDataType:
    def test_values_and_printed_names_are_paddles(self) -> None:
        assert [str(DataType(number)) for number in range(19)] == PRINTED
        assert DataType.NUM_DATA_TYPES == 19
        assert DataType.ALL_DTYPE is DataType.UNDEFINED

    def test_formatting_gives_the_name(self) -> None:
        assert f"{DataType.INT32:>7}|{DataType.BOOL}" == "  int32|bool"

    @pytest.mark.parametrize("dtype", sorted(set(DataType) - set(WITHOUT_NUMPY)), ids=str)
    def test_numpy_and_back(self, dtype: DataType) -> None:
        assert str(dtype.numpy) == str(dtype)
        assert DataType.of(dtype.numpy) is dtype

    @pytest.mark.parametrize("dtype", WITHOUT_NUMPY, ids=str)
    def test_some_have_no_numpy_dtype(self, dtype: DataType) -> None:
        with pytest.raises(TypeError, match="has no NumPy dtype"):
            _ = dtype.numpy

    @pytest.mark.parametrize("dtype", ["U3", ">i4", object, "M8[s]", "g"], ids=str)
    def test_some_numpy_dtypes_have_no_data_type(self, dtype: Any) -> None:
        if np.dtype(dtype) == np.float64:
            pytest.skip("long double is double here")
        with pytest.raises(TypeError, match="PHI has no data type"):
            DataType.of(dtype)

    @pytest.mark.parametrize(
        ("spelling", "dtype"),
        [
            ("bool", DataType.BOOL),
            ("int8_t", DataType.INT8),
            ("uint8_t", DataType.UINT8),
            ("int16_t", DataType.INT16),
            ("uint16_t", DataType.UINT16),
            ("int", DataType.INT32),
            ("int32_t", DataType.INT32),
            ("::int32_t", DataType.INT32),
            ("uint32_t", DataType.UINT32),
            ("int64_t", DataType.INT64),
            ("std::int64_t", DataType.INT64),
            ("uint64_t", DataType.UINT64),
            ("unsigned  char", DataType.UINT8),
            ("float", DataType.FLOAT32),
            ("double", DataType.FLOAT64),
            ("phi::dtype::float16", DataType.FLOAT16),
            ("phi::float16", DataType.FLOAT16),
            ("::phi::dtype::bfloat16", DataType.BFLOAT16),
            ("bfloat16", DataType.BFLOAT16),
            ("paddle::float16", DataType.FLOAT16),
            ("phi::dtype::complex<float>", DataType.COMPLEX64),
            (" phi :: dtype :: complex < double > ", DataType.COMPLEX128),
            ("phi::complex64", DataType.COMPLEX64),
            ("phi::complex128", DataType.COMPLEX128),
            ("phi::float8_e4m3fn", DataType.FLOAT8_E4M3FN),
            ("phi::float8_e5m2", DataType.FLOAT8_E5M2),
            ("phi::dtype::pstring", DataType.PSTRING),
        ],
    )
    def test_cpp_types(self, spelling: str, dtype: DataType) -> None:
        assert cpp_type_to_data_type(spelling) is dtype

    @pytest.mark.parametrize(
        "spelling",
        ["", "char", "long long", "std::complex<float>", "phi::int", "std::float16", "phi::Place"],
    )
    def test_cpp_types_that_phi_has_no_data_type_for(self, spelling: str) -> None:
        with pytest.raises(KeyError):
            cpp_type_to_data_type(spelling)


class TestDenseTensor:
    def test_dims_and_dtype_come_from_the_array(self) -> None:
        tensor = DenseTensor(np.zeros((2, 3), np.int16))
        assert (tensor.dims, tensor.dtype, tensor.numel) == ((2, 3), DataType.INT16, 6)
        assert (tensor.layout, tensor.lod, tensor.backend) == (DataLayout.NCHW, (), "CPU")
        assert repr(tensor) == "DenseTensor(int16, [2, 3], NCHW, CPU)"

    def test_of_wraps_once_and_copies_nothing(self) -> None:
        array = np.zeros(3)
        tensor = DenseTensor.of(array)
        assert tensor.data is array
        assert DenseTensor.of(tensor) is tensor

    def test_of_refuses_what_phi_has_no_data_type_for(self) -> None:
        with pytest.raises(TypeError, match="PHI has no data type"):
            DenseTensor.of(["a"])

    def test_numpy_reads_it(self) -> None:
        tensor = DenseTensor(np.array([1, 2]))
        assert np.asarray(tensor) is tensor.data
        assert np.array(tensor) is not tensor.data
        assert np.asarray(tensor, np.float32).dtype == np.float32
        assert np.bitwise_and(tensor, tensor).tolist() == [1, 2]

    def test_a_lod_shares_the_memory(self) -> None:
        tensor = DenseTensor(np.zeros((5, 2)))
        grouped = tensor.with_lod(((0, 2, 5),))
        assert grouped.data is tensor.data
        assert grouped.lod == ((0, 2, 5),)
        assert tensor.lod == ()


class TestScalar:
    @pytest.mark.parametrize(
        ("value", "dtype"),
        [
            (True, DataType.BOOL),
            (1, DataType.INT64),
            (1.0, DataType.FLOAT64),
            (1j, DataType.COMPLEX128),
            (np.float32(1), DataType.FLOAT32),
            (ml_dtypes.bfloat16(1), DataType.BFLOAT16),
        ],
        ids=str,
    )
    def test_it_remembers_what_it_was_made_from(self, value: Any, dtype: DataType) -> None:
        assert Scalar(value).dtype is dtype

    @pytest.mark.parametrize(
        ("value", "dtype", "expected"),
        [
            (2.7, DataType.INT32, 2),
            (-2.7, DataType.INT64, -2),
            (300, DataType.INT8, 44),
            (-1, DataType.UINT16, 65535),
            (0.5, DataType.BOOL, True),
            (1e300, DataType.FLOAT32, np.inf),
            (1.5 + 2j, DataType.INT16, 1),
            (2**53 + 1, DataType.INT64, 2**53 + 1),
            (1.5, DataType.BFLOAT16, 1.5),
        ],
        ids=str,
    )
    def test_it_converts_as_a_static_cast_does(
        self, value: Any, dtype: DataType, expected: Any
    ) -> None:
        result = Scalar(value).to(dtype)
        assert result == expected
        assert result.dtype == dtype.numpy

    @pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e10])
    def test_what_c_plus_plus_leaves_undefined_raises(self, value: float) -> None:
        with pytest.raises(OverflowError, match="has no value as int32"):
            Scalar(value).to(DataType.INT32)

    def test_it_prints_as_paddle_prints_it(self) -> None:
        assert str(Scalar(2.5)) == "Scalar(float64(2.5))"

    def test_of_wraps_once(self) -> None:
        scalar = Scalar(1)
        assert Scalar.of(scalar) is scalar
        assert Scalar.of(1) == scalar

    @pytest.mark.parametrize("value", ["1", None, [1], 2**70], ids=repr)
    def test_of_refuses_what_is_no_number_of_phis(self, value: Any) -> None:
        with pytest.raises(TypeError):
            Scalar.of(value)

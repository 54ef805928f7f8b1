"""A tensor as somebody gives it: shapes, values, and files, of which some nobody should read."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from numpy.lib import format as npy

from registry_runtime.lab.array_file import array_file, save
from registry_runtime.lab.given import given
from registry_runtime.phi.data_type import DataType

ARRAYS = [
    np.arange(6, dtype=np.int64).reshape(2, 3),
    np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    np.array([12, 7], ">i4"),
    np.array(2.5, np.float16),
    np.empty((0, 7), np.float32),
    np.array([1 + 2j], np.complex64),
    np.array([True, False]),
    np.array([1, 2.5, -0.0], ml_dtypes.bfloat16),
]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda a: f"{a.dtype}{list(a.shape)}")
@pytest.mark.parametrize("name", ["x.npy", "many.npz:x"])
def test_what_numpy_wrote_is_read_as_it_was(tmp_path: Path, array: np.ndarray, name: str) -> None:
    np.save(tmp_path / "x.npy", array)
    np.savez_compressed(tmp_path / "many.npz", x=array, y=np.zeros(3))
    one = given(str(tmp_path / name))
    assert one.shape == array.shape
    assert one.dtype(DataType.UNDEFINED) is DataType.of(array.dtype.newbyteorder("="))
    read = one.values(DataType.UNDEFINED)
    assert read.flags.carray
    np.testing.assert_array_equal(read, array)


def test_what_is_saved_numpy_reads(tmp_path: Path) -> None:
    arrays = {"out": np.arange(3.0), "file": np.array([True]), "outs[0]": np.ones((2, 2), np.int8)}
    save(tmp_path / "x.npz", arrays)
    with np.load(tmp_path / "x.npz", allow_pickle=False) as read:
        assert {name: read[name].tolist() for name in read} == {
            name: array.tolist() for name, array in arrays.items()
        }
    save(tmp_path / "x.npy", {"out": np.arange(3.0)})
    assert np.load(tmp_path / "x.npy", allow_pickle=False).tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="holds one array, and there are out, file"):
        save(tmp_path / "y.npy", arrays)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("2x3:range", [[0, 1, 2], [3, 4, 5]]),
        ("2:ones", [1, 1]),
        ("2x1 : zeros", [[0], [0]]),
        ("[[1], [2]]", [[1], [2]]),
    ],
)
def test_words_that_say_the_values(text: str, values: list) -> None:
    one = given(text)
    assert one.values(one.dtype(DataType.INT32)).tolist() == values
    assert one.shape == np.shape(values)


def test_a_shape_alone_is_for_others_to_fill() -> None:
    assert given("4096x1024").values is None
    with pytest.raises(ValueError, match="'nonsense' fills nothing; there are random, zeros"):
        given("3:nonsense")


class Explodes:
    def __reduce__(self):
        return (print, ("a pickle was loaded",))


def head(shape: str, descr: str = "'<f8'") -> bytes:
    """A file's head that says anything, and nothing behind it."""
    text = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".encode()
    return npy.magic(1, 0) + len(text).to_bytes(2, "little") + text


BAD = {
    "not numpy": (b"name,age\n1,2\n", "NumPy didn't write it"),
    "empty": (b"", "or it is damaged"),
    "short": (head("(1000,)") + b"1234", "or it is damaged"),
    "huge": (head("(1000000, 1000000)"), r"it holds 8,000\.0 GB, and no more than 1\.1 GB is read"),
    "negative": (head("(-3,)"), "a shape that there isn't"),
    "text": (head("(1,)", "'<U3'"), "it holds <U3, and a tensor holds numbers"),
    "records": (head("(1,)", "[('a', '<f8')]"), "a tensor holds numbers"),
    "expression": (head("__import__('os').getcwd()"), "or it is damaged"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_file_that_holds_no_array_is_refused_in_a_sentence(tmp_path: Path, kind: str) -> None:
    content, said = BAD[kind]
    (tmp_path / "x.npy").write_bytes(content)
    with pytest.raises(ValueError, match=said) as refused:
        array_file(str(tmp_path / "x.npy")).read()
    assert "cannot read" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["x.npy", "x.npz"])
def test_a_pickle_is_never_loaded(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    objects = np.array([Explodes()], object)
    np.save(tmp_path / "x.npy", objects, allow_pickle=True)
    np.savez(tmp_path / "x.npz", x=objects)
    with pytest.raises(ValueError, match="Python objects, and these are never loaded"):
        given(str(tmp_path / name))
    assert capsys.readouterr().out == ""


def test_an_archive_says_what_it_holds(tmp_path: Path) -> None:
    np.savez(tmp_path / "m.npz", x=np.ones(2), y=np.ones(3))
    path = str(tmp_path / "m.npz")
    with pytest.raises(ValueError, match=r"holds several arrays: write .*m\.npz:NAME, of x, y"):
        given(path)
    with pytest.raises(ValueError, match="has no array 'z'"):
        given(f"{path}:z")
    (tmp_path / "m.npz").write_bytes((tmp_path / "m.npz").read_bytes()[:-40])
    with pytest.raises(ValueError, match="cannot read"):
        given(f"{path}:x")


def test_an_archive_that_unpacks_without_end_is_refused_unread(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "m.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        content = io.BytesIO(head("(300000000,)"))
        archive.writestr("x.npy", content.getvalue() + bytes(1 << 20))
    with pytest.raises(ValueError, match="no more than"):
        given(str(tmp_path / "m.npz"))


def test_a_missing_file_is_said() -> None:
    with pytest.raises(ValueError, match=r"cannot read nowhere\.npy: No such file"):
        given("nowhere.npy")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs")
@pytest.mark.parametrize("name", ["x.npy", "x.npz", "x.npz:x"])
def test_nobody_waits_for_what_a_fifo_may_bring(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name.partition(":")[0])
    with pytest.raises(ValueError, match="it is no regular file"):
        array_file(str(tmp_path / name))

"""The compilers that judge the samples."""

import shutil

import pytest

from tests.samples.aten import COMPILERS


@pytest.fixture(params=COMPILERS)
def compiler(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if not shutil.which(name):
        pytest.skip(f"{name} is not on PATH")
    return name

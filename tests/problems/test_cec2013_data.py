"""The published numbers: their checksum, and their source where it is installed."""

import hashlib
import importlib.util
from pathlib import Path

import numpy as np
import pytest

from luciole.problems.cec2013 import DIMENSIONS
from luciole.problems.cec2013._data import load_rotations, load_shifts

TOOL = Path(__file__).parents[2] / "tools" / "rebuild_cec2013.py"


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("rebuild_cec2013", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_checksum(tool):
    digest = hashlib.sha256(load_shifts().astype("<f8").tobytes())
    for dim in DIMENSIONS:
        digest.update(load_rotations(dim).astype("<f8").tobytes())
    assert digest.hexdigest() == tool.SHA256


@pytest.mark.parametrize("dim", DIMENSIONS)
def test_matrices_are_rotations(dim):
    for matrix in load_rotations(dim):
        np.testing.assert_allclose(matrix @ matrix.T, np.eye(dim), atol=1e-12)


def test_rebuilding_gives_the_shipped_numbers(tool):
    pytest.importorskip("pygmo")
    shifts, matrices = tool.read_numbers(30)
    np.testing.assert_array_equal(shifts, load_shifts().reshape(-1))
    np.testing.assert_array_equal(matrices, load_rotations(30).reshape(-1))

import os
import subprocess
import sys
import types

import numpy as np
import pytest

from luciole import _compile
from luciole._layout import settle


def double(x):
    return 2 * x


def quadruple(x):
    return double(double(x))


def test_a_kernel_brings_the_kernels_it_calls_and_stays_plain_itself():
    assert _compile.compiled(quadruple)(3.0) == quadruple(3.0) == 12.0
    assert _compile.is_compiled(_compile.compiled(quadruple))
    assert not _compile.is_compiled(quadruple)
    assert isinstance(quadruple.__globals__["double"], types.FunctionType)


def triple(x):
    return 3 * x


def test_stand_ins_take_the_place_of_what_a_kernel_calls():
    assert _compile.compiled(quadruple, double=triple)(1.0) == 9.0
    assert _compile.compiled(quadruple)(1.0) == 4.0


def test_the_fingerprint_sees_an_edit_in_what_a_kernel_calls():
    before = _compile._fingerprint(quadruple, {})
    assert before == _compile._fingerprint(quadruple, {})
    assert before != _compile._fingerprint(quadruple, {"double": triple})


@pytest.mark.parametrize("number", [-7.5, -0.5, -0.4, 0.0, 0.5, 3.49999, 3.5, 1e9, -1e9])
def test_kernels_give_the_same_bits_plain_and_compiled(number):
    for kind in range(5):
        assert settle(number, kind, 0.0, 4.0) == _compile.compiled(settle)(number, kind, 0.0, 4.0)


def test_compiled_code_is_found_again_by_the_next_process(tmp_path):
    script = ("from luciole._compile import compiled; from luciole._layout import settle; f = compiled(settle); f(1.0, 1, 0.0, 4.0); "
              "print(sum(f.stats.cache_hits.values()), sum(f.stats.cache_misses.values()))")
    env = {**os.environ, "LUCIOLE_CACHE_DIR": str(tmp_path / "cache")}
    runs = [subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=env).stdout.split()
            for _ in range(2)]
    assert runs == [["0", "1"], ["1", "0"]]


def test_a_loop_over_an_objective_is_found_again_by_the_next_process(tmp_path):
    script = ("import luciole as lc, numba\n"
              "f = numba.njit('float64(float64[::1])')(lambda x: x.sum())\n"
              "lc.minimize(f, lc.Space.from_bounds([(0, 1)] * 3), budget=2000, rng=0)\n"
              "from luciole._compile import _compiled\n"
              "print([sum(d.stats.cache_misses.values()) for k, d in _compiled.items() if k[0].__name__ == 'run_block'])")
    env = {**os.environ, "LUCIOLE_CACHE_DIR": str(tmp_path / "cache")}
    runs = [subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=env).stdout.strip()
            for _ in range(2)]
    assert runs == ["[1]", "[0]"]


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("LUCIOLE_CACHE_DIR", str(blocked))
    monkeypatch.setattr(_compile, "_compiled", {})
    assert _compile.compiled(quadruple)(np.float64(2.0)) == 8.0


def test_the_users_own_cache_folder_is_left_alone():
    from numba.core import config

    before = config.CACHE_DIR
    _compile.compiled(triple)
    assert before == config.CACHE_DIR

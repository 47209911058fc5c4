"""Rebuild the shift vectors and rotation matrices of CEC 2013 from the PyPI package pygmo.

The numbers are those the organisers of the competition published (Liang, Qu, Suganthan and
Hernandez-Diaz, 2013). pygmo 2.20.0 carries them compiled in; a pickled problem holds, from byte
149 on, ten D x D matrices of float64, then an 8-byte count, then 1000 shift numbers. Nothing but
the numbers is taken.

Usage: python tools/rebuild_cec2013.py [--check] src/luciole/problems/cec2013/data
"""

import argparse
import hashlib
import lzma
import pickle
import sys
from pathlib import Path

import numpy as np

DIMENSIONS = (2, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
SHIFTS = 1000
MATRICES = 10
# Of the numbers alone, little-endian: the shifts, then the matrices of each dimension in order.
SHA256 = "20783c0ff1e870a2758f57e810d6aaba6c5d4ac4d045737f1ee8c0c887ceff4d"
_FIRST_BYTE = 149


def read_numbers(dim: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the shift numbers and the matrices of one dimension out of pygmo."""
    import pygmo

    state = pickle.dumps(pygmo.problem(pygmo.cec2013(prob_id=1, dim=dim)), protocol=4)
    size = MATRICES * dim * dim
    matrices = np.frombuffer(state, "<f8", size, _FIRST_BYTE)
    after = _FIRST_BYTE + 8 * size
    count = int(np.frombuffer(state, "<u8", 1, after)[0])
    if count != SHIFTS:
        raise ValueError(
            f"dimension {dim}: expected {SHIFTS} shift numbers after the matrices, found {count}"
        )
    return np.frombuffer(state, "<f8", SHIFTS, after + 8), matrices


def compress(numbers: np.ndarray) -> bytes:
    """Return the bytes of float64 numbers, grouped by significance, in xz compression."""
    grouped = np.ascontiguousarray(numbers.view(np.uint8).reshape(-1, 8).T)
    return lzma.compress(grouped.tobytes(), preset=9)


def build() -> tuple[dict[str, bytes], str]:
    """Return the contents of the data files by name and the checksum of the numbers."""
    digest = hashlib.sha256()
    files = {}
    for dim in DIMENSIONS:
        shifts, matrices = read_numbers(dim)
        if not files:
            files["shifts.xz"] = compress(shifts)
            digest.update(shifts.tobytes())
        elif compress(shifts) != files["shifts.xz"]:
            raise ValueError(f"dimension {dim} has other shift numbers than dimension {DIMENSIONS[0]}")
        files[f"rotations_{dim}.xz"] = compress(matrices)
        digest.update(matrices.tobytes())
    return files, digest.hexdigest()


def main() -> int:
    """Write the data files, or compare them with `--check`."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--check", action="store_true", help="compare with the files there, write nothing")
    options = parser.parse_args()
    files, digest = build()
    if digest != SHA256:
        print(f"checksum {digest} is not {SHA256}", file=sys.stderr)
        return 1
    for name, content in files.items():
        path = options.directory / name
        if not options.check:
            path.write_bytes(content)
        elif not path.exists() or lzma.decompress(path.read_bytes()) != lzma.decompress(content):
            print(f"{path} differs", file=sys.stderr)
            return 1
    print(f"{len(files)} files, {sum(map(len, files.values()))} bytes, checksum {digest}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The 28 functions of the CEC 2013 competition on real-parameter optimisation, compiled, on mixed variables.

Two editions exist: "official" is what the organisers' C program computes, "opfunu-1.0.1" what that package computed, which
several published results rest on. Nothing here imports Numba before a value is asked for.

References
----------
J. J. Liang, B. Y. Qu, P. N. Suganthan, A. G. Hernandez-Diaz, Problem definitions and evaluation criteria for the CEC 2013 special
session on real-parameter optimization, Technical Report 201212, Zhengzhou University and Nanyang Technological University (2013).
"""

from luciole.problems.cec2013._data import DIMENSIONS
from luciole.problems.cec2013._problem import Cec2013Problem, cec2013
from luciole.problems.cec2013._table import EDITIONS, FUNCTIONS

__all__ = ["DIMENSIONS", "EDITIONS", "FUNCTIONS", "Cec2013Problem", "cec2013"]

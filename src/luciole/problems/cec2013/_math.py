"""Elementary functions of eight lanes at a time, without branches, good to a few units of 1e-16.

The polynomials interpolate at Chebyshev nodes and are within 2e-16 of the function on the
reduced range.
"""

from typing import Any

from luciole.problems.cec2013._jit import jit
from luciole.problems.cec2013._simd import (
    ROUNDER,
    exponent,
    flip_sign_if_odd,
    fma,
    mantissa,
    scale_by_power,
    vabs,
    vmax,
    vmin,
    vround,
    where_positive,
)

__all__ = [
    "cos_of_huge",
    "exp",
    "exp_small",
    "log",
    "power",
    "power_of_abs",
    "sin",
    "sin_half_turns_squared",
    "sin_squared",
]

_LOG2_E = 1.4426950408889634
# ln 2 and pi as sums of floats; the first part of ln 2 ends in zeros, so its multiples are exact.
_LN2_HIGH = 0.6931471805601177
_LN2_LOW = -1.7239444525614835e-13
_PI_1 = 3.141592653589793
_PI_2 = 1.2246467991473532e-16
_INV_PI = 0.3183098861837907
_INV_2PI_1 = 0.15915494309189535
_INV_2PI_2 = -9.839338337591243e-18
_INV_2PI_3 = -5.360718141446502e-34
_HALF_PI = 1.5707963267948966
# Outside of these bounds exp is infinite or 0.
_EXP_MAX = 710.0
_EXP_MIN = -746.0


@jit
def _exp_tail(r: Any) -> Any:
    """Return (e**r - 1 - r) / r**2 for r in [-0.35, 0.35]."""
    q = fma(r, 2.09147553258932e-09, 2.5105312729622103e-08)
    q = fma(r, q, 2.755727347871858e-07)
    q = fma(r, q, 2.755725517000089e-06)
    q = fma(r, q, 2.480158732567746e-05)
    q = fma(r, q, 0.0001984126987500228)
    q = fma(r, q, 0.0013888888888883711)
    q = fma(r, q, 0.008333333333326084)
    q = fma(r, q, 0.04166666666666667)
    q = fma(r, q, 0.1666666666666667)
    return fma(r, q, 0.5)


@jit
def exp(x: Any) -> Any:
    """Return e**x."""
    bounded = vmax(_EXP_MIN, vmin(_EXP_MAX, x))
    shifted = fma(bounded, _LOG2_E, ROUNDER)
    k = shifted - ROUNDER
    r = fma(k, -_LN2_LOW, fma(k, -_LN2_HIGH, bounded))
    return scale_by_power(fma(r * r, _exp_tail(r), r) + 1.0, shifted)


@jit
def exp_small(x: Any) -> Any:
    """Return e**x for x in [-0.1, 0.1]."""
    q = fma(x, 2.756233008731154e-06, 2.4807099339580197e-05)
    q = fma(x, q, 0.00019841269528082353)
    q = fma(x, q, 0.0013888888544375422)
    q = fma(x, q, 0.008333333333339597)
    q = fma(x, q, 0.04166666666673557)
    q = fma(x, q, 0.16666666666666666)
    q = fma(x, q, 0.5)
    return fma(x * x, q, x) + 1.0


@jit
def _log_tail(s: Any) -> Any:
    """Return 2 atanh(s) - 2 s for |s| below 0.172."""
    z = s * s
    q = fma(z, 0.13088034850927555, 0.13268638369266825)
    q = fma(z, q, 0.15386244737621665)
    q = fma(z, q, 0.18181795547521137)
    q = fma(z, q, 0.22222222392581045)
    q = fma(z, q, 0.28571428570799784)
    q = fma(z, q, 0.40000000000000885)
    q = fma(z, q, 0.6666666666666666)
    return s * z * q


@jit
def log(x: Any) -> Any:
    """Return the natural logarithm of positive normal numbers; other arguments come back as they are."""
    k = exponent(x)
    m = mantissa(x)
    s = (m - 1.0) / (m + 1.0)
    result = fma(k, _LN2_HIGH, fma(s, 2.0, fma(k, _LN2_LOW, _log_tail(s))))
    return where_positive(x, result, x)


@jit
def power(x: Any, y: Any) -> Any:
    """Return x**y of positive normal numbers x, to within 0.65 units in the last place.

    The logarithm and its product with y are sums of two floats: rounding either to one float
    would cost a digit and a half in the large powers of T_asy.
    """
    k = exponent(x)
    m = mantissa(x)
    above = m - 1.0
    below = m + 1.0
    below_rest = m - (below - 1.0)
    inverse = 1.0 / below
    s = above * inverse
    s_rest = fma(-s, below_rest, fma(-s, below, above)) * inverse
    # log x = k ln 2 + 2 s + 2 s_rest + tail, largest first; then the sum and what it rounds off.
    start = k * _LN2_HIGH
    most = fma(s, 2.0, start)
    rest = fma(s, 2.0, start - most)
    rest = rest + (fma(s_rest, 2.0, k * _LN2_LOW) + _log_tail(s))
    log_high = most + rest
    rest = rest - (log_high - most)
    high = y * log_high
    low = fma(y, rest, fma(y, log_high, -high))
    bounded = vmax(_EXP_MIN, vmin(_EXP_MAX, high))
    shifted = fma(bounded, _LOG2_E, ROUNDER)
    k = shifted - ROUNDER
    start = fma(k, -_LN2_HIGH, bounded)
    rest = fma(k, -_LN2_LOW, low)
    r = start + rest
    rest = rest - (r - start)
    whole = r + 1.0
    result = whole + (r - (whole - 1.0) + fma(r * r, _exp_tail(r), fma(r, rest, rest)))
    return scale_by_power(result, shifted)


@jit
def _sin_reduced(r: Any) -> Any:
    """Return sin(r) for r in [-pi/2, pi/2]."""
    z = r * r
    q = fma(z, 2.7314368769379893e-15, -7.643969663988074e-13)
    q = fma(z, q, 1.6058977292642743e-10)
    q = fma(z, q, -2.505210761669045e-08)
    q = fma(z, q, 2.7557319219160833e-06)
    q = fma(z, q, -0.00019841269841254966)
    q = fma(z, q, 0.008333333333333316)
    q = fma(z, q, -0.16666666666666666)
    return fma(r * z, q, r)


@jit
def sin(x: Any) -> Any:
    """Return the sine of angles below about 1e15 in radians; larger ones give a number in [-1, 1]."""
    shifted = fma(x, _INV_PI, ROUNDER)
    k = shifted - ROUNDER
    r = fma(k, -_PI_2, fma(k, -_PI_1, x))
    return flip_sign_if_odd(_sin_reduced(vmax(-_HALF_PI, vmin(_HALF_PI, r))), shifted)


@jit
def sin_squared(x: Any) -> Any:
    """Return sin(x)**2 of angles below about 1e15 in radians; larger ones give a number in [0, 1]."""
    k = vround(x * _INV_PI)
    r = fma(k, -_PI_2, fma(k, -_PI_1, x))
    s = _sin_reduced(vmax(-_HALF_PI, vmin(_HALF_PI, r)))
    return s * s


@jit
def sin_half_turns_squared(x: Any) -> Any:
    """Return sin(pi x)**2; the reduction is exact for every x."""
    r = x - vround(x)
    z = r * r
    q = fma(z, 7.697726639610672e-07, -2.1903487684769023e-05)
    q = fma(z, q, 0.0004662998126284068)
    q = fma(z, q, -0.007370430505217146)
    q = fma(z, q, 0.08214588657302717)
    q = fma(z, q, -0.5992645293189403)
    q = fma(z, q, 2.5501640398773002)
    q = fma(z, q, -5.167712780049969)
    q = fma(z, q, 3.141592653589793)
    return z * q * q


@jit
def cos_of_huge(x: Any) -> Any:
    """Return the cosine of angles up to about 1e30 in radians.

    The angle is multiplied by 1 / (2 pi) in three parts; of each product the whole turns are
    dropped before the sum.
    """
    p1 = x * _INV_2PI_1
    e1 = fma(x, _INV_2PI_1, -p1)
    p2 = x * _INV_2PI_2
    e2 = fma(x, _INV_2PI_2, -p2)
    turns = (p1 - vround(p1)) + ((e1 - vround(e1)) + ((p2 - vround(p2)) + (e2 + x * _INV_2PI_3)))
    return 1.0 - 2.0 * sin_half_turns_squared(turns)


@jit
def power_of_abs(x: Any, exponents: Any) -> Any:
    """Return |x|**exponents for exponents from 2 on, 0 where x is 0."""
    a = vabs(x)
    return a * a * exp((exponents - 2.0) * log(vmax(a, 1e-300)))

"""Uniform numbers made into others. Kernels: pure functions of the numbers they get, plain and compiled to the same bits."""

import math


def pick(u: float, n: int) -> int:
    """One of 0 to n - 1."""
    return min(int(u * n), n - 1)


def pick_other(u: float, n: int, a: int) -> int:
    """One of 0 to n - 1, not a."""
    r = pick(u, n - 1)
    return r + 1 if r >= a else r


def pick_third(u: float, n: int, a: int, b: int) -> int:
    """One of 0 to n - 1, neither a nor b, which differ."""
    low, high = min(a, b), max(a, b)
    r = pick(u, n - 2)
    if r >= low:
        r += 1
    return r + 1 if r >= high else r


def pick_fourth(u: float, n: int, a: int, b: int, c: int) -> int:
    """One of 0 to n - 1, none of a, b and c, which differ."""
    low, high = min(a, min(b, c)), max(a, max(b, c))
    middle = a + b + c - low - high
    r = pick(u, n - 3)
    if r >= low:
        r += 1
    if r >= middle:
        r += 1
    return r + 1 if r >= high else r


def normal(u: float) -> float:
    """A standard normal number: the inverse of its distribution, by Wichura's AS 241 (1988), good to 16 digits."""
    q = u - 0.5
    if abs(q) <= 0.425:
        r = 0.180625 - q * q
        above = ((((((2.5090809287301226727e3 * r + 3.3430575583588128105e4) * r + 6.7265770927008700853e4) * r
                    + 4.5921953931549871457e4) * r + 1.3731693765509461125e4) * r + 1.9715909503065514427e3) * r
                 + 1.3314166789178437745e2) * r + 3.3871328727963666080
        below = ((((((5.2264952788528545610e3 * r + 2.8729085735721942674e4) * r + 3.9307895800092710610e4) * r
                    + 2.1213794301586595867e4) * r + 5.3941960214247511077e3) * r + 6.8718700749205790830e2) * r
                 + 4.2313330701600911252e1) * r + 1.0
        return q * above / below
    r = math.sqrt(-math.log(max(u if q < 0.0 else 1.0 - u, 1e-300)))
    if r <= 5.0:
        r -= 1.6
        above = ((((((7.74545014278341407640e-4 * r + 2.27238449892691845833e-2) * r + 2.41780725177450611770e-1) * r
                    + 1.27045825245236838258) * r + 3.64784832476320460504) * r + 5.76949722146069140550) * r
                 + 4.63033784615654529590) * r + 1.42343711074968357734
        below = ((((((1.05075007164441684324e-9 * r + 5.47593808499534494600e-4) * r + 1.51986665636164571966e-2) * r
                    + 1.48103976427480074590e-1) * r + 6.89767334985100004550e-1) * r + 1.67638483018380384940) * r
                 + 2.05319162663775882187) * r + 1.0
    else:
        r -= 5.0
        above = ((((((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r + 1.24266094738807843860e-3) * r
                    + 2.65321895265761230930e-2) * r + 2.96560571828504891230e-1) * r + 1.78482653991729133580) * r
                 + 5.46378491116411436990) * r + 6.65790464350110377720
        below = ((((((2.04426310338993978564e-15 * r + 1.42151175831644588870e-7) * r + 1.84631831751005468180e-5) * r
                    + 7.86869131145613259100e-4) * r + 1.48753612908506148525e-2) * r + 1.36929880922735805310e-1) * r
                 + 5.99832206555887937690e-1) * r + 1.0
    return -above / below if q < 0.0 else above / below


def positive_cauchy(u: float, centre: float, width: float) -> float:
    """A number of the Cauchy distribution, drawn again until it is above 0; here in one step, from the part that is."""
    below = 0.5 - math.atan(centre / width) / math.pi
    return max(centre + width * math.tan(math.pi * (below + u * (1.0 - below) - 0.5)), 1e-12)

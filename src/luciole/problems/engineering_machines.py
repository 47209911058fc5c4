"""Engineering designs: gears, brakes, bearings and a car."""

import math

from luciole._layout import Floats
from luciole.problem import Problem
from luciole.space import Float, Integer, Ordinal, Space


def speed_reducer() -> Problem:
    """A gearbox of least weight, with a whole number of teeth.

    References
    ----------
    J. Golinski, Optimal synthesis problems solved by means of nonlinear programming and random methods, J. Mech. 5 (1970).
    """
    space = Space({
        "face_width": Float(2.6, 3.6), "module": Float(0.7, 0.8), "teeth": Integer(17, 28), "length1": Float(7.3, 8.3),
        "length2": Float(7.3, 8.3), "diameter1": Float(2.9, 3.9), "diameter2": Float(5, 5.5),
    })
    names = ("bending of the teeth", "contact stress", "deflection of shaft 1", "deflection of shaft 2", "stress in shaft 1",
             "stress in shaft 2", "space", "least face width", "largest face width", "length of shaft 1", "length of shaft 2")
    return Problem(
        _speed_reducer, space, name="speed-reducer", takes_array=True, value_name="weight", category="engineering",
        title="Speed reducer of least weight", constraint_names=names,
        units=dict.fromkeys(("face_width", "module", "length1", "length2", "diameter1", "diameter2"), "cm"),
        optimum=2994.471066, best_known=(3.5, 0.7, 17, 7.3, 7.7153199, 3.3502147, 5.2866545),
    )


def _speed_reducer(x: Floats) -> tuple[float, list[float]]:
    width, module, teeth, length1, length2, shaft1, shaft2 = x.tolist()
    weight = (0.7854 * width * module**2 * (3.3333 * teeth**2 + 14.9334 * teeth - 43.0934)
              - 1.508 * width * (shaft1**2 + shaft2**2) + 7.4777 * (shaft1**3 + shaft2**3)
              + 0.7854 * (length1 * shaft1**2 + length2 * shaft2**2))
    pitch = module * teeth
    return weight, [
        27 / (width * module**2 * teeth) - 1,
        397.5 / (width * pitch**2) - 1,
        1.93 * length1**3 / (pitch * shaft1**4) - 1,
        1.93 * length2**3 / (pitch * shaft2**4) - 1,
        math.sqrt((745 * length1 / pitch) ** 2 + 16.9e6) / (110 * shaft1**3) - 1,
        math.sqrt((745 * length2 / pitch) ** 2 + 157.5e6) / (85 * shaft2**3) - 1,
        pitch / 40 - 1,
        5 * module / width - 1,
        width / (12 * module) - 1,
        (1.5 * shaft1 + 1.9) / length1 - 1,
        (1.1 * shaft2 + 1.9) / length2 - 1,
    ]


def gear_train() -> Problem:
    """Four gears whose ratio comes as close as possible to 1/6.931; there are no constraints.

    References
    ----------
    E. Sandgren, Nonlinear integer and discrete programming in mechanical design optimization, J. Mech. Des. 112 (1990).
    """
    space = Space({name: Integer(12, 60) for name in ("driven1", "driver1", "driver2", "driven2")})
    return Problem(
        _gear_train, space, name="gear-train", takes_array=True, value_name="squared error", category="engineering",
        title="Gear train nearest to a ratio of 1/6.931", units=dict.fromkeys(space, "teeth"),
        optimum=(1 / 6.931 - 16 * 19 / (43 * 49)) ** 2, best_known=(43, 16, 19, 49),
    )


def _gear_train(x: Floats) -> float:
    driven1, driver1, driver2, driven2 = x.tolist()
    return float((1 / 6.931 - driver1 * driver2 / (driven1 * driven2)) ** 2)


def disc_clutch_brake() -> Problem:
    """A brake of several discs, of least mass; all five variables are discrete. The force does not enter the mass.

    References
    ----------
    A. Osyczka, Evolutionary Algorithms for Single and Multicriteria Design Optimization, Physica (2002).
    """
    space = Space({
        "inner_radius": Integer(60, 80), "outer_radius": Integer(90, 110), "thickness": Ordinal([1.0, 1.5, 2.0, 2.5, 3.0]),
        "force": Integer(600, 1000, step=10), "surfaces": Integer(2, 9),
    })
    limits = {"width of the ring": 20.0, "length": 30.0, "pressure": 1.0, "pressure and speed": 10.0, "sliding speed": 10.0,
              "stopping time": 15.0, "braking torque": 60.0, "time is positive": 15.0}
    return Problem(
        _disc_clutch_brake, space, name="disc-clutch-brake", takes_array=True, value_name="mass", category="engineering",
        title="Multiple disc clutch brake of least mass", constraint_names=limits,
        units={"inner_radius": "mm", "outer_radius": "mm", "thickness": "mm", "force": "N"},
        optimum=math.pi * (90**2 - 70**2) * 4 * 7.8e-6, best_known=(70, 90, 1, 810, 3),
    )


def _disc_clutch_brake(x: Floats) -> tuple[float, list[float]]:
    inner, outer, thickness, force, surfaces = x.tolist()
    ring = outer**2 - inner**2
    mean_radius = 2 / 3 * (outer**3 - inner**3) / ring
    torque = 0.5 * force * surfaces * mean_radius / 1000
    pressure = force / (math.pi * ring)
    speed = math.pi * mean_radius * 250 / 30 / 1000
    time = 55 * math.pi * 250 / (30 * (torque + 3))
    return math.pi * ring * thickness * (surfaces + 1) * 7.8e-6, [
        inner + 20 - outer,
        (surfaces + 1) * (thickness + 0.5) - 30,
        pressure - 1,
        pressure * speed - 10,
        speed - 10,
        time - 15,
        1.5 * 40 - torque,
        -time,
    ]


def rolling_bearing() -> Problem:
    """A ball bearing that carries the largest dynamic load, with a whole number of balls; this one is maximised.

    References
    ----------
    S. Gupta, R. Tiwari, S. B. Nair, Multi-objective design optimisation of rolling bearings using genetic algorithms, Mech. Mach.
    Theory 42 (2007).
    """
    space = Space({
        "pitch_diameter": Float(125, 150), "ball_diameter": Float(10.5, 31.5), "balls": Integer(4, 50),
        "inner_curvature": Float(0.515, 0.6), "outer_curvature": Float(0.515, 0.6), "least_ball": Float(0.4, 0.5),
        "largest_ball": Float(0.6, 0.7), "outer_ring": Float(0.3, 0.4), "mobility": Float(0.02, 0.1),
        "width_share": Float(0.6, 0.85),
    })
    limits = {"assembly angle": 10.0, "least ball": 30.0, "largest ball": 45.0, "ball and width": 25.0, "least pitch": 125.0,
              "largest pitch": 125.0, "outer ring": 6.0}
    return Problem(
        _rolling_bearing, space, name="rolling-bearing", takes_array=True, value_name="load", direction="maximize",
        title="Rolling bearing of largest dynamic load", category="engineering", constraint_names=limits,
        units={"pitch_diameter": "mm", "ball_diameter": "mm"},
        optimum=81859.7415974169,
        best_known=(125.71905561467425, 21.425590240828594, 11, 0.515, 0.515, 0.4243, 0.6339, 0.3, 0.0689, 0.7995),
    )


def _rolling_bearing(x: Floats) -> tuple[float, list[float]]:
    pitch, ball, balls, inner, outer, least, largest, ring, mobility, share = x.tolist()
    outside, inside, width = 160.0, 90.0, 30.0
    ratio = ball / pitch
    curvature = inner * (2 * outer - 1) / (outer * (2 * inner - 1))
    factor = (37.91 * (1 + (1.04 * ((1 - ratio) / (1 + ratio)) ** 1.72 * curvature**0.41) ** (10 / 3)) ** -0.3
              * ratio**0.3 * (1 - ratio) ** 1.39 / (1 + ratio) ** (1 / 3) * (2 * inner / (2 * inner - 1)) ** 0.41)
    load = factor * balls ** (2 / 3) * (ball**1.8 if ball <= 25.4 else 3.647 * ball**1.4)
    gap = outside - inside - 2 * ball
    a, b = (outside - inside) / 2 - 3 * gap / 4, outside / 2 - gap / 4 - ball
    cosine = (a**2 + b**2 - (inside / 2 + gap / 4) ** 2) / (2 * a * b) if a * b else -1.0
    angle = 2 * math.pi - 2 * math.acos(min(max(cosine, -1.0), 1.0))
    return load, [
        balls - 1 - angle / (2 * math.asin(ratio)),
        least * (outside - inside) - 2 * ball,
        2 * ball - largest * (outside - inside),
        ball - share * width,
        (outside + inside) / 2 - pitch,
        pitch - (0.5 + mobility) * (outside + inside),
        ring * ball - (outside - pitch - ball) / 2,
    ]


def planetary_gear_train() -> Problem:
    """An automatic transmission whose three ratios come as close as possible to those wanted; all variables are discrete.

    The optimum was found by trying all designs; the 0.525769 of later lists is not the best.

    References
    ----------
    P. A. Simionescu, D. Beale, G. V. Dozier, Teeth-number synthesis of a multispeed planetary transmission using an estimation of
    distribution algorithm, J. Mech. Des. 128 (2006).
    """
    modules = Ordinal([1.75, 2.0, 2.25, 2.5, 2.75, 3.0])
    space = Space({
        "teeth1": Integer(17, 96), "teeth2": Integer(14, 54), "teeth3": Integer(14, 51), "teeth4": Integer(17, 46),
        "teeth5": Integer(14, 51), "teeth6": Integer(48, 124), "planets": Ordinal([3, 4, 5]), "module1": modules,
        "module3": modules,
    })
    limits = {"diameter of gear 6": 220.0, "diameter over gears 2": 220.0, "diameter over gears 5": 220.0, "equal centres": 1.0,
              "room between gears 2": 1.0, "room between gears 3": 1.0, "room between gears 5": 1.0,
              "room between gears 3 and 5": 1.0, "gear 5 inside gear 6": 1.0, "gear 3 inside gear 6": 1.0, "assembly": 1.0}
    return Problem(
        _planetary_gear_train, space, name="planetary-gear-train", takes_array=True, value_name="largest ratio error",
        title="Planetary gear train nearest to three ratios", category="engineering", constraint_names=limits,
        units={"module1": "mm", "module3": "mm"}, optimum=0.52325, best_known=(40, 21, 14, 19, 14, 69, 5, 1.75, 2),
    )


def _planetary_gear_train(x: Floats) -> tuple[float, list[float]]:
    n1, n2, n3, n4, n5, n6, planets, module1, module3 = x.tolist()
    ratios = (n6 / n4 - 3.11, n6 * (n1 * n3 + n2 * n4) / (n1 * n3 * (n6 - n4)) - 1.84, 3.11 - n2 * n6 / (n1 * n3))
    long, short, backlash = n6 - n3, n4 + n5, 0.5
    apart = math.sin(math.pi / planets)
    cosine = (long**2 + short**2 - (n3 + n5) ** 2) / (2 * long * short) if long else 1.0
    beta = math.acos(min(max(cosine, -1.0), 1.0))
    return max(map(abs, ratios)), [
        module3 * (n6 + 2.5) - 220,
        module1 * (n1 + 2 * n2 + 2) - 220,
        module3 * (n4 + 2 * n5 + 2) - 220,
        abs(module1 * (n1 + n2) - module3 * long) - module1 - module3,
        n2 + 2 + backlash - (n1 + n2) * apart,
        n3 + 2 + backlash - long * apart,
        n5 + 2 + backlash - short * apart,
        (n3 + n5 + 2 + backlash) ** 2 - long**2 - short**2 + 2 * long * short * math.cos(2 * math.pi / planets - beta),
        n4 - n6 + 2 * n5 + 2 * backlash + 4,
        2 * n3 - n6 + n4 + 2 * backlash + 4,
        (n6 - n4) % planets,
    ]


def car_side_impact() -> Problem:
    """The side of a car of least weight that protects in a crash; two parts are of one of two steels.

    References
    ----------
    B. D. Youn, K. K. Choi, R.-J. Yang, L. Gu, Reliability-based design optimization for crashworthiness of vehicle side impact,
    Struct. Multidiscip. Optim. 26 (2004); A. H. Gandomi, X.-S. Yang, A. H. Alavi, Mixed variable structural optimization using
    firefly algorithm, Comput. Struct. 89 (2011).
    """
    thickness = ("pillar_inner", "pillar_reinforcement", "floor", "cross_members", "door_beam", "belt_line", "roof_rail")
    space = Space({
        **{name: Float(0.5, 1.5) for name in thickness},
        "pillar_steel": Ordinal([0.192, 0.345]), "floor_steel": Ordinal([0.192, 0.345]),
        "barrier_height": Float(-30, 30), "barrier_position": Float(-30, 30),
    })
    limits = {"load on the abdomen": 1.0, "upper viscous criterion": 0.32, "middle viscous criterion": 0.32,
              "lower viscous criterion": 0.32, "upper rib": 32.0, "middle rib": 32.0, "lower rib": 32.0, "pubic force": 4.0,
              "speed of the pillar": 9.9, "speed of the door": 15.7}
    return Problem(
        _car_side_impact, space, name="car-side-impact", takes_array=True, value_name="weight", category="engineering",
        title="Car side of least weight in a crash", constraint_names=limits,
        units={**dict.fromkeys(thickness, "mm"), "pillar_steel": "GPa", "floor_steel": "GPa", "barrier_height": "mm",
               "barrier_position": "mm"},
        optimum=22.84296919,
        best_known=(0.5, 1.11636424427, 0.5, 1.30219942109, 0.5, 1.5, 0.5, 0.345, 0.345, -19.56177021, 8.499e-5),
    )


def _car_side_impact(x: Floats) -> tuple[float, list[float]]:
    a, b, c, d, e, f, g, h, i, j, k = x.tolist()  # in the order of the space
    return 1.98 + 4.90 * a + 6.67 * b + 6.98 * c + 4.01 * d + 1.78 * e + 2.73 * g, [
        1.16 - 0.3717 * b * d - 0.00931 * b * j - 0.484 * c * i + 0.01343 * f * j - 1,
        (0.261 - 0.0159 * a * b - 0.188 * a * h - 0.019 * b * g + 0.0144 * c * e + 0.0008757 * e * j + 0.080405 * f * i
         + 0.00139 * h * k + 0.00001575 * j * k - 0.32),
        (0.214 + 0.00817 * e - 0.131 * a * h - 0.0704 * a * i + 0.03099 * b * f - 0.018 * b * g + 0.0208 * c * h + 0.121 * c * i
         - 0.00364 * e * f + 0.0007715 * e * j - 0.0005354 * f * j + 0.00121 * h * k - 0.32),
        0.74 - 0.61 * b - 0.163 * c * h + 0.001232 * c * j - 0.166 * g * i + 0.227 * b**2 - 0.32,
        28.98 + 3.818 * c - 4.2 * a * b + 0.0207 * e * j + 6.63 * f * i - 7.7 * g * h + 0.32 * i * j - 32,
        33.86 + 2.95 * c + 0.1792 * j - 5.057 * a * b - 11 * b * h - 0.0215 * e * j - 9.98 * g * h + 22 * h * i - 32,
        46.36 - 9.9 * b - 12.9 * a * h + 0.1107 * c * j - 32,
        4.72 - 0.5 * d - 0.19 * b * c - 0.0122 * d * j + 0.009325 * f * j + 0.000191 * k**2 - 4,
        10.58 - 0.674 * a * b - 1.95 * b * h + 0.02054 * c * j - 0.0198 * d * j + 0.028 * f * j - 9.9,
        16.45 - 0.489 * c * g - 0.843 * e * f + 0.0432 * i * j - 0.0556 * i * k - 0.000786 * k**2 - 15.7,
    ]

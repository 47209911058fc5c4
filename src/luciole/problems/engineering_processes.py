"""Engineering designs: chemical processes, where discrete variables say which units are built."""

import math

from luciole._layout import Floats
from luciole.problem import Problem
from luciole.space import Categorical, Float, Integer, Space


def process_synthesis() -> Problem:
    """One continuous and one binary variable; the smallest of the process synthesis problems.

    References
    ----------
    G. R. Kocis, I. E. Grossmann, Global optimization of nonconvex mixed-integer nonlinear programming (MINLP) problems in process
    synthesis, Ind. Eng. Chem. Res. 27 (1988).
    """
    space = Space({"flow": Float(0, 1.6), "unit": Integer(0, 1)})
    return Problem(
        _process_synthesis, space, name="process-synthesis", takes_array=True, value_name="cost", category="engineering",
        title="Process synthesis with one unit", constraint_names={"demand": 1.25, "capacity": 1.6}, optimum=2.0,
        best_known=(0.5, 1),
    )


def _process_synthesis(x: Floats) -> tuple[float, list[float]]:
    flow, unit = x.tolist()
    return 2 * flow + unit, [1.25 - flow**2 - unit, flow + unit - 1.6]


def process_design() -> Problem:
    """A process with a logarithmic balance and one optional unit; the balance has been solved for its second variable.

    References
    ----------
    G. R. Kocis, I. E. Grossmann, Relaxation strategy for the structural optimization of process flow sheets, Ind. Eng. Chem. Res.
    26 (1987).
    """
    space = Space({"flow": Float(0.5, 1.4), "unit": Integer(0, 1)})
    return Problem(
        _process_design, space, name="process-design", takes_array=True, value_name="cost", category="engineering",
        title="Process design with one optional unit", constraint_names=("balance",),
        optimum=2.124467584551, best_known=(1.3748225281836233, 1),
    )


def _process_design(x: Floats) -> tuple[float, list[float]]:
    flow, unit = x.tolist()
    return -unit + 2 * flow - math.log(flow / 2), [-flow - math.log(flow / 2) + unit]


def process_flowsheet() -> Problem:
    """A flow sheet with two continuous variables and one optional unit.

    References
    ----------
    C. A. Floudas, Nonlinear and Mixed-Integer Optimization, Oxford University Press (1995).
    """
    space = Space({"inlet": Float(0.2, 1), "outlet": Float(-2.22554, -1), "unit": Integer(0, 1)})
    return Problem(
        _process_flowsheet, space, name="process-flowsheet", takes_array=True, value_name="cost", category="engineering",
        title="Process flow sheet with one optional unit",
        constraint_names={"conversion": 2.1, "balance": 1, "unit is needed": 0.2},
        optimum=1.0765430833323, best_known=(0.9419373447293773, -2.1, 1),
    )


def _process_flowsheet(x: Floats) -> tuple[float, list[float]]:
    inlet, outlet, unit = x.tolist()
    return 0.8 + 5 * (inlet - 0.5) ** 2 - 0.7 * unit, [
        -math.exp(inlet - 0.2) - outlet,
        outlet + 1.1 * unit + 1,
        inlet - 1.2 * unit - 0.2,
    ]


def reactor_choice() -> Problem:
    """Which of two reactors to build, and how large, to make ten units of a product at least cost.

    The two-reactor problem, with the equations solved: the choice is one categorical variable, and the demand an inequality.

    References
    ----------
    G. R. Kocis, I. E. Grossmann, A modelling and decomposition strategy for the MINLP optimization of process flowsheets, Comput.
    Chem. Eng. 13 (1989).
    """
    space = Space({"reactor": Categorical(["first", "second"]), "volume": Float(0, 10), "feed": Float(0, 20)})
    return Problem(
        _reactor_choice, space, name="reactor-choice", takes_array=True, value_name="cost", category="engineering",
        title="Choice and size of one of two reactors", constraint_names={"demand": 10},
        optimum=99.2396350536, best_known={"reactor": "first", "volume": 3.5142368883368, "feed": 13.4279953670483},
    )


def _reactor_choice(x: Floats) -> tuple[float, list[float]]:
    reactor, volume, feed = x.tolist()
    if reactor == 0:
        fixed, price, made = 7.5, 7.0, 0.9 * (1 - math.exp(-0.5 * volume)) * feed
    else:
        fixed, price, made = 5.5, 6.0, 0.8 * (1 - math.exp(-0.4 * volume)) * feed
    return fixed + price * volume + 5 * feed, [10 - made]


def process_selection() -> Problem:
    """Three continuous and four binary variables under nine constraints.

    References
    ----------
    X. Yuan, S. Zhang, L. Pibouleau, S. Domenech, Une méthode d'optimisation non linéaire en variables mixtes pour la conception
    de procédés, RAIRO Oper. Res. 22 (1988).
    """
    space = Space({"flow1": Float(0, 1.2), "flow2": Float(0, 1.8), "flow3": Float(0, 2.5),
                   **{f"unit{i}": Integer(0, 1) for i in range(1, 5)}})
    limits = {"total": 5.0, "capacity": 5.5, "flow and unit 1": 1.2, "flow and unit 2": 1.8, "flow and unit 3": 2.5,
              "flow 1 and unit 4": 1.2, "mixing 2": 1.64, "mixing 3": 4.25, "mixing 2 and 3": 4.64}
    return Problem(
        _process_selection, space, name="process-selection", takes_array=True, value_name="cost", category="engineering",
        title="Process synthesis with four units", constraint_names=limits,
        optimum=4.5795824024, best_known=(0.2, 0.8, 1.9078784028339, 1, 1, 0, 1),
    )


def _process_selection(x: Floats) -> tuple[float, list[float]]:
    x1, x2, x3, y1, y2, y3, y4 = x.tolist()
    cost = ((y1 - 1) ** 2 + (y2 - 2) ** 2 + (y3 - 1) ** 2 - math.log(y4 + 1) + (x1 - 1) ** 2 + (x2 - 2) ** 2 + (x3 - 3) ** 2)
    return cost, [
        y1 + y2 + y3 + x1 + x2 + x3 - 5,
        y3**2 + x1**2 + x2**2 + x3**2 - 5.5,
        y1 + x1 - 1.2,
        y2 + x2 - 1.8,
        y3 + x3 - 2.5,
        y4 + x1 - 1.2,
        y2**2 + x2**2 - 1.64,
        y3**2 + x3**2 - 4.25,
        y2**2 + x3**2 - 4.64,
    ]


def batch_plant() -> Problem:
    """A plant of three stages for two products, of least cost: how many units each stage has, how large, and batches and times.

    References
    ----------
    I. E. Grossmann, R. W. H. Sargent, Optimum design of multipurpose chemical plants, Ind. Eng. Chem. Process Des. Dev. 18
    (1979); R. L. Salcedo, Solving nonconvex nonlinear programming and mixed-integer nonlinear programming problems with
    adaptive random search, Ind. Eng. Chem. Res. 31 (1992).
    """
    space = Space({
        **{f"units{j}": Integer(1, 3) for j in range(1, 4)},
        **{f"volume{j}": Float(250, 2500) for j in range(1, 4)},
        "cycle1": Float(20 / 3, 20), "cycle2": Float(16 / 3, 16), "batch1": Float(40, 700), "batch2": Float(10, 450),
    })
    limits = {"time": 6000.0}
    limits |= {f"product {i} fits stage {j}": 500.0 for i in (1, 2) for j in (1, 2, 3)}
    limits |= {f"cycle of product {i} in stage {j}": 20.0 for i in (1, 2) for j in (1, 2, 3)}
    return Problem(
        _batch_plant, space, name="batch-plant", takes_array=True, value_name="cost", category="engineering",
        title="Multiproduct batch plant of least cost", constraint_names=limits,
        units={**{f"volume{j}": "l" for j in (1, 2, 3)}, "cycle1": "h", "cycle2": "h", "batch1": "kg", "batch2": "kg"},
        optimum=250 * (480**0.6 + 720**0.6 + 960**0.6), best_known=(1, 1, 1, 480, 720, 960, 20, 16, 240, 120),
    )


def _batch_plant(x: Floats) -> tuple[float, list[float]]:
    units, volumes, cycles, batches = x[:3].tolist(), x[3:6].tolist(), x[6:8].tolist(), x[8:].tolist()
    demand, sizes, times = (40_000, 20_000), ((2, 3, 4), (4, 6, 3)), ((8, 20, 8), (16, 4, 4))
    cost = sum(250 * n * volume**0.6 for n, volume in zip(units, volumes, strict=True))
    return cost, [
        sum(q * cycle / batch for q, cycle, batch in zip(demand, cycles, batches, strict=True)) - 6000,
        *(sizes[i][j] * batches[i] - volumes[j] for i in (0, 1) for j in (0, 1, 2)),
        *(times[i][j] - units[j] * cycles[i] for i in (0, 1) for j in (0, 1, 2)),
    ]

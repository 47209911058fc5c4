"""ACO_mv, EDA_mvn, NEFA, INEFA and the memetic firefly algorithm as plain loops, to hold the kernels against.

As in `reference_populations`: whole generations in NumPy, lists instead of tables and orders, one row of numbers a candidate.
"""

import math
from statistics import NormalDist

import numpy as np

NORMAL = NormalDist().inv_cdf


def acomv(s, size, ants, patience, q=0.05099, xi=0.6795):
    weights = np.array([math.exp(-(rank**2) / (2 * (q * size) ** 2)) / (q * size * math.sqrt(2 * math.pi)) for rank in range(size)])
    while not s.done:
        archive = []
        for _ in range(size):
            x = s.anywhere(s.row()[1:])
            archive.append((s.evaluate(x), x))
        archive.sort(key=lambda each: each[0])
        best, idle = archive[0][0], 0
        while not s.done and idle < patience:
            found = []
            for _ in range(ants):
                u = s.row()
                guide = archive[int(np.searchsorted(np.cumsum(weights) / weights.sum(), u[0], side="right"))][1]
                x = np.empty(s.dimension)
                for k in range(s.dimension):
                    column = np.array([each[1][k] for each in archive])
                    if s.categorical[k]:
                        labels = np.arange(s.high[k] + 1)
                        counts = [np.sum(column == label) for label in labels]
                        unused = counts.count(0)
                        chances = [weights[np.flatnonzero(column == label)[0]] / n if n else 0.0
                                   for label, n in zip(labels, counts, strict=True)]
                        chances = np.array(chances) + (q / unused if unused else 0.0)
                        x[k] = np.searchsorted(np.cumsum(chances / chances.sum()), u[1 + k], side="right")
                    else:
                        deviation = xi * np.sum(np.abs(column - guide[k])) / (size - 1)
                        x[k] = np.clip(guide[k] + deviation * NORMAL(u[1 + k]), s.low[k], s.high[k])
                found.append((s.evaluate(s.nearest(x)), x))
            archive = sorted(archive + found, key=lambda each: each[0])[:size]
            idle += 1
            if best - archive[0][0] > 1e-5 * abs(best):
                best, idle = archive[0][0], 0


def edamvn(s, population, bins=10):
    x = np.array([s.anywhere(s.row()) for _ in range(population)])
    f = [s.evaluate(each) for each in x]
    binned = s.continuous | (~s.categorical & (s.high - s.low >= 1000))
    tables = [np.full(int(s.high[k] - s.low[k]) + 1, 1 / (s.high[k] - s.low[k] + 1)) for k in range(s.dimension)]
    while not s.done:
        rate = len(s.trace) / s.budget
        edges, counts = {}, {}
        for k in range(s.dimension):
            column = np.sort(x[:, k])
            if binned[k]:
                left = max(column[0] - (column[1] - column[0]) / 2, s.low[k])
                right = min(column[-1] + (column[-1] - column[-2]) / 2, s.high[k])
                edges[k] = [s.low[k], *(left + (right - left) * n / bins for n in range(bins)), right, s.high[k]]
                which = np.minimum(np.floor((column - left) * (bins / (right - left))), bins - 1).astype(int)
                counts[k] = [0.1 * (left > s.low[k]), *np.bincount(which, minlength=bins), 0.1 * (right < s.high[k])]
            else:
                tables[k] = (1 - rate) * tables[k] + rate * np.bincount((column - s.low[k]).astype(int), minlength=tables[k].size) / population
        trials = []
        for _ in range(population):
            u, trial = s.row(), np.empty(s.dimension)
            for k in range(s.dimension):
                sums = np.cumsum(counts[k] if binned[k] else tables[k])
                wanted = u[k] * sums[-1]
                n = int(np.searchsorted(sums, wanted, side="right"))
                if binned[k]:
                    part = (wanted - (sums[n - 1] if n else 0)) / counts[k][n]
                    trial[k] = edges[k][n] + part * (edges[k][n + 1] - edges[k][n])
                else:
                    trial[k] = s.low[k] + n
            trials.append(s.nearest(trial))
        for i, trial in enumerate(trials):
            value = s.evaluate(trial)
            if value <= f[i]:
                x[i], f[i] = trial, value


def squares(s, a, b):
    return float(np.sum(np.where(s.categorical, a != b, (a - b) / (s.high - s.low)) ** 2))


def flown(s, here, there, pull, alpha, u):
    moved = np.clip(here + pull * (there - here) + alpha * (s.high - s.low) * (u - 0.5), s.low, s.high)
    for k in np.flatnonzero(s.categorical):
        anew, again = u[k] < alpha, (u[k] - alpha) / (1 - alpha) if alpha < 1 else 0.0
        moved[k] = math.floor(u[k] / alpha * (s.high[k] + 1)) if anew else there[k] if again < pull else here[k]
    return moved


def nefa(s, population, reach=3, groups=0):
    """With groups: INEFA."""
    x = [s.anywhere(s.row()) for _ in range(population)]
    f = [s.evaluate(each) for each in x]
    centres = np.zeros((groups, s.dimension))
    group = np.zeros(population, dtype=int)
    while not s.done:
        alpha = 0.5 * (1 / 9000) ** (len(s.trace) / s.budget)
        if groups:
            k_means(s, x, centres, group)
            rows = neighbours_in_groups(f, group, groups, reach)
        else:
            rows = [[(i + d) % population for d in range(-reach, reach + 1) if d] for i in range(population)]
        for i in range(population):
            moved = False
            for j in rows[i]:
                if f[j] < f[i]:
                    pull = 0.2 + 0.8 * math.exp(-squares(s, x[i], x[j]))
                    x[i] = flown(s, x[i], x[j], pull, alpha, s.row())
                    f[i], moved = s.evaluate(s.nearest(x[i])), True
            if not moved:
                step = flown(s, x[i], x[i], 0.0, alpha, s.row())
                value = s.evaluate(s.nearest(step))
                if value <= f[i]:
                    x[i], f[i] = step, value


def k_means(s, x, centres, group):
    for _ in range(3):
        group[:] = [int(np.argmin([squares(s, each, centre) for centre in centres])) for each in x]
        for g in range(len(centres)):
            members = [each for each, where in zip(x, group, strict=True) if where == g]
            if not members:
                centres[g] = x[int(np.argmax([squares(s, each, centres[where]) for each, where in zip(x, group, strict=True)]))]
                continue
            for k in range(s.dimension):
                values = [each[k] for each in members]
                centres[g, k] = max(values, key=values.count) if s.categorical[k] else np.mean(values)


def neighbours_in_groups(f, group, groups, reach):
    rows, leaders = {}, []
    for g in range(groups):
        members = list(np.flatnonzero(group == g))
        for at, i in enumerate(members):
            near = [members[(at + d) % len(members)] for d in (*range(-reach, 0), *range(1, reach + 1))]
            if len(members) <= 2 * reach:
                before = min(reach, len(members) - 1)
                near = [members[(at + d) % len(members)] for d in (*range(-before, 0), *range(1, len(members) - before))]
            rows[i] = near
        if members:
            leaders.append(min(members, key=lambda i: f[i]))
    for i in leaders:
        rows[i] = [each for each in leaders if each != i]
    return rows


def mfa(s, population, local=4, learning=0.5):
    x = [s.anywhere(s.row()[3:]) for _ in range(population)]
    f = [s.evaluate(each) for each in x]
    own = [np.array([0.5, 1.0, 1.0]) for _ in range(population)]
    step = 0.1 * (s.high - s.low)
    count, variable = 0, 0

    def move(i, j):
        nonlocal count, variable
        u = s.row()
        tried = np.clip([p * math.exp(learning * NORMAL(v)) for p, v in zip(own[i], u, strict=False)], [1e-9, 0.01, 0.01], [1, 1, 100])
        pull = 0.0 if j is None else tried[1] * math.exp(-tried[2] * squares(s, x[i], x[j]))
        moved = flown(s, x[i], x[i if j is None else j], pull, tried[0], u[3:])
        value = s.evaluate(s.nearest(moved))
        if value <= f[i]:
            x[i], f[i], own[i] = moved, value, tried
        count += 1
        if (count + 1) % local == 0:
            count += 1
            search_nearby(variable)
            variable = (variable + 1) % s.dimension

    def search_nearby(k):
        u, best = s.row(), int(np.argmin(f))
        near = s.nearest(x[best])
        if s.categorical[k]:
            near[k] = [label for label in range(int(s.high[k]) + 1) if label != near[k]][int(u[3] * s.high[k])]
        else:
            length = max(abs(step[k]), 0 if s.continuous[k] else 1)
            near[k] = s.nearest(np.clip(near + np.sign(step) * length, s.low, s.high))[k]
        value = s.evaluate(near)
        step[k] *= 3 if value < f[best] else -0.5
        if abs(step[k]) < 1e-10 * (s.high[k] - s.low[k]):
            step[k] = 0.1 * (s.high[k] - s.low[k])
        step[k] = np.clip(step[k], s.low[k] - s.high[k], s.high[k] - s.low[k])
        if value < f[best]:
            x[best], f[best] = near, value

    while not s.done:
        for i in range(population):
            before = count
            for j in range(population):
                if f[j] < f[i]:
                    move(i, j)
            if count == before:
                move(i, None)

"""DEmv, PSOmv, GA and L-SHADE as a reader of their papers would write them, to hold the kernels against.

Each is a loop over whole generations in NumPy, and draws for each candidate the row of numbers that the library hands to its
kernels; nothing else is shared. Only spaces of plain floats, integers and categorical variables.
"""

import math
from statistics import NormalDist

import numpy as np

import luciole as lc


class Setting:
    """What every loop needs of a space: kinds, bounds, numbers, and an objective that keeps what it was called with."""

    def __init__(self, objective, space, seed, numbers, budget):
        variables = list(space.values())
        self.continuous = np.array([isinstance(v, lc.Float) for v in variables])
        self.categorical = np.array([isinstance(v, lc.Categorical) for v in variables])
        bounded = ~self.categorical
        self.low = np.array([v.low if b else 0.0 for v, b in zip(variables, bounded, strict=True)], dtype=float)
        self.high = np.array([v.high if b else v.size - 1.0 for v, b in zip(variables, bounded, strict=True)], dtype=float)
        self.rng, self.numbers = np.random.default_rng(seed), numbers
        self.objective, self.budget, self.trace = objective, budget, []

    @property
    def dimension(self):
        return self.low.size

    def row(self):
        return self.rng.random(self.numbers)

    def anywhere(self, u):
        spread = self.high - self.low
        return np.where(self.continuous, self.low + u * spread, self.low + np.floor(u * (spread + 1)))

    def nearest(self, x):
        return np.where(self.continuous, x, np.floor(x + 0.5))

    @property
    def done(self):
        return len(self.trace) >= self.budget

    def evaluate(self, x):
        self.trace.append(np.array(x, dtype=float))
        return self.objective(x)


def one_of(u, choices):
    choices = list(choices)
    return choices[int(u * len(choices))]


def demv(s, population=100, scale=0.2, crossover=0.2):
    x = [s.anywhere(s.row()[: s.dimension]) for _ in range(population)]
    f = [s.evaluate(each) for each in x]
    while not s.done:
        trials = []
        for i in range(population):
            u = s.row()
            r1 = one_of(u[0], (r for r in range(population) if r != i))
            r2 = one_of(u[1], (r for r in range(population) if r not in (i, r1)))
            r3 = one_of(u[2], (r for r in range(population) if r not in (i, r1, r2)))
            jr, trial = int(u[3] * s.dimension), x[i].copy()
            for j in range(s.dimension):
                if u[4 + 2 * j] < crossover or j == jr:
                    if s.continuous[j]:
                        trial[j] = np.clip(x[r1][j] + scale * (x[r2][j] - x[r3][j]), s.low[j], s.high[j])
                    else:
                        trial[j] = x[r2][j] if x[r2][j] != x[r3][j] and u[5 + 2 * j] < scale else x[r1][j]
            trials.append(trial)
        for i, trial in enumerate(trials):
            value = s.evaluate(trial)
            if value <= f[i]:
                x[i], f[i] = trial, value


def psomv(s, population=100, inertia=0.4, acceleration=2.0, memory=0.5):
    """With a table of probabilities for each discrete variable, which the library does without."""
    x = np.array([s.anywhere(s.row()[: s.dimension]) for _ in range(population)])
    f = np.array([s.evaluate(each) for each in x])
    best, value, velocity, elites = x.copy(), f.copy(), np.zeros_like(x), []
    while not s.done:
        order = np.argsort(value, kind="stable")
        leader = best[order[0]].copy()
        elites.append(best[order[: math.ceil(population / 2)]].copy())
        moved = []
        for i in range(population):
            u = s.row()
            next_x = np.empty(s.dimension)
            for j in range(s.dimension):
                if s.continuous[j]:
                    limit = s.high[j] - s.low[j]
                    v = inertia * velocity[i, j] + acceleration * (u[6] * (best[i, j] - x[i, j]) + u[7] * (leader[j] - x[i, j]))
                    v = np.clip(v, -limit, limit)
                    next_x[j] = np.clip(x[i, j] + v, s.low[j], s.high[j])
                    velocity[i, j] = v if next_x[j] == x[i, j] + v else 0.0
                else:
                    # Generation g has the weight (1 - memory) memory^age in the table; what is left belongs to the start.
                    age = int(math.log(1 - u[6 + 2 * j]) / math.log(memory))
                    if age >= len(elites):
                        next_x[j] = s.low[j] + math.floor(u[7 + 2 * j] * (s.high[j] - s.low[j] + 1))
                    else:
                        elite = elites[-1 - age]
                        next_x[j] = elite[int(u[7 + 2 * j] * len(elite)), j]
            moved.append(next_x)
        for i, each in enumerate(moved):
            x[i] = each
            found = s.evaluate(each)
            if found < value[i]:
                best[i], value[i] = each, found


def ga(s, population=100, crossover=0.9, mutation=0.01, tournament=3):
    """On strings of the characters 0 and 1."""
    sizes = np.where(s.continuous, 2.0**16, s.high - s.low + 1)
    lengths = [math.ceil(math.log2(size)) for size in sizes]
    starts = np.cumsum([0, *lengths])

    def decoded(text):
        words = [int(text[a : a + n] or "0", 2) for a, n in zip(starts, lengths, strict=False)]
        return np.array([lo + (hi - lo) * (w / (2**16 - 1)) if real else lo + math.floor(w * k / 2**n)
                         for w, lo, hi, real, k, n in zip(words, s.low, s.high, s.continuous, sizes, lengths, strict=True)])

    def flipped(word, u):
        """Which bits flip: one number, taken apart digit by digit. It lies in the part where bit n is the first to flip."""
        if u >= 1 - (1 - mutation) ** len(word):
            return word
        at = 0
        while at < len(word):
            bounds = [1 - (1 - mutation) ** n for n in range(len(word) - at + 1)]
            hit = next((n for n in range(len(word) - at) if u < bounds[n + 1]), None)
            if hit is None:
                break
            u = (u - bounds[hit]) / (bounds[hit + 1] - bounds[hit])
            word = word[: at + hit] + "10"[int(word[at + hit])] + word[at + hit + 1 :]
            at += hit + 1
        return word

    def random_text():
        u = s.row()
        return "".join(format(int(u[k] * 2**n), f"0{n}b") if n else "" for k, n in enumerate(lengths))

    parents = [random_text() for _ in range(population)]
    f = [s.evaluate(decoded(each)) for each in parents]
    while not s.done:
        children = []
        for i in range(population):
            u = s.row()
            if i % 2 == 0:
                rivals = [[int(each * population) for each in u[2 + tournament * n : 2 + tournament * (n + 1)]] for n in range(2)]
                a, b = (min(each, key=lambda r: f[r]) for each in rivals)
                cut = 1 + int(u[1] * (starts[-1] - 1)) if u[0] < crossover else starts[-1]
            first, second = (a, b) if i % 2 == 0 else (b, a)
            text = parents[first][:cut] + parents[second][cut:]
            chances = u[2 + 2 * tournament :]
            children.append("".join(flipped(text[starts[k] : starts[k + 1]], chances[k]) for k in range(s.dimension)))
        values = [s.evaluate(decoded(each)) for each in children]
        best, worst = int(np.argmin(f)), int(np.argmax(values))
        children[worst], values[worst] = parents[best], f[best]
        parents, f = children, values


def lshade(s, population):
    """With lists that are appended to and filtered where the library has arrays of a fixed size."""
    normal = NormalDist()
    start = population
    x = [s.anywhere(s.row()[9 : 9 + s.dimension]) for _ in range(population)]
    members = [{"x": each, "f": s.evaluate(each), "id": n} for n, each in enumerate(x)]
    archive, memory, slot, tosses = [], [[0.5, 0.5] for _ in range(6)], 0, {}
    successes, replaced = [], []
    first_row = None
    while not s.done:
        first_row = s.row()
        for parent, number in replaced:
            if len(archive) >= int(2.6 * len(members) + 0.5):
                archive[int(tosses[number] * len(archive))] = parent
            else:
                archive.append(parent)
        if successes:
            gains, scales, rates = map(np.array, zip(*successes, strict=True))
            memory[slot][0] = float(np.sum(gains * scales**2) / np.sum(gains * scales))
            ended = memory[slot][1] is None or max(rates) <= 0
            memory[slot][1] = None if ended else float(np.sum(gains * rates**2) / np.sum(gains * rates))
            slot = (slot + 1) % 6
        members.sort(key=lambda m: m["f"])
        left = max(4, int(start + (4 - start) * len(s.trace) / s.budget + 0.5))
        del members[left:]
        at = int(first_row[7] * max(len(archive), 1))
        while len(archive) > int(2.6 * len(members) + 0.5):
            last = archive.pop()
            at = (at + 7) % (len(archive) + 1)
            if at < len(archive):
                archive[at] = last
        successes, replaced, old, trials = [], [], [m["x"].copy() for m in members], []
        for i, member in enumerate(members):
            u = first_row if i == 0 else s.row()
            scale_mean, rate_mean = memory[int(u[0] * 6)]
            below = 0.5 - math.atan(scale_mean / 0.1) / math.pi
            scale = min(scale_mean + 0.1 * math.tan(math.pi * (below + u[1] * (1 - below) - 0.5)), 1.0)
            rate = 0.0 if rate_mean is None else float(np.clip(rate_mean + 0.1 * normal.inv_cdf(u[2]), 0, 1))
            tosses[member["id"]] = u[8]
            best = old[int(u[3] * max(2, int(0.11 * len(members) + 0.5)))]
            r1 = one_of(u[4], (r for r in range(len(members)) if r != i))
            r2 = one_of(u[5], (r for r in range(len(members) + len(archive)) if r not in (i, r1)))
            third = old[r2] if r2 < len(members) else archive[r2 - len(members)]
            always, trial = int(u[6] * s.dimension), old[i].copy()
            for k in range(s.dimension):
                if not (u[9 + k] < rate or k == always):
                    continue
                if s.categorical[k]:
                    part = min(u[9 + k] / rate, 1.0) if rate > 0 else u[9 + k]
                    differs = scale if old[r1][k] != third[k] else 0.0
                    if part < differs:
                        trial[k] = old[r1][k]
                    elif part < differs + (1 - differs) * scale:
                        trial[k] = best[k]
                    continue
                trial[k] = old[i][k] + scale * (best[k] - old[i][k]) + scale * (old[r1][k] - third[k])
                if trial[k] < s.low[k]:
                    trial[k] = (s.low[k] + old[i][k]) / 2
                elif trial[k] > s.high[k]:
                    trial[k] = (s.high[k] + old[i][k]) / 2
            trials.append((trial, scale, rate))
        for member, parent, (trial, scale, rate) in zip(members, old, trials, strict=True):
            value = s.evaluate(s.nearest(trial))
            if value < member["f"]:
                successes.append((member["f"] - value, scale, rate))
                replaced.append((parent, member["id"]))
            if value <= member["f"]:
                member["x"], member["f"] = trial, value

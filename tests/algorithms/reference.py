"""FAmv and FA as a reader of Algorithm 1 would write them, to hold the kernels against.

A double loop over positions in NumPy, one variable at a time; it draws the numbers that the library hands to its kernels, in
the same order, but shares no code with them. Only spaces of plain floats, integers, ordered and categorical variables.
"""

import math

import numpy as np

import luciole as lc


def into(value, low, high):
    return min(max(value, low), high)


def run(objective, space, variant, seed, budget):
    """The positions evaluated, in order."""
    distance, _, adapted = variant.partition("^")
    adapt_alpha, adapt_gamma = "a" in adapted, "g" in adapted or adapted == "D"
    alpha0, gamma0 = (2.0 if adapt_alpha else 1.5), (0.05 if adapt_gamma else 0.1)
    variables = list(space.values())
    continuous = [isinstance(v, lc.Float) for v in variables]
    integer = [isinstance(v, lc.Integer) for v in variables]
    sizes = [v.size for v in variables]
    low = [v.low if c or i else 0 for v, c, i in zip(variables, continuous, integer, strict=True)]
    high = [v.high if c or i else s - 1 for v, c, i, s in zip(variables, continuous, integer, sizes, strict=True)]
    needed = sum(1 if c else 2 if i else 3 for c, i in zip(continuous, integer, strict=True))
    dimension, rng, trace, fitness = len(variables), np.random.default_rng(seed), [], []

    class Exhausted(Exception):
        pass

    def evaluate(x):
        if len(trace) == budget:
            raise Exhausted
        trace.append(np.array(x))
        fitness.append(objective(np.array(x)))
        return fitness[-1]

    def r(a, b):
        euclid = sum((a[k] - b[k]) ** 2 for k in range(dimension) if continuous[k])
        differ = sum(a[k] != b[k] for k in range(dimension) if not continuous[k])
        if distance == "H":
            return (math.sqrt(euclid) + differ) / dimension
        parts = sum(abs(a[k] - b[k]) / (high[k] - low[k]) for k in range(dimension) if continuous[k])
        return (parts + differ) / dimension

    def move(x, other, origin, alpha, discrete_alpha, gamma):
        u = iter(rng.random(needed))
        beta = math.exp(-gamma * r(origin, other) ** 2) if other is not None else 0.0
        copying = beta if adapted != "D" or other is None else math.exp(-gamma) * (1 - r(origin, other))
        p_alpha = 1 / (1 + math.exp(-(discrete_alpha - alpha0 / 2)))
        out = []
        for k in range(dimension):
            value = x[k]
            if continuous[k]:
                if other is not None:
                    value = value + 1.5 * beta * (other[k] - value)
                out.append(into(value + alpha * (next(u) - 0.5), low[k], high[k]))
                continue
            copies = next(u) < copying
            if other is not None and copies:
                value = other[k]
            if integer[k]:
                stepped = into(value + discrete_alpha * 2.5 * (2 * next(u) - 1), low[k], high[k])
                value = math.trunc(stepped)
            else:
                replaced, drawn = next(u) < p_alpha, math.floor(next(u) * sizes[k])
                value = drawn if replaced else value
            out.append(value)
        return out

    population, light = [], []
    try:
        for _ in range(25):
            u = rng.random(needed)[:dimension]
            population.append([low[k] + u[k] * (high[k] - low[k]) if continuous[k]
                               else low[k] + math.floor(u[k] * (high[k] - low[k] + 1)) for k in range(dimension)])
            light.append(evaluate(population[-1]))
        while True:
            left = 1 - len(trace) / budget
            alpha = max(0.01, alpha0 * left) if adapt_alpha else alpha0
            discrete_alpha = max(1.0, alpha0 * left) if adapt_alpha else alpha0
            gamma = max(0.01, gamma0 * left) if adapt_gamma else gamma0
            for i in range(25):
                origin, updated = population[i], False
                for j in range(25):
                    if light[j] < light[i]:
                        population[i] = move(population[i], population[j], origin, alpha, discrete_alpha, gamma)
                        light[i] = evaluate(population[i])
                        updated = True
                if not updated:
                    population[i] = move(population[i], None, origin, alpha, discrete_alpha, gamma)
                    light[i] = evaluate(population[i])
    except Exhausted:
        return np.array(trace), np.array(fitness)

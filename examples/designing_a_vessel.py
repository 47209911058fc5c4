"""
Designing a pressure vessel
===========================

From a problem as an engineer states it to a design that can be built: what may vary, what it costs, what has to hold,
and a picture that shows why the answer is what it is.
"""

# %%
# The problem
# -----------
#
# A tank for compressed air is a cylinder with a hemisphere at each end. It has to hold 1,296,000 cubic inches, which
# is 750 cubic feet. Steel plate comes in multiples of 1/16 inch, so the thickness of the shell and that of the heads
# can only be certain values; the radius and the length of the cylinder may be any number. Four variables of two
# kinds:

# sphinx_gallery_thumbnail_number = 2
import matplotlib.pyplot as plt
import numpy as np

import luciole as lc

plates = [i / 16 for i in range(1, 100)]
space = lc.Space(
    {
        "shell": lc.Ordinal(plates),
        "head": lc.Ordinal(plates),
        "radius": lc.Float(10, 200),
        "length": lc.Float(10, 200),
    }
)
space

# %%
# The cost is that of material, forming and welding, in dollars of the time when the problem was posed (Sandgren,
# 1990). Its four terms are the shell, the heads, and the two kinds of weld:


def cost(p):
    shell, head, radius, length = p["shell"], p["head"], p["radius"], p["length"]
    return (
        0.6224 * shell * radius * length
        + 1.7781 * head * radius**2
        + 3.1661 * shell**2 * length
        + 19.84 * shell**2 * radius
    )


# %%
# Two constraints come from the code for pressure vessels, which asks for a thickness in proportion to the radius. The
# third is the volume. Each is a number that has to be at most 0:

constraints = [
    lambda p: 0.0193 * p["radius"] - p["shell"],
    lambda p: 0.00954 * p["radius"] - p["head"],
    lambda p: (
        1_296_000
        - np.pi * p["radius"] ** 2 * p["length"]
        - 4 / 3 * np.pi * p["radius"] ** 3
    ),
]

# %%
# The search
# ----------

result = lc.minimize(cost, space, budget=10_000, rng=0, constraints=constraints)
result

# %%
# A search by chance can be unlucky. When an evaluation is as cheap as here, search from several seeds and look at all
# the results:

results = [
    lc.minimize(cost, space, budget=10_000, rng=seed, constraints=constraints)
    for seed in range(6)
]
for seed, each in enumerate(results):
    x = each.x
    print(
        f"seed {seed}: ${each.fun:,.2f}   shell {x['shell']:.4f}   head {x['head']:.4f}   "
        f"radius {x['radius']:6.2f}   length {x['length']:6.2f}"
    )
best = min(results, key=lambda each: each.fun)

# %%
# The results differ by half a percent, but they are of two kinds: a long tank of thinner plate, and a shorter one of
# thicker plate. The best design that is known costs $6,059.71, so the best of the six is good enough for any
# workshop:

known = lc.problems.pressure_vessel().optimum
print(
    f"{best.fun - known:.2f} dollars above the best known design, {best.fun / known - 1:.4%}"
)

# %%
# Why there are two kinds
# -----------------------
#
# For a given pair of plates only radius and length are left, and the cost can be drawn over both. Grey is what the
# constraints forbid: below the curve the tank is too small, to the right of the line the plate is too thin for the
# radius. The cheapest design sits where the two meet, and every pair of plates has such a corner. To go from one
# corner to the next, a search has to change the plate *and* the radius *and* the length at once, which is what makes
# this small problem hard.

radius, length = np.meshgrid(np.linspace(36, 50, 400), np.linspace(90, 200, 400))
figure, axes = plt.subplots(1, 2, figsize=(9, 4), sharey=True, layout="constrained")
for ax, shell in zip(axes, (0.8125, 0.875), strict=True):
    grid = {"shell": shell, "head": 0.4375, "radius": radius, "length": length}
    forbidden = np.max([limit(grid) for limit in constraints], axis=0) > 0
    lines = ax.contour(
        radius, length, cost(grid), levels=range(4000, 9000, 500), cmap="viridis"
    )
    ax.clabel(lines, fmt=lambda dollars: f"${dollars:,.0f}")
    ax.contourf(radius, length, forbidden, levels=[0.5, 1.5], colors="0.6", alpha=0.45)
    found = [each.x for each in results if each.x["shell"] == shell]
    ax.plot(
        [x["radius"] for x in found],
        [x["length"] for x in found],
        "o",
        color="#d55e00",
        markersize=9,
        markeredgecolor="white",
        label=f"found with {len(found)} of {len(results)} seeds",
    )
    ax.set(title=f"shell {shell} in, head 0.4375 in", xlabel="radius (in)")
    ax.legend(loc="lower left")
axes[0].set_ylabel("length of the cylinder (in)")
plt.show()

# %%
# The design
# ----------
#
# Drawn to scale, the best tank found. What the search was given as dollars and inequalities looks like a tank:

x = best.x
angle = np.linspace(-np.pi / 2, np.pi / 2, 100)


def outline(radius, head):
    """The profile of the tank, from the middle of the left head round to itself."""
    half = x["length"] / 2
    right = np.c_[half + (x["radius"] + head) * np.cos(angle), radius * np.sin(angle)]
    return np.r_[right, -right, right[:1]].T


figure, ax = plt.subplots(figsize=(9, 3.6), layout="constrained")
ax.fill(*outline(x["radius"] + x["shell"], x["head"]), color="#4a5a6a", label="steel")
ax.fill(*outline(x["radius"], 0.0), color="#cfe4f2", label="air")
ax.annotate(
    "",
    (-x["length"] / 2, 0),
    (x["length"] / 2, 0),
    arrowprops={"arrowstyle": "<->", "color": "0.2"},
)
ax.text(0, 3, f"length {x['length']:.1f} in", ha="center", color="0.2")
ax.annotate(
    "",
    (x["length"] / 2, 0),
    (x["length"] / 2, x["radius"]),
    arrowprops={"arrowstyle": "<->", "color": "0.2"},
)
ax.text(
    x["length"] / 2 - 3,
    x["radius"] / 2,
    f"radius {x['radius']:.2f} in",
    ha="right",
    color="0.2",
)
ax.set(
    aspect="equal",
    title=f"${best.fun:,.0f}: shell of {x['shell']} in, heads of {x['head']} in",
)
ax.axis("off")
plt.show()

# %%
# In a picture to scale the walls are thin lines: the plate is less than an inch, the tank more than twenty feet.
#
# To go on: `luciole.problems.pressure_vessel` is the same problem ready made, with names and units, and ``luciole
# problems`` lists more designs. Constraints of other kinds: :doc:`/howto/constraints`.

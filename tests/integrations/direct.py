"""Each peer's library called the way its documentation shows, with nothing of luciole in between.

A problem here is a list of variables, ("real", low, high), ("whole", low, high), ("ordered", n) or ("choice", n), and a function of
their plain values (positions for the last two) that returns a value and a violation. Each function returns the values it saw first.
"""

import contextlib
import math
import tempfile

import numpy as np


class Enough(Exception):
    pass


class Watched:
    """Calls the function, notes the values, and stops after `count` of them."""

    def __init__(self, function, count):
        self.function, self.count, self.seen = function, count, []

    def __call__(self, values):
        if len(self.seen) == self.count:
            raise Enough
        value, violation = self.function(values)
        self.seen.append(value)
        return value, violation

    def by_deb(self, values):
        value, violation = self(values)
        return value if violation == 0 else 1e200 * (1 + violation**0.25)


def bounds_of(variables):
    return [each[1:] if len(each) == 3 else (0, each[1] - 1) for each in variables]


def cmawm(variables, watched, seed, constrained):
    import cmaes

    low, high = np.array(bounds_of(variables), dtype=float).T
    steps = np.array([0.0 if kind == "real" else 1 / (b - a) for (kind, *_), a, b in zip(variables, low, high, strict=True)])
    rng = np.random.default_rng(seed)
    popsize = None
    with contextlib.suppress(Enough):
        while True:
            optimizer = cmaes.CMAwM(mean=rng.random(len(low)), sigma=0.2, bounds=np.array([[0.0, 1.0]] * len(low)), steps=steps,
                                    seed=int(rng.integers(2**31)), population_size=popsize)
            while True:
                solutions = []
                for _ in range(optimizer.population_size):
                    x_for_eval, x_for_tell = optimizer.ask()
                    x = low + x_for_eval * (high - low)
                    x[steps > 0] = np.round(x[steps > 0])
                    solutions.append((x_for_tell, watched.by_deb(x)))
                optimizer.tell(solutions)
                if optimizer.should_stop():
                    break
            popsize = 2 * optimizer.population_size


def catcmawm(variables, watched, seed, constrained):
    import cmaes

    real = [i for i, each in enumerate(variables) if each[0] == "real"]
    choice = [i for i, each in enumerate(variables) if each[0] == "choice"]
    whole = [i for i in range(len(variables)) if i not in real and i not in choice]
    bounds = bounds_of(variables)
    z = [np.arange(bounds[i][1] - bounds[i][0] + 1) / (bounds[i][1] - bounds[i][0]) for i in whole]
    optimizer = cmaes.CatCMAwM(x_space=[[0.0, 1.0] for _ in real] or None, z_space=z or None,
                               c_space=[variables[i][1] for i in choice] or None, seed=seed)
    with contextlib.suppress(Enough):
        while True:
            solutions, told = [], []
            for _ in range(optimizer.population_size):
                solution = optimizer.ask()
                values = np.empty(len(variables))
                for number, i in enumerate(real):
                    values[i] = bounds[i][0] + solution.x[number] * (bounds[i][1] - bounds[i][0])
                for number, i in enumerate(whole):
                    values[i] = round(bounds[i][0] + solution.z[number] * (bounds[i][1] - bounds[i][0]))
                for number, i in enumerate(choice):
                    values[i] = int(solution.c[number].argmax())
                solutions.append(solution)
                told.append(watched(values))
            worst = max([f for f, v in told if v == 0], default=0.0)
            optimizer.tell([(s, f if v == 0 else worst + v) for s, (f, v) in zip(solutions, told, strict=True)])
            assert not optimizer.should_stop()


def scipy_de(variables, watched, seed, constrained):
    from scipy.optimize import NonlinearConstraint, differential_evolution

    seen = {}

    def both(x):
        if x.tobytes() not in seen:
            seen[x.tobytes()] = watched(x)
        return seen[x.tobytes()]

    constraints = [NonlinearConstraint(lambda x: both(x)[1], -np.inf, 0)] if constrained else []
    with contextlib.suppress(Enough):
        differential_evolution(lambda x: (both if constrained else watched)(x)[0], bounds_of(variables),
                               integrality=[each[0] != "real" for each in variables], rng=seed, maxiter=10_000, tol=0, polish=False, constraints=constraints)


def pymoo_ga(variables, watched, seed, constrained):
    from pymoo.core.mixed import MixedVariableGA
    from pymoo.core.problem import ElementwiseProblem
    from pymoo.core.variable import Binary, Choice, Integer, Real
    from pymoo.optimize import minimize

    made = {"real": lambda low, high: Real(bounds=(low, high)), "whole": lambda low, high: Integer(bounds=(low, high)),
            "ordered": lambda n: Integer(bounds=(0, n - 1)), "choice": lambda n: Choice(options=range(n)) if n > 2 else Binary()}

    class Mine(ElementwiseProblem):
        def __init__(self):
            super().__init__(vars={f"v{i}": made[kind](*rest) for i, (kind, *rest) in enumerate(variables)},
                             n_obj=1, n_ieq_constr=int(constrained))

        def _evaluate(self, X, out, *args, **kwargs):
            value, violation = watched([X[f"v{i}"] for i in range(len(variables))])
            out["F"] = value
            if constrained:
                out["G"] = violation

    with contextlib.suppress(Enough):
        minimize(Mine(), MixedVariableGA(), ("n_gen", 10_000), seed=seed)


def optuna_values(trial, variables):
    made = {"real": trial.suggest_float, "whole": trial.suggest_int, "ordered": lambda name, n: trial.suggest_int(name, 0, n - 1),
            "choice": lambda name, n: trial.suggest_categorical(name, list(range(n)))}
    return [made[kind](f"v{i:03d}", *rest) for i, (kind, *rest) in enumerate(variables)]


def optuna_tpe(variables, watched, seed, constrained):
    import optuna

    def objective(trial):
        value, violation = watched(optuna_values(trial, variables))
        if constrained:
            trial.set_constraint("violation", violation)
        return value

    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
    study.optimize(objective, n_trials=watched.count)


def optuna_cmaes(variables, watched, seed, constrained):
    import optuna

    study = optuna.create_study(sampler=optuna.samplers.CmaEsSampler(seed=seed, with_margin=True))
    study.optimize(lambda trial: watched.by_deb(optuna_values(trial, variables)), n_trials=watched.count)


def ngopt(variables, watched, seed, constrained):
    import nevergrad as ng

    made = {"real": lambda low, high: ng.p.Scalar(lower=low, upper=high),
            "whole": lambda low, high: ng.p.Scalar(lower=low, upper=high).set_integer_casting(),
            "ordered": lambda n: ng.p.Scalar(lower=0, upper=n - 1).set_integer_casting(),
            "choice": lambda n: ng.p.Choice(list(range(n)))}
    parametrization = ng.p.Instrumentation(*[made[kind](*rest) for kind, *rest in variables])
    parametrization.random_state = np.random.RandomState(seed)
    optimizer = ng.optimizers.NGOpt(parametrization, budget=watched.count)
    told = {}

    def objective(*values):
        told[0], told[1] = watched(values)
        return told[0]

    optimizer.minimize(objective, constraint_violation=[lambda _: told[1]] if constrained else None)


def vizier_eagle(variables, watched, seed, constrained):
    from vizier import algorithms
    from vizier import pyvizier as vz
    from vizier._src.algorithms.designers.eagle_strategy.eagle_strategy import EagleStrategyDesigner

    problem = vz.ProblemStatement()
    root = problem.search_space.root
    made = {"real": root.add_float_param, "whole": root.add_int_param,
            "ordered": lambda name, n: root.add_discrete_param(name, list(range(n))),
            "choice": lambda name, n: root.add_categorical_param(name, [str(i) for i in range(n)])}
    for i, (kind, *rest) in enumerate(variables):
        made[kind](f"v{i}", *rest)
    problem.metric_information.append(vz.MetricInformation("cost", goal=vz.ObjectiveMetricGoal.MINIMIZE))
    designer = EagleStrategyDesigner(problem, seed=seed)
    for number in range(watched.count):
        suggestion = designer.suggest(1)[0]
        trial = suggestion.to_trial(number + 1)
        cost = watched.by_deb([float(suggestion.parameters[f"v{i}"].value) for i in range(len(variables))])
        trial.complete(vz.Measurement({"cost": cost}))
        designer.update(algorithms.CompletedTrials([trial]), algorithms.ActiveTrials())


def smac3(variables, watched, seed, constrained):
    # The names are those of the peer: SMAC searches differently under other names.
    from ConfigSpace import Categorical, ConfigurationSpace, Float, Integer
    from smac import HyperparameterOptimizationFacade, Scenario

    made = {"real": lambda name, low, high: Float(name, (low, high)), "whole": lambda name, low, high: Integer(name, (low, high)),
            "ordered": lambda name, n: Categorical(name, list(range(n)), ordered=True),
            "choice": lambda name, n: Categorical(name, list(range(n)))}
    space = ConfigurationSpace(seed=seed)
    space.add([made[kind](f"x{i:05d}", *rest) for i, (kind, *rest) in enumerate(variables)])
    worst = -math.inf

    def train(config, seed=0):
        nonlocal worst
        value, violation = watched([config[f"x{i:05d}"] for i in range(len(variables))])
        worst = max(worst, value)
        return value if violation == 0 else worst + violation

    with tempfile.TemporaryDirectory() as folder:
        scenario = Scenario(space, deterministic=True, n_trials=watched.count, seed=seed, output_directory=folder)
        HyperparameterOptimizationFacade(scenario, train, overwrite=True, logging_level=40).optimize()


DIRECT = {"cmawm": cmawm, "catcmawm": catcmawm, "scipy-de": scipy_de, "pymoo-ga": pymoo_ga, "optuna-tpe": optuna_tpe,
          "optuna-cmaes": optuna_cmaes, "ngopt": ngopt, "vizier-eagle": vizier_eagle, "smac3": smac3}

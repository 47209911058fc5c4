"""Minimise a function of real, integer and categorical variables with the sampler as OptunaHub loads it."""

import optuna
import optunahub


def objective(trial: optuna.Trial) -> float:
    x = trial.suggest_float("x", -5, 5)
    n = trial.suggest_int("n", 1, 1000, log=True)
    kind = trial.suggest_categorical("kind", ["a", "b", "c"])
    trial.set_constraint("x is large enough", 1 - x)
    return (x - 0.5) ** 2 + abs(n - 40) / 40 + "cab".index(kind)


if __name__ == "__main__":
    module = optunahub.load_module(package="samplers/firefly")
    study = optuna.create_study(sampler=module.FireflySampler(seed=0))
    study.optimize(objective, n_trials=200)
    print(study.best_value, study.best_params)

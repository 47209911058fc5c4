"""How good FireflySearchCV is beside Optuna's default sampler and RandomizedSearchCV: the same pipelines, folds and number of fits.

``python benchmarks/sklearn_search.py`` makes the runs that benchmarks/sklearn_search.jsonl does not hold yet, adds a line to it for
each, and prints the table of docs/howto/sklearn.md; ``--table`` prints it from what is there. It takes about five minutes of one core.
"""

import argparse
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import optuna
from sklearn.base import BaseEstimator
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SelectKBest, f_regression
from sklearn.model_selection import KFold, RandomizedSearchCV, StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler, RobustScaler, StandardScaler
from sklearn.svm import SVC, SVR
from threadpoolctl import threadpool_limits

import luciole as lc
from luciole.integrations.sklearn import FireflySearchCV

RUNS = Path(__file__).with_suffix(".jsonl")
CANDIDATES = 60
FOLDS = 5
SEARCHES = ("FireflySearchCV", "Optuna TPESampler", "RandomizedSearchCV")


class Task(NamedTuple):
    """A pipeline to tune on a data set."""

    data: tuple[np.ndarray, np.ndarray]
    estimator: BaseEstimator
    space: lc.Space
    scoring: str

    @property
    def folds(self) -> KFold | StratifiedKFold:
        """The same for every search and seed."""
        kind = KFold if self.scoring == "r2" else StratifiedKFold
        return kind(FOLDS, shuffle=True, random_state=0)


def breast_cancer() -> Task:
    """A support vector machine behind a scaler."""
    return Task(load_breast_cancer(return_X_y=True), Pipeline([("scale", StandardScaler()), ("svc", SVC())]), lc.Space({
        "scale": lc.Categorical([StandardScaler(), MinMaxScaler(), RobustScaler()]),
        "svc__kernel": lc.Categorical(["rbf", "poly", "sigmoid"]),
        "svc__C": lc.Float(1e-2, 1e3, log=True),
        "svc__gamma": lc.Float(1e-4, 1e1, log=True),
        "svc__degree": lc.Integer(2, 5),
        "svc__class_weight": lc.Categorical([None, "balanced"]),
    }), "accuracy")


def digits() -> Task:
    """Nearest neighbours among the principal components of 600 images."""
    images, labels = load_digits(return_X_y=True)
    return Task((images[:600], labels[:600]), Pipeline([("reduce", PCA(random_state=0)), ("vote", KNeighborsClassifier())]), lc.Space({
        "reduce__n_components": lc.Integer(2, 60),
        "reduce__whiten": lc.Boolean(),
        "vote__n_neighbors": lc.Integer(1, 50, log=True),
        "vote__weights": lc.Categorical(["uniform", "distance"]),
        "vote__metric": lc.Categorical(["euclidean", "manhattan", "chebyshev", "cosine"]),
    }), "accuracy")


def diabetes() -> Task:
    """Support vector regression on the features that say most."""
    steps = [("scale", StandardScaler()), ("select", SelectKBest(f_regression)), ("svr", SVR())]
    return Task(load_diabetes(return_X_y=True), Pipeline(steps), lc.Space({
        "scale": lc.Categorical([StandardScaler(), MinMaxScaler(), RobustScaler()]),
        "select__k": lc.Integer(2, 10),
        "svr__kernel": lc.Categorical(["rbf", "sigmoid", "linear"]),
        "svr__C": lc.Float(1e-1, 1e3, log=True),
        "svr__gamma": lc.Float(1e-4, 1.0, log=True),
        "svr__epsilon": lc.Float(1e-1, 1e2, log=True),
    }), "r2")


TASKS = {"breast cancer": breast_cancer, "digits": digits, "diabetes": diabetes}


class Draws:
    """A variable as RandomizedSearchCV takes distributions: uniform, on a logarithmic scale where the variable has one."""

    def __init__(self, variable: Any) -> None:
        self.space = lc.Space(value=variable)

    def rvs(self, random_state: np.random.RandomState) -> Any:
        """One value."""
        return self.space.sample(rng=int(random_state.randint(2**31 - 1)))["value"]


def scores_of(search: str, task: Task, seed: int) -> list[float]:
    """The mean score over the folds of each candidate, in the order of evaluation."""
    if search == "Optuna TPESampler":
        study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed))
        study.optimize(lambda trial: score_in_optuna(task, trial), n_trials=CANDIDATES)
        return [trial.value for trial in study.trials]
    shared = {"n_iter": CANDIDATES, "cv": task.folds, "scoring": task.scoring, "random_state": seed, "refit": False}
    if search == "FireflySearchCV":
        found = FireflySearchCV(task.estimator, task.space, **shared)
    else:
        found = RandomizedSearchCV(task.estimator, {name: Draws(each) for name, each in task.space.items()}, **shared)
    return found.fit(*task.data).cv_results_["mean_test_score"].tolist()


def score_in_optuna(task: Task, trial: optuna.Trial) -> float:
    """The objective as an Optuna user writes it; a choice goes by its position, since Optuna stores no estimators."""
    params = {}
    for name, each in task.space.items():
        if isinstance(each, lc.Float):
            params[name] = trial.suggest_float(name, each.low, each.high, log=each.log)
        elif isinstance(each, lc.Integer):
            params[name] = trial.suggest_int(name, each.low, each.high, log=each.log)
        else:
            params[name] = each.values[trial.suggest_categorical(name, range(len(each.values)))]
    estimator = task.estimator.set_params(**params)
    return float(cross_val_score(estimator, *task.data, cv=task.folds, scoring=task.scoring).mean())


def known_runs() -> dict[tuple[str, str, int], list[float]]:
    """The scores of finished runs; a line that was cut off counts as no run."""
    runs = {}
    for line in RUNS.read_text().splitlines() if RUNS.exists() else []:
        try:
            run = json.loads(line)
        except ValueError:
            continue
        runs[run["task"], run["search"], run["seed"]] = run["scores"]
    return runs


def missing_runs(seeds: range) -> Iterator[tuple[str, str, int]]:
    """The runs to make, seed by seed."""
    known = known_runs()
    return ((task, search, seed) for seed in seeds for task in TASKS for search in SEARCHES if (task, search, seed) not in known)


def table(seeds: range) -> None:
    """Means of the best scores with their standard errors, and mean ranks over the tasks and seeds."""
    runs = known_runs()
    best = np.array([[[max(runs[task, search, seed]) for search in SEARCHES] for seed in seeds] for task in TASKS])
    means, errors = best.mean(axis=1), best.std(axis=1, ddof=1) / np.sqrt(len(seeds))
    print(f"| best score of {CANDIDATES} candidates, mean over {len(seeds)} seeds ± standard error | " + " | ".join(SEARCHES) + " | FireflySearchCV - Optuna |")
    print("|---" * (len(SEARCHES) + 2) + "|")
    for task, mean, error in zip(TASKS, means, errors, strict=True):
        cells = [f"{m:.4f} ± {e:.4f}" for m, e in zip(mean, error, strict=True)]
        print(f"| {task} | " + " | ".join(cells) + f" | {mean[0] - mean[1]:+.4f} ± {np.hypot(error[0], error[1]):.4f} |")
    ranks = 1 + (best[..., None, :] > best[..., :, None]).sum(axis=-1) + ((best[..., None, :] == best[..., :, None]).sum(axis=-1) - 1) / 2
    print("| mean rank | " + " | ".join(f"{rank:.2f}" for rank in ranks.mean(axis=(0, 1))) + " | |")


def main() -> None:
    """Make the runs that are missing and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--first-seed", type=int, default=20, help="those below were used while the search was made")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--table", action="store_true", help="make no runs")
    chosen = parser.parse_args()
    seeds = range(chosen.first_seed, chosen.first_seed + chosen.seeds)
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.simplefilter("ignore", ConvergenceWarning)
    if not chosen.table:
        tasks = {name: make() for name, make in TASKS.items()}
        for task, search, seed in missing_runs(seeds):
            with threadpool_limits(1):
                scores = scores_of(search, tasks[task], seed)
            with RUNS.open("a") as file:
                print(json.dumps({"task": task, "search": search, "seed": seed, "scores": [round(each, 6) for each in scores]}), file=file)
    table(seeds)


if __name__ == "__main__":
    main()

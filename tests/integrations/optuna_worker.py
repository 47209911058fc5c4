"""One process of many that work on a study: ``optuna_worker.py STORAGE TRIALS SECONDS``. It says what it starts and finishes."""

import sys
import time
import warnings

import optuna
from optuna.distributions import CategoricalDistribution, IntDistribution

from luciole.integrations.optuna import FireflySampler

SPACE = {"a": IntDistribution(0, 7), "b": IntDistribution(1, 8, log=True), "c": CategoricalDistribution(["w", "x", "y", "z"])}
STUDY = "shared"


def storage_of(where):
    kind, _, path = where.partition(":")
    if kind == "journal":
        return optuna.storages.JournalStorage(optuna.storages.journal.JournalFileBackend(path))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        again = optuna.storages.RetryHeartbeatStaleTrialCallback()
        return optuna.storages.RDBStorage(where, heartbeat_interval=1, grace_period=6, heartbeat_stale_trial_callback=again)


def objective(trial):
    a = trial.suggest_int("a", 0, 7)
    b = trial.suggest_int("b", 1, 8, log=True)
    return (a - 5) ** 2 + (b - 3) ** 2 + "zxwy".index(trial.suggest_categorical("c", ["w", "x", "y", "z"]))


def main(where, trials, seconds):
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.load_study(study_name=STUDY, storage=storage_of(where), sampler=FireflySampler(SPACE, seed=0))

    def slow(trial):
        value = objective(trial)
        print("started", trial.number, flush=True)
        time.sleep(seconds)
        return value

    def say(study, trial):
        print("finished", trial.number, trial.value, flush=True)
    study.optimize(slow, n_trials=trials, callbacks=[say])


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))

"""The sampler in one process: what it proposes follows from the storage, and it searches."""

import copy
import pickle
from datetime import timedelta

import numpy as np
import optuna
import pytest
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.trial import TrialState, create_trial

import luciole as lc
from luciole.integrations.optuna import FireflySampler, fail_stale_trials, suggest


@pytest.fixture(autouse=True)
def quiet():
    optuna.logging.set_verbosity(optuna.logging.ERROR)


def mixed(trial):
    x = [trial.suggest_float(f"x{i}", -5, 5) for i in range(3)]
    n = trial.suggest_int("n", 1, 1000, log=True)
    step = trial.suggest_float("step", 0.0, 1.0, step=0.1)
    kind = trial.suggest_categorical("kind", ["a", "b", "c", "d"])
    return sum((each - 1) ** 2 for each in x) + abs(np.log(n / 30)) + abs(step - 0.3) + "cadb".index(kind)


def grid(trial):
    return abs(trial.suggest_int("a", 0, 5) - 3) + abs(trial.suggest_int("b", 1, 8, log=True) - 5) + (trial.suggest_categorical("c", "xy") == "x")


GRID = {"a": IntDistribution(0, 5), "b": IntDistribution(1, 8, log=True), "c": CategoricalDistribution(["x", "y"])}


def run(sampler, trials, objective=mixed, **kwargs):
    study = optuna.create_study(sampler=sampler, **kwargs)
    study.optimize(objective, n_trials=trials)
    return study


def points(study):
    return [tuple(trial.params[name] for name in sorted(trial.params)) for trial in study.trials]


def test_it_searches_much_better_than_random():
    ours = [run(FireflySampler(seed=seed), 150).best_value for seed in range(4)]
    random = [run(optuna.samplers.RandomSampler(seed=seed), 150).best_value for seed in range(4)]
    assert np.mean(ours) < 0.6 * np.mean(random)
    assert max(ours) < min(random)


def test_maximising_is_minimising_the_opposite():
    up = run(FireflySampler(seed=3), 60, lambda trial: -mixed(trial), direction="maximize")
    assert points(up) == points(run(FireflySampler(seed=3), 60))


def test_the_same_seed_gives_the_same_study_and_another_seed_another():
    assert points(run(FireflySampler(seed=3), 40)) == points(run(FireflySampler(seed=3), 40))
    assert points(run(FireflySampler(seed=3), 40)) != points(run(FireflySampler(seed=4), 40))


def test_a_sampler_without_memory_of_the_study_proposes_the_same():
    unbroken = run(FireflySampler(seed=5), 60)
    broken = optuna.create_study()
    for n in range(60):
        broken.sampler = FireflySampler(seed=5) if n % 2 else pickle.loads(pickle.dumps(broken.sampler)) if n else FireflySampler(seed=5)
        broken.optimize(mixed, n_trials=1)
    assert points(broken) == points(unbroken)


def test_the_order_in_which_trials_finish_does_not_matter():
    def told(order):
        study = optuna.create_study(sampler=FireflySampler(SPACE_2D, seed=1))
        trials = [study.ask(SPACE_2D) for _ in range(30)]
        for n in order:
            study.tell(trials[n], trials[n].params["x"] ** 2 + trials[n].params["n"])
        return study.ask(SPACE_2D).params
    shuffled = np.random.default_rng(0).permutation(30)
    assert told(range(30)) == told(reversed(range(30))) == told(shuffled)


SPACE_2D = {"x": FloatDistribution(-1, 1), "n": IntDistribution(0, 9)}


def test_one_sampler_may_serve_several_studies_in_turn():
    sampler = FireflySampler(seed=2)
    studies = [optuna.create_study(sampler=sampler) for _ in range(2)]
    for _ in range(20):
        for study in studies:
            study.optimize(mixed, n_trials=1)
    assert points(studies[0]) == points(studies[1]) == points(run(FireflySampler(seed=2), 20))


def test_a_storage_that_was_emptied_and_filled_anew_is_noticed():
    storage = optuna.storages.InMemoryStorage()
    sampler = FireflySampler(GRID, seed=0)
    study = optuna.create_study(storage=storage, study_name="s", sampler=sampler)
    study.optimize(grid, n_trials=30)
    before = points(study)
    optuna.delete_study(study_name="s", storage=storage)
    again = optuna.create_study(storage=storage, study_name="s", sampler=sampler)
    again.optimize(grid, n_trials=30)
    assert points(again) == before


def test_every_point_of_a_discrete_space_is_tried_before_any_comes_twice():
    study = run(FireflySampler(GRID, seed=0), 100, grid)
    assert len(set(points(study)[:96])) == 96 == len(set(points(study)))
    assert study.best_value == 0


def test_threads_share_out_the_points_of_a_discrete_space():
    study = optuna.create_study(sampler=FireflySampler(GRID, seed=0))
    study.optimize(grid, n_trials=96, n_jobs=4)
    assert len(set(points(study))) == 96


def test_points_that_others_are_going_to_are_left_to_them():
    study = optuna.create_study(sampler=FireflySampler(GRID, seed=0))
    open_trials = [study.ask(GRID) for _ in range(60)]
    study.enqueue_trial({"a": 0, "b": 1, "c": "x"}, skip_if_exists=True)
    more = [study.ask(GRID) for _ in range(30)]
    assert len({tuple(each.params.values()) for each in open_trials + more}) == 90


def test_a_claim_is_heeded_before_its_parameters_are_stored():
    study = optuna.create_study(sampler=FireflySampler({"a": IntDistribution(0, 4)}, seed=0))
    waiting = [study.ask() for _ in range(5)]
    for each in waiting:
        each.relative_params  # noqa: B018
    assert sorted(each.suggest_int("a", 0, 4) for each in waiting) == [0, 1, 2, 3, 4]


def test_a_trial_steps_aside_for_another_that_claims_the_same_point_at_the_same_time():
    study = optuna.create_study(sampler=FireflySampler({"a": IntDistribution(0, 4)}, seed=0))
    ours, other = study.ask(), study.ask()
    write, claims = study._storage.set_trial_system_attr, []

    def write_twice(trial_id, key, value):
        write(trial_id, key, value)
        claims.append(value)
        if len(claims) < 4:
            write(other._trial_id, key, value)
    study._storage.set_trial_system_attr = write_twice
    assert ours.relative_params not in claims[:3]
    assert len({claim["a"] for claim in claims[:3]}) > 1


@pytest.mark.parametrize("seed", range(5))
def test_trials_that_start_before_any_has_finished_differ(seed):
    study = optuna.create_study(sampler=FireflySampler(seed=seed))
    first = [study.ask() for _ in range(6)]
    for trial in first:
        trial.suggest_int("a", 0, 5), trial.suggest_int("b", 1, 8, log=True), trial.suggest_categorical("c", "xy")
    assert [len({trial.params[name] for trial in first}) for name in "abc"] == [6, 6, 2]


def test_trials_that_fail_before_any_has_succeeded_do_not_stay_on_a_line():
    study = optuna.create_study(sampler=FireflySampler(seed=0))

    def works_at_one_point(trial):
        if any(trial.suggest_int(name, 0, 1) != wanted for name, wanted in zip("abcd", [0, 1, 1, 0], strict=True)):
            raise ArithmeticError
        return 1.0
    study.optimize(works_at_one_point, n_trials=150, catch=ArithmeticError)
    assert study.best_value == 1


def test_failed_points_are_tried_again_once_all_others_were_tried():
    study = optuna.create_study(sampler=FireflySampler({"a": IntDistribution(0, 4)}, seed=0))

    def fails_at_first(trial):
        a = trial.suggest_int("a", 0, 4)
        if a == 2 and trial.number < 5:
            raise ArithmeticError
        return abs(a - 2)
    study.optimize(fails_at_first, n_trials=6, catch=ArithmeticError)
    assert sorted(trial.params["a"] for trial in study.trials) == [0, 1, 2, 2, 3, 4]
    assert study.best_value == 0


def test_points_of_trials_that_never_finish_come_last():
    study = optuna.create_study(sampler=FireflySampler({"a": IntDistribution(0, 4)}, seed=0))
    lost = study.ask({"a": IntDistribution(0, 4)})
    study.optimize(lambda trial: trial.suggest_int("a", 0, 4), n_trials=5)
    assert study.trials[-1].params == lost.params
    assert len({trial.params["a"] for trial in study.trials[1:]}) == 5


def test_a_repeated_point_is_not_a_known_one_where_parameters_hang_on_it():
    study = optuna.create_study(sampler=FireflySampler(seed=0))

    def conditional(trial):
        kind = trial.suggest_categorical("kind", ["line", "circle", "none"])
        if kind == "none":
            return 9.0
        return trial.suggest_float(kind, 0, 1) + (kind == "circle")
    study.optimize(conditional, n_trials=60)
    kinds = [trial.params["kind"] for trial in study.trials[20:]]
    assert kinds.count("line") > kinds.count("none")


def test_failed_pruned_and_running_trials_do_not_mislead():
    study = optuna.create_study(sampler=FireflySampler(seed=1))

    def troubled(trial):
        value = mixed(trial)
        if trial.number % 5 == 1:
            raise ArithmeticError
        if trial.number % 5 == 2:
            raise optuna.TrialPruned
        return float("nan") if trial.number % 5 == 3 else value
    for _ in range(40):
        study.optimize(troubled, n_trials=10, catch=ArithmeticError)
        study.ask().suggest_float("x0", -5, 5)
    assert {trial.state for trial in study.trials} == {TrialState.COMPLETE, TrialState.FAIL, TrialState.PRUNED, TrialState.RUNNING}
    assert study.best_value < 0.5


def test_foreign_enqueued_and_infinite_trials_are_taken_in():
    study = optuna.create_study(sampler=FireflySampler(SPACE_2D, seed=1))
    for n in range(10):
        study.add_trial(create_trial(params={"x": n / 10, "n": n}, distributions=SPACE_2D, value=float(n) if n else float("-inf")))
    study.add_trial(create_trial(params={"y": 1.0}, distributions={"y": FloatDistribution(0, 1)}, value=1.0))
    study.enqueue_trial({"x": 0.25, "n": 3})
    study.enqueue_trial({"n": 7})
    study.optimize(lambda trial: trial.suggest_float("x", -1, 1) ** 2 + trial.suggest_int("n", 0, 9), n_trials=30)
    assert study.trials[11].params == {"x": 0.25, "n": 3}
    assert study.trials[12].params["n"] == 7
    assert min(trial.value for trial in study.trials[12:]) < 0.1


def test_a_search_space_that_changes_is_followed():
    study = optuna.create_study(sampler=FireflySampler(seed=1))
    study.optimize(lambda trial: trial.suggest_float("x", -5, 5) ** 2 + trial.suggest_float("y", 0, 1), n_trials=40)
    study.optimize(lambda trial: trial.suggest_float("x", -5, 5) ** 2 + trial.suggest_float("y", 0, 2) + trial.suggest_int("z", 0, 3), n_trials=60)
    space = study.sampler.infer_relative_search_space(study, study.trials[-1])
    assert space == {"x": FloatDistribution(-5, 5)}
    assert min(abs(trial.params["x"]) for trial in study.trials[40:]) < 0.05


def test_what_luciole_cannot_move_in_is_drawn_at_random():
    odd = {"fine": FloatDistribution(0, 1, step=1e-9), "long": IntDistribution(1, 10**15, log=True),
           "one": IntDistribution(3, 3), "twins": CategoricalDistribution(["a", "a", 1, True, float("nan")]), "x": FloatDistribution(0, 1)}
    study = optuna.create_study(sampler=FireflySampler(seed=0))
    for _ in range(30):
        trial = study.ask(odd)
        study.tell(trial, trial.params["x"])
    assert set(study.sampler.infer_relative_search_space(study, study.trials[0])) == {"twins", "x"}
    assert study.best_value < 0.05


def test_ordered_values_of_a_declared_space_are_moved_along_their_order():
    sizes = [2**i for i in range(50)]
    space = lc.Space(a=lc.Ordinal(sizes), b=lc.Ordinal(sizes), fixed=lc.Integer(4, 4))

    def mean_miss(order):
        best = []
        for seed in range(6):
            study = optuna.create_study(sampler=FireflySampler(order, seed=seed))
            study.optimize(lambda trial: abs(np.log2(suggest(trial, space)["a"]) - 41) + abs(np.log2(trial.params["b"]) - 9), n_trials=80)
            best += [trial.value for trial in study.trials[40:]]
        return np.mean(best)
    assert mean_miss(space) < 0.7 * mean_miss(None)


@pytest.mark.parametrize("by", ["objective", "sampler"])
def test_constraints_are_heeded(by):
    def constraint(trial):
        return [2 - trial.params["x"] - trial.params["n"] / 10]

    def objective(trial):
        x, n = trial.suggest_float("x", 0, 5), trial.suggest_int("n", 0, 10)
        if by == "objective":
            trial.set_constraint("sum", 2 - x - n / 10)
        return x + n / 5
    study = optuna.create_study(sampler=FireflySampler(seed=2, constraints_func=constraint if by == "sampler" else None))
    study.optimize(objective, n_trials=150)
    assert len(study.trials[-1].constraints) == 1
    best = study.best_trial
    assert best.constraints[next(iter(best.constraints))] <= 0
    assert best.value < 2.1
    assert sum(max(trial.constraints.values()) <= 0 for trial in study.trials[-50:]) > 15


def test_a_constraint_that_is_not_a_number_fails_the_trial():
    study = optuna.create_study(sampler=FireflySampler(constraints_func=lambda trial: [float("nan")]))
    with pytest.raises(lc.ArgumentError, match="constraints_func returned"):
        study.optimize(grid, n_trials=1)


def test_paper_settings_work_as_well():
    study = run(FireflySampler(seed=0, method=lc.FAmv.paper("H^a"), budget=100), 60)
    assert len(study.trials) == 60


def test_a_sampler_is_copied_without_what_it_remembers():
    study = run(FireflySampler(seed=7), 20)
    copied = copy.deepcopy(study.sampler)
    assert len(pickle.dumps(copied)) < 2000
    trial = study.ask()
    assert copied.sample_relative(study, study.trials[-1], copied.infer_relative_search_space(study, study.trials[-1])) == trial.relative_params


@pytest.mark.parametrize(("arguments", "message"), [
    ({"seed": -1}, "seed=-1 must be a whole number"),
    ({"seed": True}, "seed=True"),
    ({"method": "famv"}, "method='famv' must be a luciole.FAmv"),
    ({"budget": 0}, "budget=0 must be at least 1"),
    ({"constraints_func": 3}, "constraints_func=3 must be callable"),
    ({"search_space": [1]}, "must be a dict"),
    ({"search_space": {"x": 3}}, "x: 3 is not known"),
])
def test_wrong_arguments_are_named(arguments, message):
    with pytest.raises(lc.ArgumentError, match=message):
        FireflySampler(**arguments)


def test_several_objectives_are_refused():
    study = optuna.create_study(sampler=FireflySampler(), directions=["minimize", "minimize"])
    with pytest.raises(ValueError, match="2 objectives; FireflySampler is for one objective only"):
        study.optimize(lambda trial: (trial.suggest_float("x", 0, 1), 0.0), n_trials=1)


def test_pruning_in_brackets_works():
    study = optuna.create_study(sampler=FireflySampler(seed=0), pruner=optuna.pruners.HyperbandPruner(1, 9))

    def objective(trial):
        value = mixed(trial)
        for step in range(1, 10):
            trial.report(value / step, step)
            if trial.should_prune():
                raise optuna.TrialPruned
        return value
    study.optimize(objective, n_trials=60)
    assert len(study.trials) == 60


def test_stale_trials_are_failed_and_may_be_enqueued():
    study = optuna.create_study(sampler=FireflySampler(seed=0))
    done = study.ask()
    study.tell(done, 1.0)
    lost = study.ask(SPACE_2D)
    assert fail_stale_trials(study, timedelta(hours=1)) == []
    assert fail_stale_trials(study, 0, enqueue=True) == [lost.number]
    assert [trial.state for trial in study.trials] == [TrialState.COMPLETE, TrialState.FAIL, TrialState.WAITING]
    assert study.ask(SPACE_2D).params == lost.params
    with pytest.raises(lc.ArgumentError, match="older_than='long' must be a number of seconds or a timedelta"):
        fail_stale_trials(study, "long")

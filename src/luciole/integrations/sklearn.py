"""A scikit-learn search over a luciole space; needs the extra ``sklearn``."""

import warnings
from collections.abc import Callable, Mapping
from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from luciole._layout import Floats, draw
from luciole._start import Known, known_points
from luciole.algorithms import FAmv, Method, RandomSearch
from luciole.errors import ArgumentError, MissingExtraError
from luciole.optimizer import Optimizer
from luciole.space import Space
from luciole.trial import Trial

try:
    from sklearn.base import is_classifier
    from sklearn.exceptions import FitFailedWarning
    from sklearn.model_selection import check_cv
    from sklearn.model_selection._search import BaseSearchCV
    from sklearn.utils import check_random_state
    from sklearn.utils._param_validation import Interval
except ImportError:
    raise MissingExtraError("luciole.integrations.sklearn needs scikit-learn; install it with: "
                            "pip install 'luciole[sklearn]'") from None

__all__ = ["FireflySearchCV"]

FEW_EVALUATIONS: Method = FAmv(population=3, share=0.4, difference=0.0, alpha_floor=0.1)
"""The method for budgets of tens of evaluations, which starts from the best of a first part that is spread over the space."""

SPREAD = 3  # the first part is one candidate in so many
BATCH = 1
PATIENCE = 100  # proposals of known points in a row


class FireflySearchCV(BaseSearchCV):  # type: ignore[misc]
    """Search the parameters of an estimator by cross-validation, as `sklearn.model_selection.RandomizedSearchCV` does.

    The first third of the candidates is spread evenly over the space and evaluated as one batch; a swarm goes on from the best
    of them, and learns from each `batch` of candidates. The fits of a batch run side by side with `n_jobs`; what is found
    depends on `random_state` and `batch`, never on `n_jobs`. A candidate that was scored before is not fitted again, and all
    candidates see the same splits.

    Parameters
    ----------
    estimator : estimator object
        What to tune; a `sklearn.pipeline.Pipeline`, for instance.
    space : Space or dict
        The parameters to search, by the names that ``set_params`` takes (``"svc__C"``): a `luciole.Space`, or a dict of
        variables. Choices may be any objects, estimators included.
    n_iter : int
        How many candidates to evaluate.
    method : str or Method, optional
        How to search, from the first candidate on. Left out: as said above, with `FAmv`; good for tens of evaluations.
    batch : int
        How many candidates are evaluated before the method hears of their scores. It learns most from one at a time; more keep
        more cores busy than there are folds.
    x0 : optional
        Points to start from, as in `luciole.minimize`: for one, the parameters in use today.
    scoring : str, callable, list, tuple or dict, optional
        What makes a candidate good, as in scikit-learn. With several metrics, `refit` names the one to search by.
    metric : str, optional
        With several metrics: the one to search by, where `refit` names none.
    n_jobs : int, optional
        How many fits run side by side.
    refit : bool, str or callable
        Whether, and by which metric, to fit the best candidate to all the data.
    cv : int, splitter or iterable, optional
        The cross-validation.
    verbose : int
        How much to print.
    pre_dispatch : int or str
        How many fits are dispatched at once.
    random_state : int, RandomState instance or None
        The seed.
    error_score : "raise" or number
        The score of a fit that fails; such a candidate is never the best unless the number makes it so.
    return_train_score : bool
        Whether to score the training data too.

    Attributes
    ----------
    cv_results_ : dict of arrays
        ``params``, ``param_*``, ``split*_test_score``, ``mean_test_score``, ``std_test_score``, ``rank_test_score``, and
        times, one entry a candidate in the order of evaluation.
    best_estimator_, best_score_, best_params_, best_index_
        The best candidate.

    Examples
    --------
    >>> import luciole as lc
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> from luciole.integrations.sklearn import FireflySearchCV
    >>> space = lc.Space(C=lc.Float(1e-2, 1e3, log=True), kernel=lc.Categorical(["linear", "rbf"]))
    >>> search = FireflySearchCV(SVC(), space, n_iter=12, random_state=0).fit(*load_iris(return_X_y=True))
    >>> len(search.cv_results_["params"]), float(search.best_score_) > 0.97
    (12, True)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **BaseSearchCV._parameter_constraints,
        "space": [Space, Mapping],
        "n_iter": [Interval(Integral, 1, None, closed="left")],
        "method": [str, Method, None],
        "batch": [Interval(Integral, 1, None, closed="left")],
        "x0": "no_validation",
        "metric": [str, None],
        "random_state": ["random_state"],
    }

    def __init__(self, estimator: Any, space: Space | Mapping[str, Any], *, n_iter: int = 50, method: str | Method | None = None,
                 batch: int = BATCH, x0: Any = None, scoring: Any = None, metric: str | None = None, n_jobs: int | None = None,
                 refit: bool | str | Callable[..., int] = True, cv: Any = None, verbose: int = 0,
                 pre_dispatch: int | str = "2*n_jobs", random_state: Any = None, error_score: float | str = np.nan,
                 return_train_score: bool = False) -> None:
        super().__init__(estimator, scoring=scoring, n_jobs=n_jobs, refit=refit, cv=cv, verbose=verbose,
                         pre_dispatch=pre_dispatch, error_score=error_score, return_train_score=return_train_score)
        self.space = space
        self.n_iter = n_iter
        self.method = method
        self.batch = batch
        self.x0 = x0
        self.metric = metric
        self.random_state = random_state

    def _run_search(self, evaluate_candidates: Callable[..., dict[str, Any]]) -> None:
        """Ask for batches, let scikit-learn evaluate them, and tell the scores, until `n_iter` candidates are evaluated."""
        space = self.space if isinstance(self.space, Space) else Space(self.space)
        if space.as_array:
            raise ArgumentError(f"space={space!r} has no parameter names; use luciole.Space({{'C': ...}}) instead of from_bounds")
        evaluation = _Evaluation(evaluate_candidates, _SameSplits(self), self)
        count = min(self.n_iter, space.size)
        if count < self.n_iter:
            warnings.warn(f"the space holds {space.size:g} points, fewer than n_iter={self.n_iter}; all are evaluated",
                          UserWarning, stacklevel=2)
        proposals = _Proposals(space, int(count), self)
        while len(proposals.scores) < count:
            points = proposals.next(int(min(self.batch, count - len(proposals.scores))))
            proposals.tell(evaluation.of(points))
        evaluation.finish()


class _Proposals:
    """What a method proposes, each point once; where it keeps to points that are known, others are drawn at random."""

    method: Optimizer

    def __init__(self, space: Space, count: int, search: FireflySearchCV) -> None:
        self.space = space
        self.count = count
        self.rng = np.random.default_rng(check_random_state(search.random_state).randint(2**31 - 1))
        self.chance = Optimizer(space, RandomSearch(), rng=self.rng)
        self.scores: dict[bytes, float] = {}
        self.out: dict[bytes, list[tuple[Optimizer, Trial]]] = {}
        self.first: dict[bytes, Floats] = {}  # where it starts
        self.known: list[Known] = []
        if search.method is not None:
            self.method = Optimizer(space, search.method, budget=count, direction="maximize", x0=search.x0, rng=self.rng)
            return
        given: list[Floats] = []
        if search.x0 is not None:
            self.known, given = known_points(space, search.x0)
        given += spread(space, max(count // SPREAD - len(self.known) - len(given), 0), self.rng)
        self.first = {slots.tobytes(): slots for slots in given[:count]}
        if not self.first:
            self._start()

    def _start(self) -> None:
        """Let the swarm begin with the best points so far."""
        known = [(self.space.decode(slots), value, violation) for slots, value, violation in self.known]
        known += [(self.space.decode(slots), self.scores[key], 0.0) for key, slots in self.first.items()]
        left = max(self.count - len(self.first), 1)
        self.method = Optimizer(self.space, FEW_EVALUATIONS, budget=left, direction="maximize", x0=known or None, rng=self.rng)
        self.first = {}

    def next(self, size: int) -> list[Any]:
        """So many points that have no score yet; at the start, all that the search starts from."""
        if self.first:
            self.out = {key: [] for key in self.first}
            return [self.space.decode(slots) for slots in self.first.values()]
        fruitless = 0
        while len(self.out) < size:
            source = self.method if fruitless < PATIENCE else self.chance
            trial = source.ask()
            key = trial.slots.tobytes()
            fruitless = fruitless + 1 if key in self.scores or key in self.out else 0
            if key in self.scores:
                source.tell(trial, self.scores[key])
            else:
                self.out.setdefault(key, []).append((source, trial))
        return [trials[0][1].x for trials in self.out.values()]

    def tell(self, scores: list[float]) -> None:
        """Take in the scores of those points."""
        for (key, trials), score in zip(self.out.items(), scores, strict=True):
            self.scores[key] = score
            for source, trial in trials:
                source.tell(trial, score)
        self.out = {}
        if self.first:
            self._start()


def spread(space: Space, count: int, rng: np.random.Generator) -> list[Floats]:
    """Points of which each has a part of the range of every variable to itself: a Latin hypercube."""
    parts = rng.permuted(np.tile(np.arange(count), (len(space), 1)), axis=1).T
    layout = space.layout
    bounds = layout.kind.tolist(), layout.low.tolist(), layout.high.tolist()
    rows = ((parts + rng.random(parts.shape)) / max(count, 1)).tolist()
    return [np.array([draw(*each) for each in zip(row, *bounds, strict=True)]) for row in rows]


class _Evaluation:
    """scikit-learn's evaluation of candidates, which raises when all fits of a call fail: here others may still be better."""

    def __init__(self, evaluate: Callable[..., dict[str, Any]], splits: "_SameSplits", search: FireflySearchCV) -> None:
        self.evaluate = evaluate
        self.splits = splits
        self.search = search
        self.failed: list[Any] = []  # candidates that scikit-learn would not take in yet
        self.error: ValueError | None = None
        self.worked = False

    def of(self, candidates: list[Any]) -> list[float]:
        """The score of each."""
        try:
            results = self.evaluate(self.failed + candidates, cv=self.splits)
        except ValueError as error:
            if "fits failed" not in str(error) or self.search.error_score == "raise":
                raise
            self.failed += candidates
            self.error = error
            return [float(self.search.error_score)] * len(candidates)
        self.failed, self.error, self.worked = [], None, True
        return [float(each) for each in results[self.column(results)][-len(candidates):]]

    def column(self, results: dict[str, Any]) -> str:
        """Where the scores stand that the search goes by."""
        if "mean_test_score" in results:
            return "mean_test_score"
        name = self.search.metric or self.search.refit
        if f"mean_test_{name}" not in results:
            known = [each.removeprefix("mean_test_") for each in results if each.startswith("mean_test_")]
            raise ArgumentError(f"metric={self.search.metric!r} and refit={self.search.refit!r} do not say which metric to "
                                f"search by; use one of {', '.join(known)}")
        return f"mean_test_{name}"

    def finish(self) -> None:
        """Say what became of candidates that failed at the end, with none after them that worked."""
        if self.error is None:
            return
        if not self.worked:
            raise self.error
        warnings.warn(f"all fits of the last {len(self.failed)} candidates failed; they are not in cv_results_:\n{self.error}",
                      FitFailedWarning, stacklevel=3)


class _SameSplits:
    """A splitter that splits once: random ones would give each batch other folds, and no two scores could be compared."""

    def __init__(self, search: FireflySearchCV) -> None:
        self.search = search
        self.splits: list[Any] = []

    def split(self, X: Any, y: Any = None, **more: Any) -> list[Any]:
        """The training and test rows of each split."""
        if not self.splits:
            search = self.search
            # scikit-learn keeps its splitter from version 1.9 on.
            splitter = getattr(search, "_checked_cv_orig", None)
            if splitter is None:
                splitter = check_cv(search.cv, y, classifier=is_classifier(search.estimator))
            self.splits = list(splitter.split(X, y, **more))
        return self.splits

"""Many processes on one storage, one of them killed: nothing lost, nothing twice, nothing left running."""

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import optuna
import pytest
from optuna.trial import TrialState

from integrations.optuna_worker import SPACE, STUDY, objective, storage_of
from luciole.integrations.optuna import FireflySampler, fail_stale_trials

WORKER = Path(__file__).with_name("optuna_worker.py")
POINTS = 8 * 8 * 4


@pytest.fixture(autouse=True)
def quiet():
    optuna.logging.set_verbosity(optuna.logging.ERROR)


@pytest.fixture(scope="module")
def postgres():
    """The address of a PostgreSQL of our own, in a temporary folder, on a free port, run by a user other than root."""
    found = shutil.which("initdb") or next(map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)), None)
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail("PostgreSQL is not installed: apt-get install postgresql")
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    programs = Path(found).parent
    folder = Path(tempfile.mkdtemp(prefix="luciole-postgres-"))
    identity = {}
    if os.geteuid() == 0:
        names = {each.pw_name for each in pwd.getpwall()}
        user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
        identity = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        os.chown(folder, user.pw_uid, user.pw_gid)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    def call(program, *arguments):
        subprocess.run([programs / program, "-D", folder / "data", *arguments], check=True, cwd=folder, stdout=subprocess.DEVNULL,
                       timeout=120, **identity)
    try:
        call("initdb", "--auth=trust", "--username=luciole", "--no-sync", "--no-instructions")
        call("pg_ctl", "-w", "-l", folder / "log", "-o", f"-h 127.0.0.1 -p {port} -k {folder} -F", "start")
        yield f"postgresql+psycopg://luciole@127.0.0.1:{port}/postgres"
    finally:
        with contextlib.suppress(subprocess.CalledProcessError):
            call("pg_ctl", "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder)


def work(where, workers, trials, seconds, kill_at=None):
    """Let processes work on a study, kill the first half-way if asked; return what each said."""
    command = [sys.executable, "-W", "ignore", WORKER, where, str(trials), str(seconds)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(workers)]
    said = [[] for _ in processes]
    if kill_at is not None:
        while sum(line.startswith("started") for line in said[0]) < kill_at:
            said[0].append(processes[0].stdout.readline().strip())
        processes[0].send_signal(signal.SIGKILL)
    for lines, process in zip(said, processes, strict=True):
        lines += process.communicate(timeout=300)[0].split("\n")
    codes = [process.returncode for process in processes]
    assert codes == [0 if kill_at is None else -signal.SIGKILL] + [0] * (workers - 1)
    return [[tuple(line.split()) for line in lines if line] for lines in said]


def point(trial):
    return tuple(trial.params[name] for name in sorted(SPACE))


def with_state(study, state):
    return [trial for trial in study.trials if trial.state == state]


def check(study, said):
    """Whatever a process finished is in the storage, under consecutive numbers, with no point evaluated twice."""
    complete = {trial.number: trial for trial in with_state(study, TrialState.COMPLETE)}
    finished = {int(words[1]): float(words[2]) for lines in said for words in lines if words[0] == "finished"}
    assert {number: complete[number].value for number in finished} == finished
    assert [trial.number for trial in study.trials] == list(range(len(study.trials)))
    assert len({point(trial) for trial in complete.values()}) == len(complete) <= POINTS
    return len(complete)


def test_four_processes_on_one_postgresql_one_of_them_killed(postgres):
    study = optuna.create_study(storage=storage_of(postgres), study_name=STUDY, sampler=FireflySampler(SPACE, seed=0))
    said = work(postgres, workers=4, trials=50, seconds=0.05, kill_at=25)
    own = 0
    deadline = time.monotonic() + 120
    while with_state(study, TrialState.RUNNING) or with_state(study, TrialState.WAITING):
        assert time.monotonic() < deadline, "a trial is left running"
        time.sleep(0.5)
        study.optimize(objective, n_trials=1)  # a heartbeat storage looks for stale trials before each
        own += 1
    before = [words[1] for words in said[0] if words[0] == "finished"]
    assert check(study, said) == 3 * 50 + len(before) + own
    (lost,) = with_state(study, TrialState.FAIL)
    assert ("started", str(lost.number)) == said[0][-1]
    (again,) = [trial for trial in study.trials if trial.system_attrs.get("failed_trial") == lost.number]
    assert (again.state, point(again)) == (TrialState.COMPLETE, point(lost))
    assert study.best_value <= 1
    study._storage.remove_session()
    study._storage._backend.engine.dispose()


def test_two_processes_on_one_sqlite_file(tmp_path):
    where = f"sqlite:///{tmp_path}/study.db"
    study = optuna.create_study(storage=storage_of(where), study_name=STUDY)
    assert check(study, work(where, workers=2, trials=15, seconds=0.01)) == 30
    study._storage.remove_session()
    study._storage._backend.engine.dispose()


def test_a_trial_left_running_in_a_journal_does_not_mislead(tmp_path):
    where = f"journal:{tmp_path}/journal.log"
    study = optuna.create_study(storage=storage_of(where), study_name=STUDY, sampler=FireflySampler(SPACE, seed=0))
    said = work(where, workers=3, trials=20, seconds=0.02, kill_at=10)
    complete = check(study, said)
    (lost,) = with_state(study, TrialState.RUNNING)
    study.optimize(objective, n_trials=POINTS - 1 - complete)
    assert check(study, said) == POINTS - 1
    assert point(lost) not in {point(trial) for trial in with_state(study, TrialState.COMPLETE)}
    study.optimize(objective, n_trials=1)
    assert point(study.trials[-1]) == point(lost)
    assert fail_stale_trials(study, older_than=0) == [lost.number]
    assert not with_state(study, TrialState.RUNNING)
    assert study.best_value == 0

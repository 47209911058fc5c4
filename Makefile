# make demo   solve the pressure vessel and draw the run         make test   run the tests
# make bench  measure the optimiser and the functions            make lint   style and types
# make docs   build the pages into docs/_build/html
# make peers  build .venv-peers, where the libraries run that luciole is compared with; make test-peers tests them there
# make test-lowest   build .venv-lowest with the lowest versions that pyproject.toml allows, and test there
# Each builds .venv first if it is missing; nothing but Python 3.11 or newer and make is needed.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test bench lint docs wheel peers test-peers test-lowest clean

demo: .venv/demo
	@$(BIN)/luciole solve pressure-vessel --seed 0 --plot demo.png

test: .venv/dev
	$(BIN)/python -m pytest -q -n 2

bench: .venv/dev
	$(BIN)/python benchmarks/optimizer.py
	$(BIN)/python benchmarks/cec2013.py

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/mypy

docs: .venv/docs
	OMP_NUM_THREADS=1 $(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	$(BIN)/python tools/check_links.py docs/_build/html

# Builds the wheel, installs it with nothing else into an environment of its own, and tries it there.
wheel: .venv/dev
	rm -rf dist .venv/wheel
	$(BIN)/python -m build --wheel --outdir dist . > /dev/null
	$(PYTHON) -m venv .venv/wheel
	.venv/wheel/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	cd / && $(CURDIR)/.venv/wheel/bin/luciole solve coil-spring --budget 2000
	cd / && $(CURDIR)/.venv/wheel/bin/luciole warmup
	cd / && $(CURDIR)/.venv/wheel/bin/python -c "import luciole as lc; lc.minimize(lambda p: p['x'], lc.Space(x=lc.Float(0, 1)), budget=50, workers=2)"

# The libraries of the peers in an environment of their own: they are many, and one of them needs an old jax.
peers: .venv-peers/absent.json
	@.venv-peers/bin/luciole peers

test-peers: .venv-peers/absent.json
	OMP_NUM_THREADS=1 .venv-peers/bin/python -m pytest -q -n 2 tests/integrations/test_peers.py

.venv-peers/absent.json: pyproject.toml tools/build_peers.py
	$(PYTHON) tools/build_peers.py .venv-peers

# Old versions warn of each other's use of what newer ones deprecate; what luciole itself uses, `make test` watches. The lowest
# Python is the one to do this with: make test-lowest PYTHON=python3.11
test-lowest: .venv-lowest/done
	.venv-lowest/bin/python -m pytest -q -n 2 -W ignore::DeprecationWarning $(TESTS)

.venv-lowest/done: pyproject.toml
	$(PYTHON) -m venv --clear .venv-lowest
	.venv-lowest/bin/python -m pip install --quiet --disable-pip-version-check uv
	.venv-lowest/bin/python -m uv pip install --quiet --python .venv-lowest/bin/python --resolution lowest-direct --editable '.[dev]'
	@touch $@

.venv/bin/python:
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'luciole needs Python 3.11 or newer; name one with: make PYTHON=python3.11')"
	$(PYTHON) -m venv .venv

.venv/demo: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[plot]'
	@touch $@

.venv/dev: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ .venv/demo

.venv/docs: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@

clean:
	rm -rf .venv .venv-peers .venv-lowest dist demo.png docs/_build docs/gallery docs/reference docs/sg_execution_times.rst

# make demo   solve the pressure vessel and draw the run         make test   run the tests
# make bench  measure the optimiser and the functions            make lint   style and types
# Each builds .venv first if it is missing; nothing but Python 3.11 or newer and make is needed.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test bench lint wheel clean

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

# Builds the wheel, installs it with nothing else into an environment of its own, and tries it there.
wheel: .venv/dev
	rm -rf dist .venv/wheel
	$(BIN)/python -m build --wheel --outdir dist . > /dev/null
	$(PYTHON) -m venv .venv/wheel
	.venv/wheel/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	cd / && $(CURDIR)/.venv/wheel/bin/luciole solve coil-spring --budget 2000
	cd / && $(CURDIR)/.venv/wheel/bin/luciole warmup
	cd / && $(CURDIR)/.venv/wheel/bin/python -c "import luciole as lc; lc.minimize(lambda p: p['x'], lc.Space(x=lc.Float(0, 1)), budget=50, workers=2)"

.venv/bin/python:
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'luciole needs Python 3.11 or newer; name one with: make PYTHON=python3.11')"
	$(PYTHON) -m venv .venv

.venv/demo: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[plot]'
	@touch $@

.venv/dev: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ .venv/demo

clean:
	rm -rf .venv dist demo.png

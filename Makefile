# Needs Python 3.11+ and make; everything else is installed into .venv.
PYTHON ?= python3
BIN := .venv/bin
QUICK := $(addprefix tests/,core data evidence inference resampling test_habits.py test_public_surface.py)

.PHONY: demo test quick faults lint bench docs clean

demo: .venv/demo.stamp
	$(BIN)/foldwise compare logreg nb --data breast_cancer --html .venv/demo.html
	@echo; echo '  the same with its pictures: open .venv/demo.html'

test: lint
	$(BIN)/python -m pytest -n auto --dist worksteal

# what finds most mistakes, while one works: the lint, and the tests of the small rooms that take no time
quick: lint
	$(BIN)/python -m pytest -n auto -q -m "not slow" $(QUICK)

# the fault suite at length: kills, hangs, flipped bits, stores that vanish, hostile files and requests
FOLDWISE_FAULTS ?= 20
HOSTILE := tests/data/test_growth.py tests/cli/test_tracebacks.py \
	$(addprefix tests/web/test_,bad_input.py bounds.py limits.py security.py workers.py)
faults: .venv/test.stamp
	FOLDWISE_FAULTS=$(FOLDWISE_FAULTS) $(BIN)/python -m pytest tests/faults $(HOSTILE)

lint: .venv/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: .venv/docs.stamp
	$(BIN)/python -m sphinx -W --keep-going -b html docs docs/_build/html
	@echo open docs/_build/html/index.html

bench: .venv/test.stamp
	for script in benchmarks/bench_*.py; do $(BIN)/python $$script || exit 1; done

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "foldwise needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv

# a stamp is renewed when the dependencies may have changed, so that a second call is quick
.venv/demo.stamp: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

.venv/test.stamp: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	touch $@ .venv/demo.stamp

.venv/docs.stamp: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	touch $@ .venv/demo.stamp

clean:
	rm -rf .venv docs/_build

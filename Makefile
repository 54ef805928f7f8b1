# `make run` opens Unfold, `make test` checks it; both install what they need into .venv first.

PYTHON ?= python3
BIN    := .venv/bin

.PHONY: run test test-real browser vscode check messages fuzz screenshot clean

run: .venv/.run-installed
	@$(BIN)/unfold

test: .venv/.test-installed check
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal

# The tests that need Paddle's and PyTorch's wheels, in a folder that keeps them
TORCH_INDEX ?= --extra-index-url https://download.pytorch.org/whl/cpu
test-real: .venv-real/.installed
	PADDLE_INCLUDE="$$(.venv-real/bin/python -c 'from visualizer.workbench import wheels; print(wheels.include_folders(wheels.PADDLE)[0])')" \
	  .venv-real/bin/python -m pytest -m "paddle or torch"

# The tests in headless Chromium: one that is installed, or else Playwright's own, which it downloads
# together with the libraries that it needs (for that it asks to be root)
browser: .venv/.browser-installed
	$(BIN)/python -m pytest tests/serve tests/export -m browser

# The extension for VS Code, of npm's packages, which need no scripts of their own but esbuild's
VSCODE := visualizer/editor/clients/vscode
vscode: .venv/.test-installed
	cd $(VSCODE) && npm install --no-audit --no-fund --no-package-lock --ignore-scripts && npm run --silent package
	$(BIN)/python -m pytest tests/editor/test_vscode.py
	@echo "code --install-extension $(VSCODE)/unfold.vsix"

check: .venv/.test-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo --no-cache

# What the code says, into the catalogs of other languages
messages: .venv/.test-installed
	$(BIN)/python -m tests.catalog

# Random macro programs against gcc and clang, random functions and crossed ones against g++, changes to each sample,
# none of which may make no difference, damaged files through every command, K rounds of keys, what the
# tests of properties draw, drawn anew, and changes to each exercise's solution:
# make fuzz N=20000 J=0 M=0 D=0 K=0 L=0
N ?= 2000
J ?= 100000
M ?= 20
L ?= 20
D ?= 2000
K ?= 220
fuzz: .venv/.test-installed
	$(BIN)/python tests/expansion/fuzz.py $(N)
	$(BIN)/python -m tests.cxx.judge $(J)
	$(BIN)/python -m tests.cxx.crossings
	$(BIN)/python -m tests.samples.mutants $(M)
	$(BIN)/python -m tests.cli.damaged $(D)
	$(BIN)/python -m tests.tui.monkey 22 $(K)
	$(BIN)/python -m pytest -m hypothesis --hypothesis-profile fuzz
	$(BIN)/python -m tests.learning.mutants $(L)

# The README's pictures, drawn by the app, and by Neovim where it is there
screenshot: .venv/.test-installed
	$(BIN)/python tests/tui/screenshot.py
	$(BIN)/python tests/editor/picture.py

clean:
	rm -rf $(VSCODE)/node_modules $(VSCODE)/out $(VSCODE)/unfold.vsix .venv .venv-real .mypy_cache .ruff_cache .pytest_cache

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

.venv/.browser-installed: pyproject.toml | .venv/.test-installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,browser]'
	@$(BIN)/python tests/serve/chromium.py || $(BIN)/playwright install --with-deps --only-shell chromium \
	  || { echo "No Chromium could be downloaded. Install the system's: apt-get install chromium" >&2; exit 1; }
	@touch $@ .venv/.test-installed .venv/.run-installed

.venv-real/.installed: pyproject.toml
	$(PYTHON) -m venv .venv-real
	.venv-real/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]' \
	  paddlepaddle==3.3.1 torch==2.13.0 $(TORCH_INDEX)
	@touch $@

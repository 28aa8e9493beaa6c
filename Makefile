# `make repro` and `make test` do all the set-up on a machine with Python 3.11+, git and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/run.stamp
DEV := $(VENV)/dev.stamp

# DVC keeps nothing outside the repository, so a read-only home is enough; no cache of bytecode is shared.
export DVC_SITE_CACHE_DIR := $(CURDIR)/.dvc/site-cache
export DVC_NO_ANALYTICS := true
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help repro test lint docs format bench lock clean site-cache

help: ## Show the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

repro: $(RUN) ## Run the pipeline and show where the reports are
	@dvc repro --quiet
	@python -m stages summary
	@echo "  data/build/html/baseline.html (a page to look around in)"

test: $(DEV) ## Run all checks and tests
	@$(MAKE) --no-print-directory lint
	@python -m pytest -n auto

lint: $(DEV) ## Check style, types and import rules
	@ruff check .
	@ruff format --check .
	@mypy
	@lint-imports --no-cache

docs: $(DEV) ## Make the generated pages of the documentation
	@python docs/generate.py

format: $(DEV) ## Format the code
	@ruff format .
	@ruff check --fix .

bench: $(DEV) ## Measure, against named peers, in this run
	@for script in benchmarks/bench_*.py; do echo "== $$script"; python "$$script" || exit 1; done

lock: $(DEV) ## Resolve the dependencies anew
	@sh requirements/lock.sh

clean: ## Remove the environment and everything the pipeline built
	rm -rf $(VENV) data/build .dvc/cache .dvc/tmp .dvc/site-cache

$(VENV)/made.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "retrieval-eval needs Python 3.11 or later; set PYTHON=")'
	@echo "Making the environment in $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(RUN): requirements/run.lock pyproject.toml $(VENV)/made.stamp
	@python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/run.lock
	@python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@python -m compileall -q stages
	@$(MAKE) --no-print-directory site-cache
	@touch $@

# DVC takes a relative path from wherever it is started, and its queue's workers change folder after that.
site-cache:
	@dvc config --quiet --local core.site_cache_dir "$(CURDIR)/.dvc/site-cache"

$(DEV): requirements/dev.lock $(RUN)
	@echo "Installing what the tests need ..."
	@python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/dev.lock
	@touch $@

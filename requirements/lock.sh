#!/bin/sh
# Resolve the dependencies of pyproject.toml into the two locks. No registry host is written into them.
set -eu
common="--universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate --custom-compile-command make_lock --quiet"
uv pip compile $common --group build pyproject.toml -o requirements/run.lock
uv pip compile $common --all-extras --group build --group dev pyproject.toml -o requirements/dev.lock

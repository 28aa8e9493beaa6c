#!/bin/sh
# Review a change against BASE, from recordings alone: no service, no DVC remote, no secret.
#
#   sh ci/review.sh BASE [FOLDER]
#
# Writes comment.md, gate.xml, gate.json and metrics.md into FOLDER (default: review). The exit code is the gate's
# (0 pass, 1 fail, 2 bad input, 3 inconclusive), or 1 where the committed reports are not those of the commit.
set -eu

base=${1:?usage: sh ci/review.sh BASE [FOLDER]}
folder=${2:-review}
run=${RETRIEVAL_EVAL:-retrieval-eval}
mkdir -p "$folder"

dvc repro --quiet
stale=$(git status --porcelain -- dvc.lock docs/retrieval-eval)
dvc metrics diff --md "$base" >"$folder/metrics.md" || echo "no metrics at $base" >"$folder/metrics.md"

annotate=
[ -z "${GITHUB_ACTIONS:-}" ] || annotate=--annotations
code=0
$run gate "$base" --markdown "$folder/comment.md" --junit "$folder/gate.xml" $annotate --json >"$folder/gate.json" || code=$?

if [ -n "$stale" ]; then
  echo "The committed reports are not those of this commit: run \`dvc repro\` and commit what it changes." >&2
  echo "$stale" >&2
  git diff --stat -- dvc.lock docs/retrieval-eval >&2
  [ "$code" -ne 0 ] || code=1
fi
exit "$code"

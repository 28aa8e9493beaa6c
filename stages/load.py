"""DVC stage `load`: golden files, held against the corpus, to cases."""

import sys
from pathlib import Path

from stages.core.case_building import build_cases
from stages.core.duplicate_queries import duplicate_queries
from stages.core.winnability import mark_unwinnable
from stages.records.case import Case, CaseFile
from stages.records.problem import InputError
from stages.rendering.terminal import run_reporting
from stages.storage.corpus import read_corpus
from stages.storage.golden import located_golden
from stages.storage.json_file import write_json
from stages.storage.reading import Reading

GOLDEN = Path("data/golden")
CORPUS = Path("data/corpus")
CASES = Path("data/build/cases.json")


def main() -> None:
    """Read every golden file; report all problems at once, or write the cases sorted by id."""
    with Reading() as reading:
        cases = reading.of(_cases)
        chunks = reading.of(read_corpus, CORPUS)
    marked = mark_unwinnable(cases, chunks)
    lost = [case.id for case in marked if case.unwinnable]
    if lost:
        print(f"unwinnable: {', '.join(lost)}; `retrieval-eval check` says what to do", file=sys.stderr)
    write_json(CASES, CaseFile(cases=tuple(marked)))


def _cases() -> list[Case]:
    located, problems = located_golden([GOLDEN])
    cases, faults = build_cases(located)
    problems += [*faults, *duplicate_queries(located)]
    if problems:
        raise InputError(problems)
    return cases


if __name__ == "__main__":
    sys.exit(run_reporting(main))

"""DVC stage `audit`: what the gate would notice of known damage, and what the golden set is worth beside that."""

import sys
from pathlib import Path

from stages.core.audit import AuditInput, audit
from stages.records.audit import AuditReport
from stages.records.case import CaseFile
from stages.records.params.audit import AuditParams
from stages.records.ranking import RankingFile
from stages.rendering.template import render
from stages.rendering.terminal import run_reporting
from stages.storage.corpus import read_corpus
from stages.storage.json_file import write_json
from stages.storage.params import read_params
from stages.storage.record_file import read_record
from stages.storage.text_file import write_text

CASES = Path("data/build/cases.json")
CORPUS = Path("data/corpus")
RANKINGS = Path("data/build/rankings")
DOCS = Path("docs/retrieval-eval")
BASELINE = "fixture"
ARMS = ("bm25", "milvus")
RETRIEVERS = ("bm25", "hybrid", "milvus")


def main() -> None:
    """Write audit.json and audit.md."""
    report = audit_project()
    write_json(DOCS / "audit.json", report)
    write_text(DOCS / "audit.md", render("audit.md.j2", report=report))


def audit_project() -> AuditReport:
    """Audit the golden set of this repository over its baseline recordings."""
    files = {name: read_record(RANKINGS / f"{name}.json", RankingFile) for name in (BASELINE, *RETRIEVERS)}
    given = AuditInput(
        cases=read_record(CASES, CaseFile).cases,
        chunks=read_corpus(CORPUS),
        baseline=files[BASELINE],
        retrievers={name: files[name] for name in RETRIEVERS},
        arms=ARMS,
    )
    return audit(given, read_params(AuditParams))


if __name__ == "__main__":
    sys.exit(run_reporting(main))

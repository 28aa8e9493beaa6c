"""The golden set held against the corpus."""

from collections.abc import Sequence

from stages.core.corpus_view import CorpusView
from stages.core.evidence_check import evidence_findings
from stages.core.label_check import label_findings
from stages.records.finding import Finding
from stages.records.golden import Expected
from stages.records.located_case import LocatedCase


def check_corpus(located: Sequence[LocatedCase], view: CorpusView) -> list[Finding]:
    """Return every finding, sorted by place."""
    findings = [
        finding
        for one in located
        if isinstance(one.case.expected, Expected)
        for check in (label_findings, evidence_findings)
        for finding in check(one, one.case.expected, view)
    ]
    return sorted(findings, key=lambda finding: finding.problem)

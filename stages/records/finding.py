"""Something about the golden set that no longer fits the corpus, with a patch where one can be told."""

from dataclasses import dataclass

from stages.records.golden_edit import GoldenEdit
from stages.records.problem import Problem


@dataclass(frozen=True)
class Finding:
    """One finding.

    Attributes:
        code: For programs: `document_` or `section_` with missing, rewritten, renamed, moved, merged, split or gone;
            `chunk_missing`, `forbidden_missing`, `breadcrumb_gone`, `keyword_gone`, `keyword_everywhere`.
        problem: For people: the place, what is wrong and what to do.
        edits: What `check --fix` changes; empty where the new place cannot be told.
    """

    code: str
    problem: Problem
    edits: tuple[GoldenEdit, ...] = ()

"""Suggestions about the corpus: keywords, section titles, metric names and their aliases."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from stages.core.miss_reason import miss_code
from stages.core.section_label import candidate_section, missing_sections, relevant
from stages.core.section_values import is_hit, scored_cases
from stages.records.retriever_report import Suggestion
from stages.records.scored import ScoredCase, ScoredPath

SHOWN = 5
# A word with an inner underscore or an inner capital, or letters with a digit: a metric, an alert or a class.
_NAME = re.compile(r"\b(?:[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[A-Za-z]*[a-z][A-Z][A-Za-z0-9]*)\b")


def keyword_gaps(paths: Mapping[str, ScoredPath]) -> Iterator[Suggestion]:
    """BM25 finds no expected document: the question and the document do not share the words."""
    if "bm25" not in paths:
        return
    lost = [case for case in scored_cases(paths["bm25"].cases) if _no_document(paths["bm25"], case)]
    if lost:
        documents = _most(chain.from_iterable(sorted({e.document for e in relevant(case)}) for case in lost))
        yield Suggestion(
            rule="keywords",
            finding=f"bm25 finds no expected document{_saved(paths, lost)}; most often missed: {documents}",
            remedy="Add the words that these questions use to `keywords` of the documents",
            cases=_ids(lost),
        )


def section_titles(paths: Mapping[str, ScoredPath]) -> Iterator[Suggestion]:
    """The document is found and its expected section is not: the titles do not tell the sections apart."""
    confused: dict[str, ScoredCase] = {}
    pairs: Counter[str] = Counter()
    for path in paths.values():
        for case in scored_cases(path.cases):
            if miss_code(case, path.yardstick) == "wrong_section":
                confused.setdefault(case.case_id, case)
                pairs.update(_confusions(case))
    if confused:
        yield Suggestion(
            rule="section_titles",
            finding=f"the right document is found by another section; most often (over all retrievers): {_top(pairs)}",
            remedy="Let the section's title or first sentence say what it answers, or label the section found",
            cases=_ids(confused.values()),
        )


def metric_names(paths: Mapping[str, ScoredPath]) -> Iterator[Suggestion]:
    """Questions which hold the name of a metric, an alert or a class, and miss all the same."""
    missed: dict[str, list[str]] = {name: [] for name in paths}
    cases: dict[str, ScoredCase] = {}
    for name, path in paths.items():
        for case in scored_cases(path.cases):
            if _NAME.search(case.query) and not is_hit(case, path.yardstick):
                missed[name].append(case.case_id)
                cases[case.case_id] = case
    if cases:
        counts = ", ".join(f"{name} misses {len(ids)}" for name, ids in missed.items() if ids)
        names = _most(chain.from_iterable(sorted(set(_NAME.findall(case.query))) for case in cases.values()))
        yield Suggestion(
            rule="metric_names",
            finding=f"questions which hold names as written are missed ({counts}); names: {names}",
            remedy="Add the names and their aliases to `keywords` of the documents, and see that they are indexed",
            cases=_ids(cases.values()),
        )


def _no_document(path: ScoredPath, case: ScoredCase) -> bool:
    return miss_code(case, path.yardstick) in {"nothing_retrieved", "wrong_document"}


def _saved(paths: Mapping[str, ScoredPath], lost: list[ScoredCase]) -> str:
    if "milvus" not in paths:
        return ""
    ids = {case.case_id for case in lost}
    others = [case for case in scored_cases(paths["milvus"].cases) if case.case_id in ids]
    found = sum(not _no_document(paths["milvus"], case) for case in others)
    return f", milvus does in {found} of {len(lost)} cases"


def _confusions(case: ScoredCase) -> Iterator[str]:
    found = next(candidate for candidate in case.top if candidate.rank == case.first_expected_rank)
    for wanted in missing_sections(case):
        if wanted.startswith(f"{found.doc_id}#"):
            yield f"{candidate_section(found)} instead of {wanted.split('#', 1)[1]}"


def _most(names: Iterable[str]) -> str:
    return _top(Counter(names))


def _top(counts: Counter[str]) -> str:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    more = f" and {len(ordered) - SHOWN} more" if len(ordered) > SHOWN else ""
    return ", ".join(f"{name} ({count})" for name, count in ordered[:SHOWN]) + more


def _ids(cases: Iterable[ScoredCase]) -> tuple[str, ...]:
    return tuple(sorted(case.case_id for case in cases))

"""What was edited in a golden case, in words."""

from collections.abc import Iterable, Iterator

from stages.core.candidate_names import expectation_name
from stages.records.case import Case
from stages.records.golden import Expectation


def label_changes(old: Case, new: Case) -> list[str]:
    """Return one phrase an edit, in the order of a golden file; notes and places are no part of a case."""
    return [*_fields(old, new), *_expectations(old, new), *_evidence(old, new)]


def _fields(old: Case, new: Case) -> Iterator[str]:
    if old.query != new.query:
        yield "the query"
    if old.answerable != new.answerable:
        yield "is answerable now" if new.answerable else "expects nothing now"
    for name in ("scenario", "fault_type", "lang", "tags"):
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            yield f"{name} {_shown(before)} → {_shown(after)}"
    if old.unwinnable != new.unwinnable:
        yield "the corpus can answer it now" if new.unwinnable is None else f"the corpus: {new.unwinnable}"


def _expectations(old: Case, new: Case) -> Iterator[str]:
    before, after = _by_name(old), _by_name(new)
    for name in dict.fromkeys([*before, *after]):
        was, now = before.get(name), after.get(name)
        if was is None and now is not None:
            yield f"{name} added (relevance {now.relevance})"
        elif now is None and was is not None:
            yield f"{name} removed (was relevance {was.relevance})"
        elif was and now and was.relevance != now.relevance:
            yield f"{name} relevance {was.relevance} → {now.relevance}"
        elif was != now:
            yield f"{name} chunk ids"


def _by_name(case: Case) -> dict[str, Expectation]:
    return {expectation_name(expectation): expectation for expectation in case.expectations}


def _evidence(old: Case, new: Case) -> Iterator[str]:
    yield from _listed("keyword", old.evidence.keywords, new.evidence.keywords)
    paths = [[" > ".join(path) for path in case.evidence.breadcrumbs] for case in (old, new)]
    yield from _listed("breadcrumb", *paths)
    yield from _listed("forbidden document", old.forbidden, new.forbidden)


def _listed(what: str, old: Iterable[str], new: Iterable[str]) -> Iterator[str]:
    before, after = list(old), list(new)
    yield from (f"{what} '{item}' removed" for item in before if item not in after)
    yield from (f"{what} '{item}' added" for item in after if item not in before)


def _shown(value: object) -> str:
    return ", ".join(value) or "none" if isinstance(value, tuple) else str(value or "none")

"""Findings about the evidence of one case: gone from the text, or standing everywhere."""

from collections.abc import Iterator, Sequence

from stages.core.corpus_view import CorpusView
from stages.core.label_places import place_labels
from stages.core.normalise import normalise
from stages.records.finding import Finding
from stages.records.golden import Expected
from stages.records.golden_edit import GoldenEdit
from stages.records.located_case import LocatedCase, Location

EVIDENCE: Location = ("expected", "evidence")
# With fewer documents than this, "in every document" says nothing.
ENOUGH = 5


def evidence_findings(one: LocatedCase, expected: Expected, view: CorpusView) -> Iterator[Finding]:
    """Yield one finding for each breadcrumb or keyword which the expected documents do not show."""
    yield from _breadcrumb_findings(one, expected, view)
    if view.has_text:
        yield from _keyword_findings(one, expected, view)


def _keyword_findings(one: LocatedCase, expected: Expected, view: CorpusView) -> Iterator[Finding]:
    documents, texts = view.documents, view.texts
    owners = _expected_documents(expected, view)
    if not owners & set(documents):
        return
    for index, keyword in enumerate(expected.evidence.keywords):
        word = normalise(keyword)
        holders = [name for name, parts in texts.items() if any(word in part for part in parts)]
        where = (*EVIDENCE, "keywords", index)
        if not owners & set(holders):
            elsewhere = f"; it stands in {', '.join(holders[:3])}" if holders else ""
            what = f"the keyword {keyword!r} stands in no expected document{elsewhere}"
            remedy = "Use words that the text has now, or correct the labels"
            yield Finding("keyword_gone", one.problem(where, what, remedy))
        elif len(holders) == len(documents) >= ENOUGH:
            what = f"the keyword {keyword!r} stands in every document, so it proves nothing"
            yield Finding("keyword_everywhere", one.problem(where, what, "Use words that only the answer has"))


def _expected_documents(expected: Expected, view: CorpusView) -> set[str]:
    """Return the documents that hold what is relevant, where that is now."""
    found: set[str] = set()
    for item in place_labels(expected.documents, expected.evidence, view):
        if item.label.relevance > 0:
            found |= {place[0] for place in item.places} or {item.label.doc_id or ""}
            found |= {
                candidate.doc_id or ""
                for candidate in view.candidates
                if item.label.label and normalise(candidate.title or "") == normalise(item.label.label)
            }
    return found


def _breadcrumb_findings(one: LocatedCase, expected: Expected, view: CorpusView) -> Iterator[Finding]:
    written = [tuple(path) for path in expected.evidence.breadcrumbs]
    present = {path for path in written if _seen(path, [candidate.breadcrumb for candidate in view.candidates])}
    for index, path in enumerate(written):
        if path in present:
            continue
        where = (*EVIDENCE, "breadcrumbs", index)
        told = _new_paths(path, view)
        targets = [target for target in told if target not in present]
        present |= set(targets)
        what = f"the breadcrumb {' > '.join(path)!r} stands nowhere in the corpus"
        if not told:
            yield Finding("breadcrumb_gone", one.problem(where, what, "Write the path that the section has now"))
            continue
        now = " and ".join(repr(" > ".join(target)) for target in told)
        remedy = f"Write {now}, or run `retrieval-eval check --fix`"
        yield Finding(
            "breadcrumb_gone", one.problem(where, f"{what}: now {now}", remedy), _path_edits(one, where, targets)
        )


def _path_edits(one: LocatedCase, where: Location, targets: Sequence[tuple[str, ...]]) -> tuple[GoldenEdit, ...]:
    if not targets:
        return (GoldenEdit(one.file, one.case.id, where, "remove"),)
    more = [GoldenEdit(one.file, one.case.id, where, "insert", target) for target in targets[1:]]
    return (GoldenEdit(one.file, one.case.id, where, "replace", targets[0]), *more)


def _new_paths(path: Sequence[str], view: CorpusView) -> list[tuple[str, ...]]:
    old = [entry for entry in view.before if _seen(path, [entry.breadcrumb])]
    return list(dict.fromkeys(target.breadcrumb for one in old for target in view.relocations.of(one).targets))


def _seen(path: Sequence[str], breadcrumbs: Sequence[tuple[str, ...]]) -> bool:
    wanted = normalise(" ".join(path))
    return any(wanted in normalise(" ".join(breadcrumb)) for breadcrumb in breadcrumbs)

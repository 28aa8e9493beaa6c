"""The same thing found by two stores, whose ids need not agree."""

from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from stages.core.normalise import normalise
from stages.records.recording import Candidate

SHORTEST_PART = 24

Rule = Callable[[Candidate, Candidate], str | None]
Pair = tuple[Candidate | None, Candidate | None, str | None]


def align(left: Sequence[Candidate], right: Sequence[Candidate]) -> list[Pair]:
    """Pair the candidates of two rankings, with the rule that matched; what has no partner stands alone.

    Rules from the surest to the weakest, each over the whole rankings before the next, top ranks first: `chunk_id`
    (equal, and the documents do not contradict), document and content as `doc_id+content`, document and section as
    `title+section` or `source+section`, `content` alone (equal after normalisation), `content_part` (one text within
    the other), and the document alone where a side names no section. Pairs come in the left order, then what only
    the right found.
    """
    partners: dict[int, tuple[Candidate, str]] = {}
    free = list(right)
    for rule in RULES:
        for index, one in enumerate(left):
            found = _first(rule, one, free) if index not in partners else None
            if found:
                partners[index] = found
                free.remove(found[0])
    pairs: list[Pair] = [(one, *partners.get(index, (None, None))) for index, one in enumerate(left)]
    return pairs + [(None, other, None) for other in free]


def same_document(one: Candidate, other: Candidate) -> str | None:
    """Return the rule by which both are of one document: `doc_id`, `title` or `source`; None where none holds.

    Of two sources, one may be the end of the other, as `runbooks/mq.md` of `docs/runbooks/mq.md`; and a file name
    without its ending may stand for the id, as `runbooks/mq.md` for `mq`.
    """
    if one.doc_id is not None and one.doc_id == other.doc_id:
        return "doc_id"
    if _equal(one.title, other.title):
        return "title"
    by_name = _names(one.source, other.doc_id) or _names(other.source, one.doc_id)
    return "source" if by_name or _same_source(one.source, other.source) else None


def _first(rule: Rule, one: Candidate, others: Sequence[Candidate]) -> tuple[Candidate, str] | None:
    return next(((other, name) for other in others if (name := rule(one, other))), None)


def _by_chunk_id(one: Candidate, other: Candidate) -> str | None:
    if one.chunk_id is None or one.chunk_id != other.chunk_id:
        return None
    return None if _contradict(one, other) else "chunk_id"


def _contradict(one: Candidate, other: Candidate) -> bool:
    """Two stores count from 1: equal ids mean nothing when everything that both sides tell about it differs."""
    told = [
        (one.doc_id, other.doc_id),
        (one.title, other.title),
        (one.source, other.source),
        (one.content, other.content),
    ]
    both = [(first, second) for first, second in told if first is not None and second is not None]
    return bool(both) and not any(_equal(first, second) for first, second in both)


def _by_content(one: Candidate, other: Candidate) -> str | None:
    return "content" if _equal(one.content, other.content) else None


def _by_document_content(one: Candidate, other: Candidate) -> str | None:
    document = same_document(one, other) if _equal(one.content, other.content) else None
    return f"{document}+content" if document else None


def _by_section(one: Candidate, other: Candidate) -> str | None:
    document = same_document(one, other)
    return f"{document}+section" if document and _equal(_section(one), _section(other)) else None


def _by_part(one: Candidate, other: Candidate) -> str | None:
    short, long = sorted((normalise(one.content or ""), normalise(other.content or "")), key=len)
    return "content_part" if len(short) >= SHORTEST_PART and short in long else None


def _by_document(one: Candidate, other: Candidate) -> str | None:
    return same_document(one, other) if _section(one) is None or _section(other) is None else None


RULES: tuple[Rule, ...] = (_by_chunk_id, _by_document_content, _by_section, _by_content, _by_part, _by_document)


def _section(candidate: Candidate) -> str | None:
    return candidate.section or (candidate.breadcrumb[-1] if candidate.breadcrumb else None)


def _names(source: str | None, doc_id: str | None) -> bool:
    return source is not None and doc_id is not None and _path(source).stem == doc_id


def _same_source(one: str | None, other: str | None) -> bool:
    if not one or not other:
        return False
    short, long = sorted((_path(one).parts, _path(other).parts), key=len)
    return len(short) > 0 and long[-len(short) :] == short


def _path(source: str) -> PurePosixPath:
    return PurePosixPath(source.replace("\\", "/"))


def _equal(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and normalise(one) == normalise(other) != ""

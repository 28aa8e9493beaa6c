"""Small sides of a review for tests: a case is what it expects and what was found."""

from typing import Any

from stages.records.case import Case
from stages.records.golden import Evidence, Expectation
from stages.records.recording import Candidate, PathState, Recording
from stages.records.side import Side
from stages.records.yardstick import Yardstick

READY = PathState(path="fixture", status="ready")
YARDSTICK = Yardstick(top_k=3, cutoffs=(1,), primary_grain="section", min_keyword_coverage=0.5, relevance_floor=None)


def case(expected: dict[str, int], keywords: tuple[str, ...] = ("key",), id_: str = "c", **fields: Any) -> Case:
    """A case that expects `document#section` (or a document alone) with a relevance."""
    labels = []
    for target, relevance in expected.items():
        document, _, section = target.partition("#")
        labels.append(Expectation(doc_id=document, section=section or None, relevance=relevance))
    values = {"id": id_, "scenario": "s", "query": "q", "fault_type": None, "lang": None, "tags": (),
              "answerable": True, "expectations": tuple(labels), "evidence": Evidence(keywords=keywords)}  # fmt: skip
    return Case.model_validate(values | fields)


def recording(*names: str, id_: str = "c", texts: dict[str, str] | None = None, **fields: Any) -> Recording:
    """A ranking of `document#section`, each with the text `key` unless `texts` says otherwise, scores falling."""
    scores = fields.pop("scores", None) or [1 - index / 100 for index in range(len(names))]
    candidates = []
    for index, name in enumerate(names):
        document, _, section = name.partition("#")
        text = (texts or {}).get(name, "key")
        candidates.append(Candidate(rank=index + 1, doc_id=document, section=section or None, chunk_id=name,
                                    content=text, score=scores[index]))  # fmt: skip
    values = {"case_id": id_, "query": "q", "top_k": 20, "candidates": tuple(candidates)}
    return Recording.model_validate(values | fields)


def side(*pairs: tuple[Case, Recording], yardstick: Yardstick = YARDSTICK, **fields: Any) -> Side:
    """A side of these cases and recordings."""
    values: dict[str, Any] = {"state": READY} | fields
    cases = {one.id: one for one, _ in pairs}
    recordings = {made.case_id: made for _, made in pairs}
    return Side("side", cases, {}, recordings, yardstick=yardstick, **values)

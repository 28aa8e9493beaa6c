"""Cases, candidates and recordings for tests, with everything left out that a test does not speak of."""

from stages.records.case import Case
from stages.records.golden import Evidence, Expectation
from stages.records.recording import Candidate, PathState, Recording

READY = PathState(path="fixture", status="ready")


def expectation(name: str, relevance: int = 1, chunk_ids: tuple[str, ...] = ()) -> Expectation:
    """`doc#section`, or `doc` alone."""
    doc_id, _, section = name.partition("#")
    return Expectation(doc_id=doc_id, section=section or None, relevance=relevance, chunk_ids=chunk_ids)


def case(*expectations: str | Expectation, case_id: str = "c", **fields: object) -> Case:
    """A case with the evidence `word` unless told otherwise."""
    made = tuple(expectation(e) if isinstance(e, str) else e for e in expectations)
    values = {
        "scenario": "chat_lookup",
        "query": "q",
        "fault_type": None,
        "lang": None,
        "tags": (),
        "answerable": bool(made),
        "evidence": Evidence(keywords=("word",)),
        **fields,
    }
    return Case(id=case_id, expectations=made, **values)


def candidates(*names: str, content: str = "a word", **fields: object) -> tuple[Candidate, ...]:
    """Candidates in rank order, each as `doc#section`."""
    made = []
    for rank, name in enumerate(names, 1):
        doc_id, _, section = name.partition("#")
        made.append(Candidate(rank=rank, doc_id=doc_id, section=section or None, content=content, **fields))
    return tuple(made)


def recording(*names: str, case_id: str = "c", query: str = "q", top_k: int = 20, **fields: object) -> Recording:
    """A recording of candidates."""
    found = candidates(*names)
    return Recording(case_id=case_id, query=query, top_k=top_k, candidates=found, **fields)

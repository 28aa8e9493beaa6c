"""From the JSON answer of a service to a recording, or to the reason why there is none."""

from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError

from stages.core.answer_reading import Reading, read_answer
from stages.core.candidate_mapping import MappingError, to_candidates
from stages.core.redaction import Redactor
from stages.records.recording import Candidate, CaseFailure, Recording
from stages.records.services import Service


def to_recording(
    asked: tuple[str, str, int], status: int, answer: Any, service: Service, redactor: Redactor
) -> Recording | CaseFailure:
    """Return what is to be written down of one answer, without secrets.

    Args:
        asked: The case id, the query as sent, and topK. A service may return more; the first topK count.
        status: The HTTP status.
        answer: The JSON, None where there was none.
        service: How to read it.
        redactor: Knows the secrets.
    """
    reading = read_answer(status, answer, service.answer)
    if reading.state in {"error", "unavailable"}:
        return _failure(reading, redactor)
    case_id, query, top_k = asked
    try:
        candidates = to_candidates(reading.items, service.answer, service.score)[:top_k]
    except MappingError as error:
        return CaseFailure(state="error", code="bad_answer", reason=redactor.sentence(str(error)))
    return Recording(
        case_id=case_id,
        query=query,
        top_k=top_k,
        code=reading.code,
        reason=redactor.sentence(reading.reason) if reading.reason else None,
        returned=len(reading.items),
        candidates=tuple(_without_secrets(candidate, redactor) for candidate in candidates),
        index=redactor.value(_parts(service.answer.index, answer)),
        raw=redactor.value(_parts(service.answer.raw, answer)) or None,
    )


def _without_secrets(candidate: Candidate, redactor: Redactor) -> Candidate:
    texts = {name: redactor.text(value) for name, value in candidate if isinstance(value, str)}
    breadcrumb = tuple(redactor.text(part) for part in candidate.breadcrumb)
    return candidate.model_copy(update={**texts, "breadcrumb": breadcrumb})


def _failure(reading: Reading, redactor: Redactor) -> CaseFailure:
    state = "unavailable" if reading.state == "unavailable" else "error"
    reason = redactor.sentence(reading.reason or "the answer is of no use")
    return CaseFailure(state=state, code=reading.code or "bad_answer", reason=reason)


def _parts(expressions: dict[str, str], answer: Any) -> dict[str, Any]:
    """Return the named parts of an answer, null where there is none; a part never spoils the answer."""
    found: dict[str, Any] = {}
    for name, expression in expressions.items():
        try:
            found[name] = jmespath.search(expression, answer)
        except JMESPathError as error:
            found[name] = f"`{expression}` does not fit: {str(error).splitlines()[0]}"
    return found

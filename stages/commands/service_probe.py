"""`--dry-run` and `--probe`: what would be sent, and what the mapping makes of the answer. No verb."""

import json
from typing import Any
from urllib.parse import quote_plus

from stages.commands.service_question import Question
from stages.core.answer_reading import Reading, read_answer
from stages.core.candidate_mapping import MappingError, found_fields, to_candidates
from stages.core.service_requests import filled_embedding, filled_health, filled_request, names_of_service
from stages.records.case import Case
from stages.records.recording import CaseFailure
from stages.records.services import Service
from stages.rendering.side_by_side import side_by_side
from stages.storage.json_file import dump_json

WIDTH = 60
MOST_LINES = 60
MOST_RESULTS = 3
INCONCLUSIVE = 3


def print_request(service: Service, case: Case, top_k: int) -> int:
    """Print the requests of one case as JSON; the environment's values stay `${NAME}`."""
    print(dump_json(_requests(service, case, top_k)), end="")
    return 0


async def probe(question: Question, case: Case, top_k: int) -> int:
    """Ask about one case, write nothing, and show each result beside what the mapping finds in it.

    Returns:
        The exit code: 0, or 3 where no answer came that a capture would record.
    """
    service = question.service
    async with question.client:
        readiness = await question.readiness()
        outcome = await question.answer(case, top_k)
    request = _requests(service, case, top_k)["request"]
    lines = [
        f"health    {readiness.status}" + (f" ({readiness.code}): {readiness.reason}" if readiness.code else ""),
        f"request   {request['method']} {request['url']}",
        f"case      {case.id}, topK {top_k}",
    ]
    if isinstance(outcome, CaseFailure):
        lines.append(f"answer    {outcome.state} ({outcome.code}): {outcome.reason}")
    else:
        reading = read_answer(outcome.status, outcome.answer, service.answer)
        lines += _answer_lines(reading, outcome.status, outcome.answer, question)
    print("\n".join(lines))
    return INCONCLUSIVE if isinstance(question.recording(case, top_k, outcome), CaseFailure) else 0


def _requests(service: Service, case: Case, top_k: int) -> dict[str, Any]:
    names = {name: f"${{{name}}}" for name in names_of_service(service)}
    values = {"query": case.query, "topK": top_k, "case_id": case.id}
    found = {"request": filled_request(service.request, values, names)}
    for name in names.values():  # in a query string it would be percent-encoded, and hard to know again
        found["request"]["url"] = found["request"]["url"].replace(quote_plus(name), name)
    if service.embedding:
        found["embedding"] = filled_embedding(service.embedding, values, names)
    if service.health:
        found["health"] = filled_health(service.health, names)
    return found


def _answer_lines(reading: Reading, status: int, answer: Any, question: Question) -> list[str]:
    redactor = question.redactor
    state = reading.state + (f" ({reading.code}): {redactor.sentence(reading.reason or '')}" if reading.code else "")
    lines = [f"answer    HTTP {status}, {state}, {len(reading.items)} results"]
    if not reading.items:
        return [*lines, "", *_json_lines(redactor.value(answer))]
    for rank, item in enumerate(reading.items[:MOST_RESULTS], 1):
        lines += ["", f"result {rank}", side_by_side(_json_lines(redactor.value(item)), _mapped(item, question), WIDTH)]
    left = len(reading.items) - MOST_RESULTS
    lines += ["", f"and {left} more"] if left > 0 else []
    return [*lines, *_mapping_fault(reading, question)]


def _mapped(item: Any, question: Question) -> list[str]:
    fields = question.service.answer.fields
    try:
        found = found_fields(item, question.service.answer)
    except MappingError as error:
        return [question.redactor.sentence(str(error))]
    rows = []
    for name, value in found.items():
        expression = getattr(fields, name)
        shown = "not mapped" if expression is None else f"NOT FOUND by {expression}"
        if value is not None:
            shown = f"{json.dumps(question.redactor.value(value), ensure_ascii=False)} by {expression}"
        rows.append(f"{name:<12} {shown}")
    return rows


def _mapping_fault(reading: Reading, question: Question) -> list[str]:
    try:
        to_candidates(reading.items, question.service.answer, question.service.score)
    except MappingError as error:
        return ["", f"mapping   error (bad_answer): {question.redactor.sentence(str(error))}"]
    return []


def _json_lines(value: Any) -> list[str]:
    lines = json.dumps(value, ensure_ascii=False, indent=2).splitlines()
    return lines if len(lines) <= MOST_LINES else [*lines[:MOST_LINES], f"… {len(lines) - MOST_LINES} more lines"]

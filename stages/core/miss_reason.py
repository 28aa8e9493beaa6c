"""Why a case is listed as a miss: the first reason, in a fixed order, that holds."""

from collections import Counter

from stages.core.section_label import candidate_section, missing_sections, relevant
from stages.core.section_values import is_hit, recall, scored_cases
from stages.records.retriever_report import MissCase, MissCode
from stages.records.scored import ScoredCase, ScoredPath
from stages.records.yardstick import Yardstick

MISS_REASONS: dict[MissCode, str] = {
    "nothing_retrieved": "nothing retrieved",
    "partial_recall": "partial recall",
    "wrong_section": "right document, wrong section",
    "wrong_document": "wrong document",
}


def miss_code(case: ScoredCase, yardstick: Yardstick) -> MissCode | None:
    """Return the reason, or None for a case whose expected sections all stand in the first topK."""
    if recall(case, yardstick) == 1:
        return None
    if not case.top:
        return "nothing_retrieved"
    if is_hit(case, yardstick):
        return "partial_recall"
    return "wrong_document" if case.first_expected_rank is None else "wrong_section"


def miss_cases(scored: ScoredPath) -> list[MissCase]:
    """Return every miss of a path, by reason in the fixed order, then by case id."""
    found = [miss for case in scored_cases(scored.cases) if (miss := _miss(scored, case))]
    order = list(MISS_REASONS)
    return sorted(found, key=lambda miss: (order.index(miss.code), miss.case_id))


def miss_counts(scored: ScoredPath) -> dict[str, int]:
    """Return how many cases each reason has, in the fixed order."""
    counts = Counter(miss_code(case, scored.yardstick) for case in scored_cases(scored.cases))
    return {code: counts[code] for code in MISS_REASONS}


def _miss(scored: ScoredPath, case: ScoredCase) -> MissCase | None:
    code = miss_code(case, scored.yardstick)
    if code is None:
        return None
    return MissCase(
        retriever=scored.path,
        case_id=case.case_id,
        fault_type=case.fault_type,
        code=code,
        message=_message(code, case, scored.yardstick),
        missing=missing_sections(case),
        retrieved=tuple(candidate_section(candidate) for candidate in case.top),
    )


def _message(code: MissCode, case: ScoredCase, yardstick: Yardstick) -> str:
    if code == "wrong_section":
        return f"{MISS_REASONS[code]}, at rank {case.first_expected_rank}"
    if code != "partial_recall":
        return MISS_REASONS[code]
    found = recall(case, yardstick)
    count = len(relevant(case))
    room = f"; topK {yardstick.top_k} has no room for all {count}" if count > yardstick.top_k else ""
    return f"{MISS_REASONS[code]} {found:.2f}{room}"

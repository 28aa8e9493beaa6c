"""Unjudged candidates, those first whose label could move the verdict most."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from stages.core.case_outcome import LEVEL_ORDER
from stages.core.case_scoring import counts, score_cases
from stages.core.matching import full_rule
from stages.core.measure_plan import plan_measures
from stages.records.case import Case
from stages.records.golden import Expectation
from stages.records.label_item import LabelItem
from stages.records.ranking import Ranking
from stages.records.recording import Candidate
from stages.records.scored import ScoredCase
from stages.records.yardstick import Yardstick

Rankings = Mapping[str, Ranking]
MOVED = ("recall_at_k", "mrr")


@dataclass(frozen=True)
class _Found:
    """One unjudged target of one case: where it stands on each path, and one candidate to show."""

    candidate: Candidate
    paths: Mapping[str, int]


def label_queue(cases: Sequence[Case], paths: Mapping[str, Rankings], yardstick: Yardstick) -> list[LabelItem]:
    """Return the queue. `paths` are rankings by path and case; the first path is the one that the gate watches.

    Order: swing on the first path, then on how many paths the candidate stands, then its best rank, then the case.
    The swing is the change of level (a step counts 1), recall and reciprocal rank of the case, were the candidate
    relevant: what the means, the floors and the gate are made of.
    """
    watched = next(iter(paths.values()))
    parted = _documents_with_sections(paths)
    items = [
        _item(case, found, watched[case.id], yardstick)
        for case in cases
        if case.answerable and case.unwinnable is None
        for found in _unjudged(case, paths, yardstick.top_k)
        # A label without a section would judge the whole document by its introduction.
        if found.candidate.section is not None or found.candidate.doc_id not in parted
    ]
    return sorted(items, key=lambda item: (-item.swing, -len(item.paths), min(item.paths.values()), *_place(item)))


def _documents_with_sections(paths: Mapping[str, Rankings]) -> set[str | None]:
    return {
        item.doc_id
        for rankings in paths.values()
        for ranking in rankings.values()
        for item in ranking.candidates
        if item.section is not None
    }


def _unjudged(case: Case, paths: Mapping[str, Rankings], top_k: int) -> Iterator[_Found]:
    found: dict[tuple[str, str | None], _Found] = {}
    for path, rankings in paths.items():
        ranking = rankings[case.id]
        for item in ranking.candidates[:top_k] if ranking.state == "ok" else ():
            if item.doc_id is None or any(full_rule(label, item) for label in case.expectations):
                continue
            key = (item.doc_id, item.section)
            known = found.get(key, _Found(item, {}))
            found[key] = _Found(known.candidate, {path: item.rank, **known.paths})
    yield from found.values()


def _item(case: Case, found: _Found, ranking: Ranking, yardstick: Yardstick) -> LabelItem:
    candidate = found.candidate
    label = Expectation(doc_id=candidate.doc_id, section=candidate.section)
    relevant = case.model_copy(update={"expectations": (*case.expectations, label)})
    before, after = (_scored(version, ranking, yardstick) for version in (case, relevant))
    return LabelItem(
        case_id=case.id,
        query=case.query,
        doc_id=candidate.doc_id or "",
        section=candidate.section,
        title=candidate.title,
        content=candidate.content or "",
        paths=dict(sorted(found.paths.items())),
        swing=_swing(before, after),
        level=before.level if before else None,
        level_if_relevant=after.level if after else None,
    )


def _scored(case: Case, ranking: Ranking, yardstick: Yardstick) -> ScoredCase | None:
    if not counts(case, ranking):
        return None
    plan = plan_measures(yardstick.top_k, (), yardstick.primary_grain)
    return score_cases([case], {case.id: ranking}, plan, yardstick)[0]


def _swing(before: ScoredCase | None, after: ScoredCase | None) -> float:
    if before is None or after is None or before.level is None or after.level is None:
        return 0.0
    steps = abs(LEVEL_ORDER[after.level] - LEVEL_ORDER[before.level])
    return steps + sum(abs((after.metrics[name] or 0) - (before.metrics[name] or 0)) for name in MOVED)


def _place(item: LabelItem) -> tuple[str, str, str]:
    return item.case_id, item.doc_id, item.section or ""

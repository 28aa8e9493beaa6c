"""Mutants: one kind of damage done to the questions that such a fault would hit.

What goes wrong with a document (a lost chunk, a new cut, a stripped text) hits the questions about it; what goes
wrong with the whole path (a limit, a boost, an arm that is down) hits every question, and is tried on the questions
of each fault type alone.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from stages.core.damage import DOCUMENT_KINDS, PATH_KINDS, Damage, Scene, damaged
from stages.records.case import Case
from stages.records.ranking import Ranking
from stages.records.recording import Candidate

NO_FAULT_TYPE = "(none)"
EVERY_DOCUMENT = "(every)"
REMOVE_ARM = "remove_arm"


@dataclass(frozen=True)
class Scope:
    """The questions that a mutant hits: those of one fault type about one document, or about every document."""

    fault_type: str
    document: str
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Mutant:
    """The rankings of one scope after one damage; rankings that it left as they were are not in it.

    `detail` tells mutants of one kind and scope apart: the arm that was removed.
    """

    scope: Scope
    damage: str
    rankings: Mapping[str, Ranking]
    detail: str = ""


@dataclass(frozen=True)
class Recorded:
    """What is damaged, and how hard.

    Attributes:
        rankings: The path that the gate watches, by case.
        arms: The rankings of each arm alone: where an arm is removed, those of another are left.
        top_k: How many candidates count.
        keep: How many a truncated ranking keeps.
        shift: How many places a shifted ranking falls.
    """

    rankings: Mapping[str, Ranking]
    arms: Mapping[str, Mapping[str, Ranking]]
    top_k: int
    keep: int
    shift: int


def all_mutants(cases: Sequence[Case], recorded: Recorded) -> list[Mutant]:
    """Return every mutant, by scope and kind; one that would change no ranking within topK is none."""
    pool = candidate_pool(recorded.rankings)
    found: list[Mutant] = []
    for scope in scopes(cases, main_document):
        for name, damage in DOCUMENT_KINDS.items():
            found += _damaged(scope, name, damage, recorded, pool)
    for scope in scopes(cases, lambda _: EVERY_DOCUMENT):
        for name, damage in PATH_KINDS.items():
            found += _damaged(scope, name, damage, recorded, pool)
        found += _without_arms(scope, recorded)
    return found


def scopes(cases: Sequence[Case], document_of: Callable[[Case], str]) -> list[Scope]:
    """Return the scopes, sorted; every case that has labels and can be won is in exactly one."""
    found: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        if case.answerable and case.unwinnable is None:
            found.setdefault((case.fault_type or NO_FAULT_TYPE, document_of(case)), []).append(case)
    return [Scope(fault_type, document, tuple(found[fault_type, document])) for fault_type, document in sorted(found)]


def main_document(case: Case) -> str:
    """Return the document of the label with the highest grade, the first of equals."""
    best = max(case.expectations, key=lambda label: label.relevance)
    return best.doc_id or best.label or ""


def candidate_pool(rankings: Mapping[str, Ranking]) -> list[Candidate]:
    """Return one candidate a chunk over all rankings, sorted by document, section and chunk id."""
    found = {
        (item.doc_id or "", item.section or "", item.chunk_id or ""): item
        for ranking in rankings.values()
        for item in ranking.candidates
    }
    return [found[key].model_copy(update={"score": None}) for key in sorted(found)]


def _damaged(
    scope: Scope, name: str, damage: Damage, recorded: Recorded, pool: Sequence[Candidate]
) -> Iterator[Mutant]:
    changed = {
        case.id: damaged(
            damage, Scene(case, pool, recorded.top_k, recorded.keep, recorded.shift), recorded.rankings[case.id]
        )
        for case in _ran(scope, recorded)
    }
    yield from _mutant(scope, name, recorded, changed)


def _without_arms(scope: Scope, recorded: Recorded) -> Iterator[Mutant]:
    for removed in sorted(recorded.arms):
        left = [recorded.arms[name] for name in sorted(recorded.arms) if name != removed]
        changed = {
            case.id: arm[case.id] for arm in left for case in _ran(scope, recorded) if arm[case.id].state == "ok"
        }
        yield from _mutant(scope, REMOVE_ARM, recorded, changed, removed)


def _ran(scope: Scope, recorded: Recorded) -> list[Case]:
    return [case for case in scope.cases if recorded.rankings[case.id].state == "ok"]


def _mutant(
    scope: Scope, damage: str, recorded: Recorded, changed: Mapping[str, Ranking], detail: str = ""
) -> Iterator[Mutant]:
    k = recorded.top_k
    differing = {id_: after for id_, after in changed.items() if _top(after, k) != _top(recorded.rankings[id_], k)}
    if differing:
        yield Mutant(scope, damage, differing, detail)


def _top(ranking: Ranking, top_k: int) -> list[tuple[str | None, str | None, str | None]]:
    return [(item.doc_id, item.section, item.content) for item in ranking.candidates[:top_k]]

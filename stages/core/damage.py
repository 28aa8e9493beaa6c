"""Kinds of damage that retrieval suffers in practice, each a pure function over one ranking.

Every function returns the candidates in their new order; ranks are given anew by `damaged`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stages.core.matching import document_rule, full_rule
from stages.core.normalise import normalise
from stages.records.case import Case
from stages.records.ranking import Ranking
from stages.records.recording import Candidate


@dataclass(frozen=True)
class Scene:
    """What a kind of damage may draw on.

    Attributes:
        case: The case whose ranking is damaged.
        pool: Candidates of the whole path, one a chunk, by document and section.
        top_k: How many candidates count.
        keep: How many a truncated ranking keeps.
        shift: How many places a shifted ranking falls.
    """

    case: Case
    pool: Sequence[Candidate]
    top_k: int
    keep: int
    shift: int


Damage = Callable[[Scene, Sequence[Candidate]], Sequence[Candidate]]


def damaged(damage: Damage, scene: Scene, ranking: Ranking) -> Ranking:
    """Return the ranking after the damage, with ranks from 1 and as known as before."""
    found = damage(scene, ranking.candidates)
    ranked = tuple(item.model_copy(update={"rank": rank}) for rank, item in enumerate(found, 1))
    return ranking.model_copy(update={"candidates": ranked})


def drop_first(scene: Scene, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    """The first candidate is lost, as when an index misses a chunk."""
    del scene
    return candidates[1:]


def swap_section(scene: Scene, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    """Expected sections give way to other sections of their documents, as after a change of the chunks."""
    return [_other_section(scene, item) if _is_expected(scene.case, item) else item for item in candidates]


def truncate(scene: Scene, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    """Only the first candidates come back, as with a wrong limit."""
    return candidates[: scene.keep]


def flood(scene: Scene, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    """The first candidate fills topK, as after indexing twice without deleting."""
    return [*([candidates[0]] * scene.top_k), *candidates[1:]] if candidates else candidates


def strip_keyword(scene: Scene, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    """The evidence vanishes from the text and the breadcrumbs are cut, as after a change of the text extraction."""
    words = list(scene.case.evidence.keywords)
    return [_without(item, words) for item in candidates]


def shift_ranks(scene: Scene, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    """Unrelated candidates come first, as when a boost goes wrong."""
    unrelated = [item for item in scene.pool if not _is_labelled(scene.case, item)]
    start = sum(map(ord, scene.case.id)) % max(1, len(unrelated))
    return [*(unrelated[start:] + unrelated[:start])[: scene.shift], *candidates]


def replace_by_distractor(scene: Scene, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    """Expected documents give way to a distractor: a judged one, else the first document that is not expected."""
    judged = [label for label in scene.case.expectations if label.relevance <= 0]
    wrong = [item for item in scene.pool if any(full_rule(label, item) for label in judged)]
    wrong = wrong or [item for item in candidates if not _is_of_expected(scene.case, item)] or [*scene.pool[:1]]
    return [wrong[0] if _is_of_expected(scene.case, item) else item for item in candidates]


# What goes wrong with one document, and what goes wrong with a whole path.
DOCUMENT_KINDS: dict[str, Damage] = {
    "drop_first": drop_first,
    "swap_section": swap_section,
    "flood_duplicates": flood,
    "strip_keyword": strip_keyword,
    "replace_by_distractor": replace_by_distractor,
}
PATH_KINDS: dict[str, Damage] = {"truncate": truncate, "shift_ranks": shift_ranks}


def _is_expected(case: Case, candidate: Candidate) -> bool:
    return any(label.relevance > 0 and full_rule(label, candidate) for label in case.expectations)


def _is_of_expected(case: Case, candidate: Candidate) -> bool:
    return any(label.relevance > 0 and document_rule(label, candidate) for label in case.expectations)


def _is_labelled(case: Case, candidate: Candidate) -> bool:
    return any(document_rule(label, candidate) for label in case.expectations)


def _other_section(scene: Scene, candidate: Candidate) -> Candidate:
    same = [item for item in scene.pool if item.doc_id == candidate.doc_id and not _is_expected(scene.case, item)]
    if same:
        return same[0]
    # Every known section is expected: the text is still that of the document, but of no section anybody named.
    return candidate.model_copy(
        update={"section": None, "breadcrumb": candidate.breadcrumb[:-1], "content": "", "chunk_id": None}
    )


def _without(candidate: Candidate, words: Sequence[str]) -> Candidate:
    text = candidate.content or ""
    for word in words:
        text = re.sub(re.escape(word), "", text, flags=re.IGNORECASE)
    if any(normalise(word) in normalise(text) for word in words):
        text = ""
    return candidate.model_copy(update={"content": text, "breadcrumb": candidate.breadcrumb[:1]})

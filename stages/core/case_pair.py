"""One case on two paths: aligned, marked and measured."""

from stages.core.alignment import Pair, align
from stages.core.case_outcome import first_hit_rank, label, outcome
from stages.core.rank_overlap import jaccard, overlap, rank_biased_overlap
from stages.records.comparison import AlignedPair, CasePair, Difference, Found, Mark
from stages.records.ranking import Ranking
from stages.records.recording import Candidate
from stages.records.scored import ScoredCase

COMPARED_FIELDS = ("title", "source", "section", "breadcrumb", "category", "score_label")


def pair_case(
    paths: tuple[str, str],
    rankings: tuple[Ranking, Ranking],
    scored: tuple[ScoredCase, ScoredCase],
    top_k: int,
    comparable_scores: bool,
) -> CasePair:
    """Return one case with both sides cut at `top_k`; a side that was not run drops the case, and stays for review."""
    left, right = (ranking.candidates[:top_k] for ranking in rankings)
    left_out = _left_out(rankings, paths)
    pairs = [] if left_out else align(left, right)
    keys = _keys(pairs)
    return CasePair(
        case_id=scored[0].case_id,
        scenario=scored[0].scenario,
        query=scored[0].query,
        left_state=rankings[0].state,
        right_state=rankings[1].state,
        left_out=left_out,
        outcome=None if left_out else outcome(scored[0], scored[1]),
        left_level=label(scored[0]),
        right_level=label(scored[1]),
        left_first_hit=first_hit_rank(scored[0]),
        right_first_hit=first_hit_rank(scored[1]),
        overlap_at_k=overlap(*keys, top_k),
        jaccard_at_k=jaccard(*keys, top_k),
        rank_biased_overlap=rank_biased_overlap(*keys),
        aligned=tuple(_aligned(pair, comparable_scores) for pair in pairs),
        review=tuple(candidate_name(one) for one in left or right) if left_out else (),
    )


def _left_out(rankings: tuple[Ranking, Ranking], paths: tuple[str, str]) -> str | None:
    for path, ranking in zip(paths, rankings, strict=True):
        if ranking.state != "ok":
            return f"{path}: {ranking.state} ({ranking.code})" if ranking.code else f"{path}: {ranking.state}"
    return None


def _keys(pairs: list[Pair]) -> tuple[list[str], list[str]]:
    """Return both rankings as keys, where the partners of a pair share one."""
    named = [(one, other, f"pair {index}") for index, (one, other, _) in enumerate(pairs)]
    left = sorted((one.rank, key) for one, _, key in named if one)
    right = sorted((other.rank, key) for _, other, key in named if other)
    return [key for _, key in left], [key for _, key in right]


def _aligned(pair: Pair, comparable_scores: bool) -> AlignedPair:
    left, right, rule = pair
    change = None
    if comparable_scores and left and right and left.score is not None and right.score is not None:
        change = right.score - left.score
    differences = tuple(_differences(left, right)) if left and right else ()
    return AlignedPair(
        mark=_mark(left, right),
        rule=rule,
        left=_found(left) if left else None,
        right=_found(right) if right else None,
        differences=differences,
        score_change=change,
    )


def candidate_name(candidate: Candidate) -> str:
    """Return what a reader knows a candidate by: `mq-backlog#核心指标`."""
    name = candidate.doc_id or candidate.title or candidate.source or candidate.chunk_id or "(no name)"
    return f"{name}#{candidate.section}" if candidate.section else name


def _found(candidate: Candidate) -> Found:
    return Found(
        rank=candidate.rank,
        name=candidate_name(candidate),
        chunk_id=candidate.chunk_id,
        score=candidate.score,
        score_label=candidate.score_label,
    )


def _mark(left: Candidate | None, right: Candidate | None) -> Mark:
    if left is None:
        return "new"
    if right is None:
        return "lost"
    return "same" if left.rank == right.rank else "moved"


def _differences(left: Candidate, right: Candidate) -> list[Difference]:
    shown = [(name, _shown(getattr(left, name)), _shown(getattr(right, name))) for name in COMPARED_FIELDS]
    return [Difference(field=name, left=one, right=other) for name, one, other in shown if one != other]


def _shown(value: object) -> str | None:
    if isinstance(value, tuple):
        return " > ".join(value) or None
    return None if value is None else str(value)

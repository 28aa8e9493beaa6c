"""A live ranking against the recorded one."""

from stages.core.alignment import align
from stages.core.case_pair import candidate_name
from stages.records.acceptance import Agreement, Reconciled
from stages.records.ranking import Ranking


def reconcile(live: Ranking, recorded: Ranking, top_k: int) -> Reconciled:
    """Say whether both found the same within `top_k`: same, reordered, or what is new and what is missing."""
    one_sided = _one_sided(live, recorded)
    if one_sided is not None:
        return Reconciled(agreement=one_sided)
    pairs = align(recorded.candidates[:top_k], live.candidates[:top_k])
    new = tuple(candidate_name(found) for before, found, _ in pairs if found and before is None)
    missing = tuple(candidate_name(before) for before, found, _ in pairs if before and found is None)
    moved = any(before and found and before.rank != found.rank for before, found, _ in pairs)
    agreement: Agreement = "changed" if new or missing else "reordered" if moved else "same"
    return Reconciled(agreement=agreement, new=new, missing=missing)


def _one_sided(live: Ranking, recorded: Ranking) -> Agreement | None:
    if live.state == "ok":
        return None if recorded.state == "ok" else "only_live"
    return "only_recorded" if recorded.state == "ok" else "neither"

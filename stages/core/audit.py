"""The audit of a golden set: what the gate would notice, and what the set is worth beside that."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from stages.core.audit_advice import audit_advice
from stages.core.case_scoring import score_cases
from stages.core.circularity import circularity
from stages.core.golden_coverage import golden_coverage
from stages.core.measure_plan import plan_measures
from stages.core.mutants import Recorded, all_mutants
from stages.core.mutation_testing import Gate, Outcome, try_mutants
from stages.core.path_yardstick import path_yardstick
from stages.core.saturation import saturation, saturation_by_fault_type
from stages.records.audit import AuditReport, KillCount, Survivor
from stages.records.case import Case
from stages.records.chunk import Chunk
from stages.records.params.audit import AuditParams
from stages.records.ranking import Ranking, RankingFile

Rankings = Mapping[str, Ranking]


@dataclass(frozen=True)
class AuditInput:
    """The golden set, the corpus, and what was retrieved.

    Attributes:
        cases: Every case.
        chunks: The corpus.
        baseline: The path that the gate watches.
        retrievers: Other paths, for circularity.
        arms: Those of them whose fusion the baseline is.
    """

    cases: Sequence[Case]
    chunks: Sequence[Chunk]
    baseline: RankingFile
    retrievers: Mapping[str, RankingFile]
    arms: Sequence[str]


def audit(given: AuditInput, params: AuditParams) -> AuditReport:
    """Audit the golden set over the recordings of one path."""
    cases, baseline = given.cases, given.baseline
    yardstick = path_yardstick(params, baseline.path)
    plan = plan_measures(yardstick.top_k, yardstick.cutoffs, yardstick.primary_grain)
    rankings = _by_case(baseline)
    scored = score_cases(cases, rankings, plan, yardstick)
    ready = {name: _by_case(file) for name, file in given.retrievers.items() if file.state.status != "unavailable"}
    alone = {name: ready[name] for name in given.arms} if ready.keys() >= set(given.arms) else {}
    recorded = Recorded(rankings, alone, yardstick.top_k, params.audit.keep, params.audit.shift)
    outcomes = try_mutants(all_mutants(cases, recorded), Gate(scored, params), plan, yardstick)
    coverage = golden_coverage(cases, given.chunks)
    saturated = saturation_by_fault_type(scored)
    levels = {case.case_id: case.level for case in scored}
    killers = {case for outcome in outcomes for case in outcome.killers}
    return AuditReport(
        path=baseline.path,
        **_count(outcomes).model_dump(),
        by_fault_type=_counts(outcomes, lambda outcome: outcome.mutant.scope.fault_type),
        by_damage=_counts(outcomes, lambda outcome: outcome.mutant.damage),
        by_rule=_by_rule(outcomes),
        blind_fault_types=_blind(_counts(outcomes, lambda outcome: outcome.mutant.scope.fault_type)),
        blind_damage=_blind(_counts(outcomes, lambda outcome: outcome.mutant.damage)),
        survivors=tuple(_survivor(outcome) for outcome in outcomes if not outcome.rules),
        cases_that_kill_none=tuple(sorted(id_ for id_, level in levels.items() if level and id_ not in killers)),
        saturation=saturation(scored),
        saturation_by_fault_type=saturated,
        circularity=tuple(circularity(name, cases, ready[name]) for name in sorted(ready)),
        coverage=coverage,
        advice=tuple(audit_advice(outcomes, levels, coverage, saturated, params.audit.min_cases)),
    )


def _by_case(file: RankingFile) -> Rankings:
    return {ranking.case_id: ranking for ranking in file.rankings}


def _count(outcomes: Sequence[Outcome]) -> KillCount:
    killed = sum(bool(outcome.rules) for outcome in outcomes)
    return KillCount(mutants=len(outcomes), killed=killed, killed_share=killed / len(outcomes) if outcomes else None)


def _counts(outcomes: Sequence[Outcome], of: Callable[[Outcome], str]) -> dict[str, KillCount]:
    return {
        name: _count([outcome for outcome in outcomes if of(outcome) == name])
        for name in sorted(set(map(of, outcomes)))
    }


def _by_rule(outcomes: Sequence[Outcome]) -> dict[str, int]:
    rules = sorted({rule for outcome in outcomes for rule in outcome.rules})
    return {rule: sum(rule in outcome.rules for outcome in outcomes) for rule in rules}


def _blind(counts: Mapping[str, KillCount]) -> tuple[str, ...]:
    return tuple(name for name, count in counts.items() if not count.killed)


def _survivor(outcome: Outcome) -> Survivor:
    mutant = outcome.mutant
    return Survivor(
        fault_type=mutant.scope.fault_type,
        document=mutant.scope.document,
        damage=mutant.damage,
        detail=mutant.detail,
        cases=tuple(sorted(mutant.rankings)),
    )

"""The gate: each rule can fail, can pass, and says with which number."""

from datetime import date

import pytest

from stages.core.gate_floors import faulty_floors
from stages.core.gate_pair import GatePair
from stages.core.gate_rules import gate_verdict, judge_gate
from stages.records.accepted import AcceptedCase
from stages.records.gate import GateResult, RuleResult
from stages.records.params.gate import GateParams
from stages.records.scored import ScoredCase
from tests.scored_cases import scored_case

TODAY = date(2026, 11, 29)
RULES = {
    "max_strong_drops": 0,
    "max_regressions": 0,
    "max_losses": None,
    "max_removed": 0,
    "max_drop": {"recall_at_k": 1.0},
    "keep_last_strong": ["fault_type"],
    "group_floors": {},
    "unjudged_drops": "inconclusive",
    "inconclusive_exit_code": 3,
}


def params(thresholds: dict[str, float] | None = None, **rules: object) -> GateParams:
    found = {"thresholds": thresholds or {"max_not_run": 0}, "gate": RULES | rules}
    return GateParams.model_validate(found)


def gate(
    old: list[ScoredCase],
    new: list[ScoredCase],
    rules: GateParams | None = None,
    ledger: tuple[AcceptedCase, ...] = (),
    optimistic: tuple[ScoredCase, ...] = (),
) -> GateResult:
    before, after = ({case.case_id: case for case in cases} for cases in (old, new))
    return judge_gate(
        GatePair(before, after, ledger, TODAY, {case.case_id: case for case in optimistic}), rules or params()
    )


def found(result: GateResult, name: str) -> RuleResult:
    return next(rule for rule in result.rules if rule.rule == name)


def accepted(case: str, level: str, until: str = "2026-12-31") -> AcceptedCase:
    return AcceptedCase.model_validate({"case": case, "level": level, "reason": "known", "until": until})


def with_recall(case_id: str, recall: float) -> ScoredCase:
    metrics = {"hit_at_k": 1.0, "recall_at_k": recall, "average_first_hit_rank": 1}
    return scored_case(case_id, metrics=metrics)


def test_the_same_cases_pass_and_the_resolution_of_the_set_is_said():
    result = gate([scored_case("a")], [scored_case("a")])
    assert (result.verdict, result.exit_code) == ("pass", 0)
    assert result.resolution.startswith("1 case: no loss, however complete, can be told from chance")


def test_a_strong_case_that_drops_fails_and_is_named():
    result = gate([scored_case("a"), scored_case("b")], [scored_case("a", "medium"), scored_case("b")])
    rule = found(result, "max_strong_drops")
    assert (result.verdict, result.exit_code) == ("fail", 1)
    assert (rule.value, rule.limit, rule.cases) == (1, 0, ("a",))
    assert rule.message == "strong cases that became weaker: 1, at most 0 allowed"


def test_a_hit_that_becomes_a_miss_is_a_regression_also_from_medium():
    result = gate([scored_case("a", "medium"), scored_case("b")], [scored_case("a", "miss"), scored_case("b")])
    assert found(result, "max_regressions").cases == ("a",)
    assert found(result, "max_strong_drops").verdict == "pass"


def test_a_later_first_hit_is_a_loss_only_where_losses_are_limited():
    late = scored_case("a", metrics={"hit_at_k": 1.0, "recall_at_k": 1.0, "average_first_hit_rank": 3})
    assert gate([scored_case("a")], [late]).verdict == "pass"
    assert found(gate([scored_case("a")], [late], params(max_losses=0)), "max_losses").cases == ("a",)


def test_the_ledger_excuses_down_to_its_level_and_no_further():
    old, rest = scored_case("a"), [scored_case("b")]
    for level, verdict in (("medium", "pass"), ("miss", "fail")):
        result = gate([old, *rest], [scored_case("a", level), *rest], ledger=(accepted("a", "medium"),))
        assert found(result, "max_strong_drops").verdict == verdict, level


def test_an_expired_entry_excuses_nothing_and_fails_by_itself():
    case = scored_case("a", "miss")
    result = gate([case, scored_case("b")], [case, scored_case("b")], ledger=(accepted("a", "miss", "2026-11-28"),))
    assert found(result, "accepted_expired").cases == ("a",)
    last_day = gate([case, scored_case("b")], [case, scored_case("b")], ledger=(accepted("a", "miss", "2026-11-29"),))
    assert last_day.verdict == "pass"


def test_a_failure_that_was_accepted_and_passes_must_be_promoted():
    result = gate([scored_case("a")], [scored_case("a")], ledger=(accepted("a", "miss"),))
    rule = found(result, "accepted_passes")
    assert (rule.verdict, rule.cases) == ("fail", ("a",))
    assert rule.message == "accepted failures that are strong now (take them out of the ledger): 1"


def test_an_entry_for_no_case_is_told_and_stops_nobody():
    result = gate([scored_case("a")], [scored_case("a")], ledger=(accepted("gone", "miss"),))
    assert (result.verdict, found(result, "accepted_unknown").cases) == ("pass", ("gone",))


def test_a_removed_case_is_inconclusive_until_its_removal_is_accepted():
    old, new = [scored_case("a"), scored_case("b")], [scored_case("a")]
    assert (gate(old, new).verdict, gate(old, new).exit_code) == ("inconclusive", 3)
    assert gate(old, new, ledger=(accepted("b", "removed"),)).verdict == "pass"


def test_no_fault_type_loses_its_last_strong_hit_however_the_mean_looks():
    old = [scored_case("a"), scored_case("b", "medium", fault_type="DNS")]
    new = [scored_case("a", "medium"), scored_case("b", fault_type="DNS")]
    rule = found(gate(old, new, params(max_strong_drops=None)), "keep_last_strong fault_type")
    assert (rule.verdict, rule.cases) == ("fail", ("a",))
    assert rule.message == "fault_type without a strong case, which BASE had: MQ_BACKLOG"


def test_a_fall_of_exactly_the_limit_passes_whatever_floats_make_of_it():
    old, new = [with_recall("a", 0.7), with_recall("b", 0.8)], [with_recall("a", 0.6), with_recall("b", 0.8)]
    assert sum((0.7, 0.8)) - sum((0.6, 0.8)) > 0.1
    assert found(gate(old, new, params(max_drop={"recall_at_k": 0.1})), "max_drop recall_at_k").verdict == "pass"
    tighter = gate(old, new, params(max_drop={"recall_at_k": 0.099999}))
    assert found(tighter, "max_drop recall_at_k").message == (
        "the sum over 2 common cases fell by 0.1, at most 0.099999 allowed"
    )


def test_a_drop_that_unjudged_candidates_explain_is_inconclusive_and_never_a_pass():
    old, new = [scored_case("a"), scored_case("b")], [scored_case("a", "medium"), scored_case("b")]
    result = gate(old, new, optimistic=(scored_case("a"),))
    assert (result.verdict, result.exit_code) == ("inconclusive", 3)
    assert found(result, "max_strong_drops").message == (
        "strong cases that became weaker: 1, at most 0 allowed; "
        "1 would not, were unjudged candidates relevant: label them first"
    )
    assert gate(old, new, params(unjudged_drops="fail"), optimistic=(scored_case("a"),)).verdict == "fail"


def test_one_certain_drop_beside_an_explained_one_still_fails():
    old = [scored_case(name) for name in "abc"]
    new = [scored_case("a", "medium"), scored_case("b", "medium"), scored_case("c")]
    assert gate(old, new, optimistic=(scored_case("a"),)).verdict == "fail"


def test_nothing_scored_is_an_error_and_no_pass():
    nothing = [scored_case("a", None)]
    result = gate(nothing, nothing, params({"max_not_run": 5, "recall_at_k": 0.5}))
    assert (result.verdict, result.exit_code) == ("error", 2)
    assert found(result, "scored").message == "no case was scored, so nothing is known"
    assert gate([], []).verdict == "error"


def test_more_cases_not_run_than_allowed_fail():
    result = gate([scored_case("a"), scored_case("b")], [scored_case("a"), scored_case("b", None)])
    assert found(result, "max_not_run").message == "1 of 2 cases, at most 0 allowed"
    assert result.verdict == "fail"


def test_sides_without_a_common_case_cannot_be_compared():
    result = gate([scored_case("a")], [scored_case("b")], params(max_removed=None, keep_last_strong=[]))
    assert found(result, "comparable").verdict == result.verdict == "inconclusive"


def test_a_base_without_cases_leaves_the_floors():
    result = gate([], [scored_case("a")], params({"recall_at_k": 0.5}))
    assert result.verdict == "pass"
    assert found(result, "comparable").message.startswith("BASE has no golden cases")


def test_a_group_has_its_own_floor():
    cases = [scored_case("a", "miss", fault_type="DNS"), scored_case("b"), scored_case("c")]
    rules = params({"recall_at_k": 0.5}, group_floors={"fault_type": {"recall_at_k": 0.2}})
    result = gate(cases, cases, rules)
    assert found(result, "recall_at_k").verdict == "pass"
    assert found(result, "fault_type DNS: recall_at_k").verdict == "fail"
    assert found(result, "fault_type MQ_BACKLOG: recall_at_k").verdict == "pass"


def test_a_floor_between_two_counts_says_from_which_count_it_is_met():
    cases = [scored_case("a"), scored_case("b"), scored_case("c", "miss")]
    rule = found(gate(cases, cases, params({"hit_at_k": 0.67})), "hit_at_k")
    assert rule.message == "0.6667 over 3 cases, floor 0.67 (met from 3 of 3 cases)"


@pytest.mark.parametrize(
    ("thresholds", "rules", "fault"),
    [
        ({"recall": 0.5}, {}, ("thresholds.recall", "is no metric of the report")),
        (
            {"average_first_hit_rank": 1.0},
            {},
            (
                "thresholds.average_first_hit_rank",
                "is the better the lower it is, so this would reward the opposite",
            ),
        ),
        ({"max_not_run": 3}, {"max_drop": {"max_miss": 1}}, ("gate.max_drop.max_miss", "is no metric of the report")),
        ({"recall_at_k": 1.2}, {}, ("thresholds.recall_at_k", "is 1.2, which no share can reach")),
        ({"max_not_run": 3}, {"max_drop": {"recal": 1}}, ("gate.max_drop.recal", "is no metric of the report")),
        (
            {"max_not_run": 3},
            {"group_floors": {"lang": {"mrr_at_k": 0.1}}},
            ("gate.group_floors.lang.mrr_at_k", "is no metric of the report"),
        ),
    ],
)
def test_a_floor_that_nothing_can_meet_is_a_fault_of_the_parameters(thresholds, rules, fault):
    assert list(faulty_floors([scored_case("a")], params(thresholds, **rules))) == [fault]


def test_the_worst_rule_is_the_verdict():
    rule = RuleResult(rule="r", verdict="pass", value=0, limit=0, message="m")
    worst = {"pass": rule, **{v: rule.model_copy(update={"verdict": v}) for v in ("inconclusive", "fail", "error")}}
    assert [gate_verdict(list(worst.values())[: count + 1]) for count in range(4)] == list(worst)
    assert gate_verdict([]) == "error"


def test_what_an_accepted_case_lost_is_in_no_sum():
    old = [with_recall("a", 1.0), with_recall("b", 0.5)]
    new = [with_recall("a", 0.0).model_copy(update={"level": "miss"}), with_recall("b", 0.5)]
    rules = params(max_drop={"recall_at_k": 0.5})
    assert found(gate(old, new, rules), "max_drop recall_at_k").verdict == "fail"
    held = gate(old, new, rules, (accepted("a", "miss"),))
    assert found(held, "max_drop recall_at_k").message == "the sum over 1 common cases did not fall (1 accepted)"
    assert held.verdict == "pass"
    shallow = gate(old, new, rules, (accepted("a", "medium"),))
    assert found(shallow, "max_drop recall_at_k").verdict == "fail"

"""A review as the texts that people and CI systems read."""

from collections.abc import Iterable, Mapping

from stages.commands.review_run import ReviewRun
from stages.core.case_verdicts import CaseVerdict, case_verdicts
from stages.core.review_view import review_view
from stages.records.gate import RuleResult
from stages.records.review import Review
from stages.rendering.annotations import Kind, annotation
from stages.rendering.junit import Result, TestResult, junit_xml
from stages.rendering.template import render
from stages.storage.json_file import dump_json

# GitHub takes 65,536 characters; what is longer than this is rendered again with less in it.
LONGEST = 60_000
SIZES = ((40, 240), (20, 160), (8, 100), (3, 60))
RESULTS: Mapping[str, Result] = {"failed": "failure", "not_run": "error", "accepted": "skipped", "weak": "skipped"}
KINDS: Mapping[str, Kind] = {"failed": "error", "not_run": "error", "weak": "notice"}


def review_json(review: Review) -> str:
    """Return the review for programs: transitions have `from` and `to`."""
    return dump_json(review.model_dump(mode="json", by_alias=True))


def review_text(review: Review) -> str:
    """Return the review for a terminal, whole."""
    return render("review.txt.j2", **review_view(review, len(review.cases) + len(review.gate.rules), LONGEST))


def review_markdown(review: Review) -> str:
    """Return one comment of less than 60,000 characters: rows, then the length of cells, are cut until it fits."""
    text = ""
    for rows, width in SIZES:
        text = render("review.md.j2", **review_view(review, rows, width))
        if len(text) < LONGEST:
            break
    return text


def review_junit(run: ReviewRun) -> str:
    """Return JUnit XML with one test a rule of the gate, then one a golden case."""
    cases = case_verdicts(run.review, run.comparison, run.ledger)
    return junit_xml([*map(_rule_test, run.review.gate.rules), *map(_case_test, cases)])


def review_annotations(run: ReviewRun) -> Iterable[str]:
    """Yield GitHub workflow commands, errors first: rules that name no case here, then cases on their golden line."""
    for rule in run.review.gate.rules:
        if rule.verdict != "pass" and not set(rule.cases) & run.comparison.new.places.keys():
            yield annotation("error", "params.yaml", 1, f"gate: {rule.rule}", rule.message)
    verdicts = [one for one in case_verdicts(run.review, run.comparison, run.ledger) if one.finding in KINDS]
    changed = {case.case_id for case in run.review.transitions}
    for one in sorted(verdicts, key=lambda one: KINDS[one.finding]):
        if one.file and (one.finding != "weak" or one.case_id in changed):
            yield annotation(KINDS[one.finding], one.file, one.line, one.case_id, one.message)


def _rule_test(rule: RuleResult) -> TestResult:
    result: Result | None = None if rule.verdict == "pass" else "error" if rule.verdict == "error" else "failure"
    return TestResult("gate", rule.rule, "", 0, result, rule.message)


def _case_test(one: CaseVerdict) -> TestResult:
    return TestResult(f"golden.{one.scenario}", one.case_id, one.file, one.line, RESULTS.get(one.finding), one.message)

"""A review as the texts that people and CI systems read."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from stages.commands.review_run import ReviewRun
from stages.commands.review_side import PARAMS
from stages.core.case_verdicts import CaseVerdict, case_verdicts
from stages.core.review_view import review_view
from stages.core.shared_causes import shared_causes
from stages.records.gate import RuleResult
from stages.records.review import Review
from stages.rendering.annotations import Kind, annotation
from stages.rendering.junit import Result, TestResult, junit_xml
from stages.rendering.template import few, render
from stages.storage.json_file import dump_json

# GitHub takes 65,536 characters; what is longer than this is rendered again with less in it.
LONGEST = 60_000
SIZES = ((40, 240), (20, 160), (8, 100), (3, 60))
MOST_ANNOTATIONS = 10
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
    """Return JUnit XML with one test a rule of the gate, then one a golden case.

    What kept many cases from being scored is one failing test, and those cases are skipped.
    """
    verdicts = list(case_verdicts(run.review, run.comparison, run.ledger))
    together = shared_causes({one.case_id: one.not_run for one in verdicts})
    causes = [_cause_test(run.review.path, cause, cases) for cause, cases in together.items()]
    cases = [_case_test(one, skipped=one.not_run in together) for one in verdicts]
    return junit_xml([*map(_rule_test, run.review.gate.rules), *causes, *cases])


def review_annotations(run: ReviewRun) -> Iterable[str]:
    """Yield GitHub workflow commands, errors first, at most ten of a kind: GitHub shows no more of them a step.

    A cause that many cases share comes first and is told once, then rules which no case is told of, then cases on
    their golden line.
    """
    changed = {case.case_id for case in run.review.transitions}
    verdicts = [
        one
        for one in case_verdicts(run.review, run.comparison, run.ledger)
        if one.file and one.finding in KINDS and (one.finding != "weak" or one.case_id in changed)
    ]
    for kind in ("error", "notice"):
        noted = [one for one in verdicts if KINDS[one.finding] == kind]
        together = shared_causes({one.case_id: one.not_run or one.message for one in noted})
        singly = [one for one in noted if (one.not_run or one.message) not in together]
        lines = [_cause_note(kind, run.review.path, cause, cases) for cause, cases in together.items()]
        if kind == "error":
            lines += _rule_notes(run.review.gate.rules, {one.case_id for one in singly})
        lines += [annotation(kind, one.file, one.line, one.case_id, one.message) for one in singly]
        yield from _bounded(kind, lines)


def _cause_note(kind: Kind, path: str, cause: str, cases: Sequence[str]) -> str:
    return annotation(kind, PARAMS, 1, f"gate: {len(cases)} cases of {path}", f"{cause} ({few(cases)})")


def _rule_notes(rules: Iterable[RuleResult], told: Collection[str]) -> list[str]:
    return [
        annotation("error", PARAMS, 1, f"gate: {rule.rule}", rule.message)
        for rule in rules
        if rule.verdict != "pass" and not set(rule.cases) & set(told)
    ]


def _bounded(kind: Kind, lines: Sequence[str]) -> Iterable[str]:
    if len(lines) <= MOST_ANNOTATIONS:
        return lines
    shown = lines[: MOST_ANNOTATIONS - 1]
    more = f"and {len(lines) - len(shown)} more, which GitHub would not show; the comment and the JUnit file have them"
    return [*shown, annotation(kind, PARAMS, 1, "gate: more", more)]


def _cause_test(path: str, cause: str, cases: Sequence[str]) -> TestResult:
    return TestResult("gate", f"{path} {cause}", "", 0, "error", f"{len(cases)} cases ({few(cases)})")


def _rule_test(rule: RuleResult) -> TestResult:
    result: Result | None = None if rule.verdict == "pass" else "error" if rule.verdict == "error" else "failure"
    return TestResult("gate", rule.rule, "", 0, result, rule.message)


def _case_test(one: CaseVerdict, *, skipped: bool) -> TestResult:
    result = "skipped" if skipped else RESULTS.get(one.finding)
    return TestResult(f"golden.{one.scenario}", one.case_id, one.file, one.line, result, one.message)

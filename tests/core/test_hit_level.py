"""Hit levels, with the checks that failed."""

import pytest
from made import candidates, case, expectation

from stages.core.hit_level import judge
from stages.records.golden import Evidence, Expectation
from stages.records.recording import Candidate


def verdict(golden, found, coverage: float = 0.6) -> tuple[str, list[str]]:
    """Return the level and the codes of the failed checks."""
    judgement = judge(golden, found, coverage)
    return judgement.level, [check.code for check in judgement.failed_checks]


def test_document_section_and_evidence_make_a_strong_hit() -> None:
    assert verdict(case("a#s"), candidates("x#s", "a#s")) == ("strong", [])


def test_another_section_of_the_document_is_medium() -> None:
    judgement = judge(case("a#s"), candidates("a#t"), 0.6)
    assert judgement.level == "medium"
    assert judgement.failed_checks[0].code == "section_missing"
    assert judgement.failed_checks[0].message == "right document, wrong section: expected a#s; found t"


def test_an_expectation_without_a_section_takes_any() -> None:
    assert verdict(case("a"), candidates("a#t")) == ("strong", [])


def test_missing_evidence_is_medium_and_says_what_was_not_seen() -> None:
    golden = case("a#s", evidence=Evidence(keywords=("word", "lag", "offset")))
    judgement = judge(golden, candidates("a#s"), 0.6)
    assert judgement.level == "medium"
    assert [check.message for check in judgement.failed_checks] == [
        "keyword coverage is 0.33, below 0.60: lag, offset not seen"
    ]
    assert judgement.keyword_coverage == pytest.approx(1 / 3)


def test_coverage_exactly_at_the_threshold_is_enough() -> None:
    golden = case("a#s", evidence=Evidence(keywords=("word", "lag", "offset", "queue", "a")))
    assert verdict(golden, candidates("a#s", content="word lag queue"), 0.6) == ("strong", [])


def test_evidence_counts_in_candidates_of_expected_documents_only() -> None:
    found = (*candidates("a#s", content="nothing"), *candidates("x#y", "x#z")[1:])
    assert verdict(case("a#s"), found) == ("medium", ["keywords_missing"])


def test_evidence_may_stand_in_another_section_of_an_expected_document() -> None:
    first = candidates("a#s", content="nothing")[0]
    second = Candidate(rank=2, doc_id="a", section="t", content="a word")
    assert verdict(case("a#s"), (first, second)) == ("strong", [])


def test_no_expected_document_is_a_miss() -> None:
    assert verdict(case("a#s"), candidates("x#s", content="-")) == ("miss", ["document_missing"])


def test_evidence_in_other_documents_only_is_still_a_miss_and_names_them() -> None:
    judgement = judge(case("a#s"), candidates("x#s", "y#s"), 0.6)
    assert judgement.level == "miss"
    assert judgement.failed_checks[-1].code == "evidence_elsewhere"
    assert judgement.failed_checks[-1].message == "the evidence is in other documents: x, y; are labels missing?"


def test_an_empty_ranking_is_a_miss_that_says_so() -> None:
    assert verdict(case("a#s"), ()) == ("miss", ["nothing_retrieved"])


def test_a_document_judged_wrong_is_no_expected_document() -> None:
    golden = case("a#s", expectation("b", relevance=0))
    assert verdict(golden, candidates("b#s", content="-")) == ("miss", ["document_missing"])


def test_a_forbidden_document_spoils_a_strong_hit() -> None:
    judgement = judge(case("a#s", forbidden=("b",)), candidates("a#s", "b#s"), 0.6)
    assert judgement.level == "medium"
    assert judgement.failed_checks[0].message == "forbidden: b at rank 2"


def test_breadcrumbs_of_one_expectation_are_enough() -> None:
    evidence = Evidence(breadcrumbs=(("MQ", "Backlog", "s"), ("MQ", "Backlog", "t")))
    found = candidates("a#s", breadcrumb=("MQ", "Backlog", "S"))
    assert verdict(case("a#s", "a#t", evidence=evidence), found) == ("strong", [])


def test_a_breadcrumb_not_seen_is_named() -> None:
    evidence = Evidence(breadcrumbs=(("MQ", "Backlog", "s"),))
    judgement = judge(case("a#s", evidence=evidence), candidates("a#s"), 0.6)
    assert judgement.failed_checks[0].message == "breadcrumb not seen: MQ > Backlog > s"


def test_breadcrumbs_may_stand_in_for_keywords() -> None:
    evidence = Evidence(keywords=("absent",), breadcrumbs=(("MQ", "s"),))
    assert verdict(case("a#s", evidence=evidence), candidates("a#s", breadcrumb=("MQ", "s"))) == ("strong", [])


def test_a_label_matches_the_title_after_normalisation() -> None:
    golden = case(Expectation(label="MQ 堆积", section="核心指标"))
    found = candidates("random-7f#核心指标", title="MQ堆积")
    assert verdict(golden, found) == ("strong", [])


def test_a_subsection_counts_for_its_ancestor() -> None:
    found = candidates("a#detail", breadcrumb=("MQ", "核心指标", "detail"))
    assert verdict(case("a#核心指标"), found) == ("strong", [])


def test_ids_that_only_look_equal_do_not_match_and_are_pointed_out() -> None:
    judgement = judge(case("caf\u00e9#s"), candidates("cafe\u0301#s", content="-"), 0.6)
    assert judgement.level == "miss"
    assert [check.code for check in judgement.failed_checks] == ["document_missing", "looks_equal"]

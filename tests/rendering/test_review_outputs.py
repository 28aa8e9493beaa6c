"""Small pieces of the review's outputs."""

import pytest

from stages.core.review_view import names
from stages.rendering.annotations import annotation
from stages.rendering.junit import TestResult, junit_xml
from stages.rendering.template import signed


@pytest.mark.parametrize(
    ("value", "shown"), [(0.0, "0"), (0.0833333, "+0.083"), (-0.25, "-0.250"), (0.0004, "+0.000400"), (None, "–")]
)
def test_a_change_has_a_sign_and_is_never_rounded_to_nothing(value, shown):
    assert signed(value) == shown


def test_a_line_of_names_stays_readable():
    many = [f"case-{number}" for number in range(23)]
    assert names(many[:20]) == ", ".join(many[:20])
    assert names(many) == ", ".join(many[:20]) + " and 3 more"


def test_an_annotation_escapes_what_would_end_it():
    found = annotation("error", "data/a,b:c.yaml", 3, "t: 50%", "100% of\r\nlines::error::")
    assert found == "::error file=data/a%2Cb%3Ac.yaml,line=3,title=t%3A 50%25::100%25 of lines::error::"


def test_junit_counts_what_it_holds():
    results = [
        TestResult("s", "good", "", 0, None, ""),
        TestResult("s", "bad", "data/a.yaml", 4, "failure", 'a < b & "c"\x00'),
        TestResult("s", "skip", "data/a.yaml", 9, "skipped", "known"),
    ]
    assert junit_xml(results) == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<testsuites tests="3" failures="1" errors="0" skipped="1">\n'
        '  <testsuite name="retrieval-eval" tests="3" failures="1" errors="0" skipped="1">\n'
        '    <testcase classname="s" name="good" />\n'
        '    <testcase classname="s" name="bad" file="data/a.yaml" line="4">\n'
        '      <failure message="a &lt; b &amp; &quot;c&quot;(U+0000)" />\n'
        "    </testcase>\n"
        '    <testcase classname="s" name="skip" file="data/a.yaml" line="9">\n'
        '      <skipped message="known" />\n'
        "    </testcase>\n"
        "  </testsuite>\n"
        "</testsuites>\n"
    )

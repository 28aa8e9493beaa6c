"""JUnit XML: every golden case and every rule of the gate is a test."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree as ET

from stages.rendering.markdown_text import plain_line

Result = Literal["failure", "error", "skipped"]
LONGEST = 2000


@dataclass(frozen=True)
class TestResult:
    """One test: where it is written, and what became of it (None: it passed)."""

    __test__ = False  # pytest: this is no test class

    suite: str
    name: str
    file: str
    line: int
    result: Result | None
    message: str


def junit_xml(results: Sequence[TestResult]) -> str:
    """Return the document; characters that XML does not know are shown by their code."""
    totals = {kind: sum(one.result == kind for one in results) for kind in ("failure", "error", "skipped")}
    counts = {
        "tests": str(len(results)),
        "failures": str(totals["failure"]),
        "errors": str(totals["error"]),
        "skipped": str(totals["skipped"]),
    }
    suite = ET.Element("testsuite", {"name": "retrieval-eval", **counts})
    for one in results:
        place = {"file": one.file, "line": str(one.line)} if one.file else {}
        test = ET.SubElement(suite, "testcase", {"classname": one.suite, "name": plain_line(one.name), **place})
        if one.result:
            ET.SubElement(test, one.result, {"message": plain_line(one.message, LONGEST)})
    root = ET.Element("testsuites", counts)
    root.append(suite)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"

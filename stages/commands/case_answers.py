"""What a person answers to `new`, on the command line or when asked."""

import argparse
import re
from collections.abc import Sequence
from typing import Any

from stages.records.found_section import FoundSection
from stages.records.problem import InputError, Problem

LABEL = re.compile(r"(?P<document>[^#=\s]+)(?:#(?P<section>[^=]+))?(?:=(?P<grade>[0-3]))?")
CHOICE = re.compile(r"(?P<number>\d+)(?:=(?P<grade>[0-3]))?")
HOW = "Which answer the question? number=grade, as in `1=3 4=1 7=0`, or none"


def given_labels(args: argparse.Namespace) -> list[dict[str, Any]] | None:
    """Return the labels of `--expect`, an empty list for `--none`, and None when neither is given.

    Raises:
        InputError: every label that is none.
    """
    if args.none:
        return []
    if not args.expect:
        return None
    matches = [(text, LABEL.fullmatch(text)) for text in args.expect]
    wrong = [
        _fault(f"--expect {text!r} is no label", "Write DOC#SECTION=GRADE") for text, match in matches if not match
    ]
    if wrong:
        raise InputError(wrong)
    return [_label(match["document"], match["section"], match["grade"]) for _, match in matches if match]


def asked_labels(sections: Sequence[FoundSection]) -> list[dict[str, Any]]:
    """Ask which of the numbered sections answer the question, until the answer can be understood."""
    while True:
        answer = input(f"{HOW}: ").strip()
        if answer.lower() == "none":
            return []
        matches = [CHOICE.fullmatch(word) for word in answer.split()]
        chosen = [match for match in matches if match and 1 <= int(match["number"]) <= len(sections)]
        if chosen and len(chosen) == len(matches):
            return [_chosen(sections[int(match["number"]) - 1], match["grade"]) for match in chosen]
        print(f"  {answer!r} is no answer: numbers from 1 to {len(sections)}, grades from 0 to 3")


def asked_words(question: str) -> list[str]:
    """Ask for words separated by commas; none is an answer."""
    return [word.strip() for word in re.split("[,，、]", input(f"{question}: ")) if word.strip()]


def _chosen(section: FoundSection, grade: str | None) -> dict[str, Any]:
    return _label(section.chunk.doc_id, section.chunk.section, grade)


def _label(document: str, section: str | None, grade: str | None) -> dict[str, Any]:
    place = {"doc_id": document} if section is None else {"doc_id": document, "section": section}
    return place if grade in (None, "1") else {**place, "relevance": int(grade)}


def _fault(what: str, remedy: str) -> Problem:
    return Problem("command line", 0, 0, "", what, remedy)

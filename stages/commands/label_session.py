"""A labelling session: where it stands, what was decided, and how to take it back.

Every decision is written at once, so that nothing is lost when the terminal closes. Labels go into the golden
files; the journal keeps the order of decisions, and the candidates that were put off.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from stages.records.golden_edit import GoldenEdit
from stages.records.label_decision import LabelDecision
from stages.records.label_item import LabelItem
from stages.records.located_case import Location
from stages.storage.exact_text import read_exact
from stages.storage.golden_editor import edit_golden
from stages.storage.json_file import read_json_lines, write_json_lines
from stages.storage.record_file import to_record
from stages.storage.text_file import read_text, write_text
from stages.storage.yaml_file import parse_yaml

DOCUMENTS: Location = ("expected", "documents")


class LabelSession:
    """Walks through a queue; `files` says in which golden file each case stands.

    `queue` makes the queue from the golden files as they are; it is asked again when a label of an earlier session
    is taken back.
    """

    def __init__(self, queue: Callable[[], Sequence[LabelItem]], files: Mapping[str, str], journal: Path) -> None:
        self._queue = queue
        self._files = files
        self._journal = journal
        self._decisions = _read_journal(journal)
        self._items = {item.key: item for item in queue()}

    def waiting(self) -> list[LabelItem]:
        """Return what is neither decided nor put off, in order of the queue."""
        decided = {decision.key for decision in self._decisions}
        return [item for key, item in self._items.items() if key not in decided]

    def label(self, item: LabelItem, relevance: int) -> None:
        """Write a label into the golden file."""
        section = {} if item.section is None else {"section": item.section}
        grade = {} if relevance == 1 else {"relevance": relevance}
        value = {"doc_id": item.doc_id, **section, **grade}
        self._edit(GoldenEdit(self._files[item.case_id], item.case_id, DOCUMENTS, "append", value))
        self._note(item, relevance)

    def put_off(self, item: LabelItem) -> None:
        """Leave a candidate for another day."""
        self._note(item, None)

    def undo(self) -> LabelDecision | None:
        """Take the last decision back, also one of an earlier session; None when there is none."""
        if not self._decisions:
            return None
        last = self._decisions.pop()
        if last.relevance is not None:
            place = self._find(last)
            if place is not None:
                self._edit(GoldenEdit(self._files[last.case_id], last.case_id, (*DOCUMENTS, place), "remove"))
        write_json_lines(self._journal, self._decisions)
        if last.key not in self._items:
            self._items = {item.key: item for item in self._queue()}
        return last

    def recall_put_off(self) -> int:
        """Bring every candidate that was put off back into the queue; return how many."""
        kept = [decision for decision in self._decisions if decision.relevance is not None]
        count = len(self._decisions) - len(kept)
        self._decisions = kept
        write_json_lines(self._journal, self._decisions)
        return count

    def _note(self, item: LabelItem, relevance: int | None) -> None:
        decision = LabelDecision(case_id=item.case_id, doc_id=item.doc_id, section=item.section, relevance=relevance)
        self._decisions.append(decision)
        write_json_lines(self._journal, self._decisions)

    def _edit(self, edit: GoldenEdit) -> None:
        file = Path(edit.file)
        write_text(file, edit_golden(read_exact(file), [edit]))

    def _find(self, decision: LabelDecision) -> int | None:
        """Return where the label stands in its case now: a person may have edited the file since."""
        file = self._files[decision.case_id]
        cases = parse_yaml(read_text(Path(file)), file).data["cases"]
        case = next(case for case in cases if case["id"] == decision.case_id)
        places = [(label.get("doc_id"), label.get("section")) for label in case["expected"]["documents"]]
        wanted = (decision.doc_id, decision.section)
        return len(places) - 1 - places[::-1].index(wanted) if wanted in places else None


def _read_journal(path: Path) -> list[LabelDecision]:
    if not path.exists():
        return []
    return [to_record(value, LabelDecision, str(path), line) for line, value in read_json_lines(path)]

"""Where each label of a case is in the corpus of now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stages.core.corpus_view import CorpusView
from stages.core.matching import document_rule, full_rule
from stages.core.relocation import Fate
from stages.core.relocation_guess import guess_place
from stages.records.corpus_manifest import ManifestEntry
from stages.records.golden import Evidence, Expectation
from stages.records.recording import Candidate

Place = tuple[str, str | None]


@dataclass(frozen=True)
class LabelPlace:
    """One label: `fate` is None where nothing tells what became of it, `places` where it is now.

    `told` is False for a guess from the evidence.
    """

    label: Expectation
    fate: Fate | None
    places: tuple[Place, ...] = ()
    told: bool = True

    @property
    def stays(self) -> bool:
        """Whether the label names a place of the corpus of now, whatever its text is."""
        return self.fate in {"kept", "rewritten"}


def place_labels(labels: Sequence[Expectation], evidence: Evidence, view: CorpusView) -> list[LabelPlace]:
    """Return the place of each label, in order."""
    return [_place(label, evidence, view) for label in labels]


def _place(label: Expectation, evidence: Evidence, view: CorpusView) -> LabelPlace:
    here = is_there(label, view)
    old = [
        view.entries_before[candidate.chunk_id or ""]
        for candidate in _of_document(label, view.documents_before)
        if full_rule(label, candidate)
    ]
    if label.section is None:
        return LabelPlace(label, "kept") if here else _whole_document(label, old, view)
    if old:
        moved = view.relocations.of(old[0])
        if moved.fate == "rewritten" and here:
            return LabelPlace(label, "rewritten")
        if moved.fate != "kept" or here:
            return LabelPlace(label, moved.fate, tuple((entry.doc_id, entry.section) for entry in moved.targets))
    if here:
        return LabelPlace(label, "kept")
    guess = tuple((entry.doc_id, entry.section) for entry in guess_place(label, evidence, view))
    return LabelPlace(label, "renamed" if guess else None, guess, told=False)


def _whole_document(label: Expectation, old: Sequence[ManifestEntry], view: CorpusView) -> LabelPlace:
    """A label without a section follows the document: to each document that holds sections of it."""
    targets = [entry.doc_id for one in old for entry in view.relocations.of(one).targets]
    documents = sorted(set(targets), key=lambda name: (-targets.count(name), name))
    if not old:
        return LabelPlace(label, None)
    if not documents:
        return LabelPlace(label, "gone")
    known = {entry.doc_id for entry in view.before}
    fate: Fate = "split" if len(documents) > 1 else "merged" if documents[0] in known else "renamed"
    return LabelPlace(label, fate, tuple((name, None) for name in documents))


def document_is_there(label: Expectation, view: CorpusView) -> bool:
    """Whether the document of a label is in the corpus of now."""
    return any(document_rule(label, candidate) for candidate in _of_document(label, view.documents))


def is_there(label: Expectation, view: CorpusView) -> bool:
    """Whether the document and section of a label are in the corpus of now."""
    return any(full_rule(label, candidate) for candidate in _of_document(label, view.documents))


def _of_document(label: Expectation, documents: Mapping[str, Sequence[Candidate]]) -> Sequence[Candidate]:
    """Return the candidates that a label may mean: those of its document, or all where it names a title."""
    if label.doc_id is not None:
        return documents.get(label.doc_id, ())
    return [candidate for candidates in documents.values() for candidate in candidates]

"""Foreign labels to expectations and evidence, with the corpus' help where there is one."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from stages.records.chunk import Chunk

OPENING = 24
_MARKUP = re.compile(r"[#>*`|\[\]_~-]+\s*|\s+")


class CorpusLookup:
    """Where a chunk, section or document stands; empty when no corpus was given."""

    def __init__(self, chunks: Iterable[Chunk] = ()) -> None:
        self._by_chunk: dict[str, Chunk] = {}
        self._by_document: dict[str, list[Chunk]] = {}
        for chunk in chunks:
            self._by_chunk[chunk.chunk_id] = chunk
            self._by_document.setdefault(chunk.doc_id, []).append(chunk)

    def chunk(self, chunk_id: str) -> Chunk | None:
        """Return the chunk with this id."""
        return self._by_chunk.get(chunk_id)

    def labelled(self, label: dict[str, Any]) -> list[Chunk]:
        """Return the chunks which an expectation (as plain data) names."""
        if label.get("chunk_ids"):
            return [chunk for chunk_id in label["chunk_ids"] if (chunk := self._by_chunk.get(chunk_id))]
        chunks = self._by_document.get(label.get("doc_id") or "", [])
        section = label.get("section")
        return [chunk for chunk in chunks if section is None or chunk.section == section]


def chunk_labels(chunk_ids: Sequence[str], documents: Sequence[str], corpus: CorpusLookup) -> list[dict[str, Any]]:
    """Return one label for the chunks of each section, plus one for each document without a chunk among them.

    A chunk's document is told by the corpus, by its id (`<document>#<section>`), or by there being one document.

    Raises:
        ValueError: the document of a chunk cannot be told; the message names the chunk.
    """
    labels: dict[tuple[str, str | None], dict[str, Any]] = {}
    for chunk_id in chunk_ids:
        label = _chunk_label(chunk_id, documents, corpus)
        known = labels.setdefault((label["doc_id"], label.get("section")), label)
        if chunk_id not in known["chunk_ids"]:
            known["chunk_ids"].append(chunk_id)
    covered = {document for document, _ in labels}
    return [*labels.values(), *({"doc_id": name} for name in dict.fromkeys(documents) if name not in covered)]


def _chunk_label(chunk_id: str, documents: Sequence[str], corpus: CorpusLookup) -> dict[str, Any]:
    if known := corpus.chunk(chunk_id):
        section = {"section": known.section} if known.section else {}
        return {"doc_id": known.doc_id, **section, "chunk_ids": [chunk_id]}
    document = next((name for name in documents if chunk_id.startswith(f"{name}#")), None)
    if document is None and len(documents) == 1:
        document = documents[0]
    if document is None:
        raise ValueError(chunk_id)
    return {"doc_id": document, "chunk_ids": [chunk_id]}


def evidence_for(
    labels: Sequence[dict[str, Any]], corpus: CorpusLookup, keywords: Sequence[str] = (), texts: Sequence[str] = ()
) -> dict[str, Any] | None:
    """Return evidence for labels, or None when nothing is known that could be seen.

    In this order: keywords which the file gives; the opening words of the texts which the file gives; breadcrumbs
    from the corpus, where every label names a section; the titles of the documents, where none does; the opening
    words of the labelled chunks; the names of the sections.
    """
    relevant = [label for label in labels if is_relevant(label)]
    chunks = [chunk for label in relevant for chunk in corpus.labelled(label)]
    named = [label["section"] for label in relevant if label.get("section")]
    crumbs = [list(chunk.breadcrumb) for chunk in chunks if chunk.section and chunk.breadcrumb]
    if not keywords and not texts and crumbs and len(named) == len(relevant):
        return {"breadcrumbs": _distinct(crumbs)}
    titles = [] if named else [chunk.title for chunk in chunks if chunk.title]
    choices = (keywords, [opening(text) for text in texts], titles, [opening(chunk.content) for chunk in chunks], named)
    found = next((seen for choice in choices if (seen := _distinct([text for text in choice if text]))), None)
    return {"keywords": found} if found else None


def is_relevant(label: dict[str, Any]) -> bool:
    """Whether a label says that its target is not wrong; a grade that is none is told by the case, not here."""
    grade = label.get("relevance", 1)
    return not isinstance(grade, (int, float)) or grade > 0


def opening(text: str) -> str:
    """Return the first words of a text (at most 24 characters beyond a word's end), without Markdown's signs."""
    line = next((line.strip() for line in text.splitlines() if len(_MARKUP.sub("", line)) > OPENING // 2), text.strip())
    line = re.sub(r"^[#>*\d.\s-]+", "", line) or line
    if len(line) <= OPENING:
        return line
    space = line.find(" ", OPENING)
    return line[:OPENING] if space < 0 or space > OPENING * 2 else line[:space]


def _distinct(values: list[Any]) -> list[Any]:
    return list({str(value): value for value in values}.values())

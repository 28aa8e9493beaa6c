"""A folder of Markdown files as chunks: one for each `## ` section."""

import re
from dataclasses import dataclass
from pathlib import Path

from stages.records.chunk import Chunk
from stages.records.problem import InputError, Problem
from stages.storage.front_matter import FrontMatter, read_front_matter
from stages.storage.text_file import read_text

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"(#{1,2})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
_DOC_ID = re.compile(r"[^\s#\x00-\x1f\x7f]+")


@dataclass(frozen=True)
class _Part:
    """A heading (None before the first one), the line it stands on, and the text below it."""

    section: str | None
    line: int
    text: str


def read_markdown(folder: Path) -> tuple[list[Chunk], list[Problem]]:
    """All chunks of the `*.md` files below `folder`, and everything wrong with them."""
    chunks: list[Chunk] = []
    problems: list[Problem] = []
    for path in sorted(folder.rglob("*.md")):
        try:
            chunks.extend(_read_document(path, folder))
        except InputError as fault:
            problems.extend(fault.problems)
    return chunks, problems


def _read_document(path: Path, folder: Path) -> list[Chunk]:
    file = str(path)
    source = path.relative_to(folder).as_posix()
    doc_id = source.removesuffix(".md")
    if not _DOC_ID.fullmatch(doc_id):
        what = f"the file name {path.name!r} cannot be a document id: it holds white space, '#' or a control character"
        raise InputError([Problem(file, 0, 0, "", what, "Rename the file, for instance to mq-backlog.md")])
    head = read_front_matter(read_text(path), file)
    heading, parts = _split(head)
    problems = _section_problems(parts, file)
    if problems:
        raise InputError(problems)
    title = head.title or heading or path.stem
    return [_chunk(part, head, doc_id, title, source) for part in parts if part.section is not None or part.text]


def _chunk(part: _Part, head: FrontMatter, doc_id: str, title: str, source: str) -> Chunk:
    return Chunk(
        chunk_id=doc_id if part.section is None else f"{doc_id}#{part.section}",
        doc_id=doc_id,
        title=title,
        source=source,
        section=part.section,
        breadcrumb=head.breadcrumb if part.section is None else (*head.breadcrumb, part.section),
        category=head.category,
        lang=head.lang,
        keywords=head.keywords,
        content=part.text,
    )


def _split(head: FrontMatter) -> tuple[str | None, list[_Part]]:
    """The first `# ` heading above all sections, and the parts; a `#` inside a code fence is no heading."""
    title: str | None = None
    section: str | None = None
    start, kept, fence = head.body_line, list[str](), ""
    parts: list[_Part] = []
    for number, line in enumerate(head.body.split("\n"), head.body_line):
        fence = _next_fence(fence, line)
        match = None if fence else _HEADING.match(line)
        if match and match[1] == "##":
            parts.append(_Part(section, start, "\n".join(kept).strip()))
            section, start, kept = match[2], number, []
        elif match and title is None and not parts:
            title = match[2]
        else:
            kept.append(line)
    parts.append(_Part(section, start, "\n".join(kept).strip()))
    return title, parts


def _next_fence(fence: str, line: str) -> str:
    """The fence that is open after `line`: one closes only by the same sign, at least as long, and alone."""
    match = _FENCE.match(line)
    if not match:
        return fence
    if not fence:
        return match[1]
    closes = match[1].startswith(fence) and not line[match.end() :].strip()
    return "" if closes else fence


def _section_problems(parts: list[_Part], file: str) -> list[Problem]:
    first: dict[str, int] = {}
    problems: list[Problem] = []
    for part in parts:
        if part.section is None:
            continue
        if not part.section:
            problems.append(Problem(file, part.line, 1, "", "the heading has no text", "Name the section"))
        elif part.section in first:
            what = f"the section {part.section!r} stands here a second time (first on line {first[part.section]})"
            problems.append(Problem(file, part.line, 1, "", what, "Rename one of the two, or join them"))
        first.setdefault(part.section, part.line)
    return problems

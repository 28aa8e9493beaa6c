"""The YAML block at the head of a Markdown file, read with the place of every fault.

All known keys hold text or lists of text, so the nodes are read as written: `no`, `12:30` and `010`
stay what their author typed, and no YAML version can turn them into something else.
"""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

import yaml

from stages.records.problem import InputError, Problem

TEXT_KEYS: Final = ("title", "category", "lang")
LIST_KEYS: Final = ("breadcrumb", "keywords")
KNOWN_KEYS: Final = (*TEXT_KEYS, *LIST_KEYS)


@dataclass(frozen=True)
class FrontMatter:
    """What the block says, and the rest of the file with the number of its first line."""

    title: str | None
    category: str | None
    lang: str | None
    breadcrumb: tuple[str, ...]
    keywords: tuple[str, ...]
    body: str
    body_line: int


def read_front_matter(text: str, file: str) -> FrontMatter:
    """Split `text` into its front matter and body; a file without the block has empty values.

    Keys of other tools (`weight`, `date`) are passed over; a key that resembles one of ours is a fault,
    because a misspelt `keyword` would otherwise be lost without a word.

    Raises:
        InputError: The block is not closed, is no mapping of texts, or repeats or misspells a key.
    """
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return FrontMatter(None, None, None, (), (), text, 1)
    end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), None)
    if end is None:
        raise InputError(
            [Problem(file, 1, 1, "", "the front matter is not closed", "End it with a line of three dashes")]
        )
    values = _read_block("\n".join(lines[1:end]), file)
    texts = {key: next(iter(values.get(key, ())), None) for key in TEXT_KEYS}
    return FrontMatter(
        texts["title"],
        texts["category"],
        texts["lang"],
        values.get("breadcrumb", ()),
        values.get("keywords", ()),
        "\n".join(lines[end + 1 :]),
        end + 2,
    )


def _read_block(block: str, file: str) -> dict[str, tuple[str, ...]]:
    try:
        node = yaml.compose(block, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError) as fault:
        raise InputError([_syntax_problem(fault, file)]) from None
    if node is None:
        return {}
    if not isinstance(node, yaml.MappingNode):
        raise InputError([_at(node, file, "the front matter is no mapping", "Write lines like `title: ...`")])
    return _read_pairs(node, file)


def _read_pairs(mapping: yaml.MappingNode, file: str) -> dict[str, tuple[str, ...]]:
    values: dict[str, tuple[str, ...]] = {}
    problems: list[Problem] = []
    for key, value in mapping.value:
        name = str(key.value)
        if name in values:
            problems.append(_at(key, file, f"the key {name!r} stands here a second time", "Keep one of the two"))
        elif name in KNOWN_KEYS:
            values[name] = _texts(name, value, file, problems)
        elif near := get_close_matches(name, KNOWN_KEYS, 1, 0.75):
            problems.append(_at(key, file, f"{name!r} is no key of the front matter", f"Write {near[0]!r}"))
    if problems:
        raise InputError(problems)
    return values


def _texts(name: str, node: yaml.Node, file: str, problems: list[Problem]) -> tuple[str, ...]:
    is_list = name in LIST_KEYS
    items = node.value if is_list and isinstance(node, yaml.SequenceNode) else [node]
    wanted = "Write a list of texts" if is_list else "Write one text"
    if is_list and not isinstance(node, yaml.SequenceNode):
        problems.append(_at(node, file, f"{name!r} is no list", f"{wanted}, as in `{name}: [a, b]`"))
        return ()
    wrong = [item for item in items if not isinstance(item, yaml.ScalarNode) or not item.value.strip()]
    problems.extend(_at(item, file, f"{name!r} holds something that is empty or no text", wanted) for item in wrong)
    return tuple(item.value.strip() for item in items if isinstance(item, yaml.ScalarNode))


def _at(node: yaml.Node, file: str, message: str, remedy: str) -> Problem:
    mark = node.start_mark
    # +2: lines count from 1, and the block starts below the opening dashes.
    return Problem(file, mark.line + 2, mark.column + 1, "", message, remedy)


def _syntax_problem(fault: Exception, file: str) -> Problem:
    mark = getattr(fault, "problem_mark", None)
    line, column = (mark.line + 2, mark.column + 1) if mark else (1, 1)
    reason = getattr(fault, "problem", None) or "it holds a control character, or is nested too deep"
    return Problem(file, line, column, "", f"the front matter is no YAML: {reason}", "Quote the value or mend it")

"""YAML as people write it: the 1.2 core schema, no duplicate keys, bounded, with the place of every node."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from stages.records.problem import InputError, Problem
from stages.storage.text_file import read_text

try:
    from yaml import CSafeLoader as _QuickBase
except ImportError:  # PyYAML was built without libyaml
    from yaml import SafeLoader as _QuickBase  # type: ignore[assignment]

MAX_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 50
MAX_NODES = 1_000_000

TEXT = "tag:yaml.org,2002:str"

Location = tuple[str | int, ...]
Place = tuple[int, int]


@dataclass(frozen=True)
class YamlDocument:
    """Plain data with the place (line, column; both from 1) of every key and item by its location.

    `written` holds every scalar that YAML takes for something else than text, as it stands in the file: `0012`, `~`.
    """

    file: str
    data: Any
    places: dict[Location, Place]
    written: dict[Location, str]

    def place(self, location: Location) -> Place:
        """Return the place of a location, or of its nearest ancestor that is written down."""
        while location not in self.places and location:
            location = location[:-1]
        return self.places.get(location, (1, 1))


class _Loader(yaml.SafeLoader):
    """SafeLoader with the YAML 1.2 core schema instead of 1.1: `no`, `12:30` and `010` mean what they look like."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 (PyYAML's own idiom)


class _QuickLoader(_QuickBase):
    """The same by libyaml, ten times as fast, where PyYAML was built with it."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 (PyYAML's own idiom)


CORE_SCHEMA = {
    "null": (r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    "bool": (r"^(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    "int": (r"^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$", list("-+0123456789")),
    "float": (
        r"^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$",
        list("-+.0123456789"),
    ),
}
for _kind, (_pattern, _first) in CORE_SCHEMA.items():
    for _loader in (_Loader, _QuickLoader):
        _loader.add_implicit_resolver(f"tag:yaml.org,2002:{_kind}", re.compile(_pattern), _first)


def _core_int(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> int:
    text = str(loader.construct_scalar(node))
    return int(text, 0) if text.startswith(("0o", "0x")) else int(text, 10)


_Loader.add_constructor("tag:yaml.org,2002:int", _core_int)
# Tags that YAML 1.1 had beside those of the core schema; a set, for one, has no order. PyYAML's own loader keeps them:
# adding a constructor gave this one a table of its own.
for _kind in ("binary", "omap", "pairs", "set", "timestamp"):
    _Loader.yaml_constructors.pop(f"tag:yaml.org,2002:{_kind}")


def read_yaml(path: Path) -> YamlDocument:
    """Read one YAML document.

    Raises:
        InputError: every fault of syntax, key used twice, tag beyond the core schema, too deep or large an expansion.
    """
    text = read_text(path, MAX_BYTES)
    return parse_yaml(text, str(path))


def parse_yaml(text: str, file: str) -> YamlDocument:
    """Parse one YAML document; `file` only says where the text stands.

    Raises:
        InputError: as `read_yaml`.
    """
    try:
        node = _compose(text)
        found = YamlDocument(file, None, {}, {})
        if node is not None:
            _walk(node, found)
        data = None if node is None else _Loader("").construct_document(node)
    except yaml.MarkedYAMLError as error:
        raise InputError([_syntax_problem(file, error)]) from None
    except yaml.reader.ReaderError as error:
        raise InputError([_character_problem(file, text, error)]) from None
    except (RecursionError, ValueError) as error:
        what = "the nesting is too deep" if isinstance(error, RecursionError) else str(error)
        raise InputError([Problem(file, 1, 1, "", what, "Simplify the file")]) from None
    return replace(found, data=data)


def _compose(text: str) -> yaml.Node | None:
    """Compose by libyaml; what it refuses is read again in Python, whose words are the same on every machine."""
    node: yaml.Node | None
    try:
        node = _QuickLoader(text).get_single_node()
    except yaml.YAMLError:
        node = _Loader(text).get_single_node()
    return node


def _walk(root: yaml.Node, found: YamlDocument) -> None:
    """Note the place of each node, breadth kept on a stack: a bomb ends at MAX_NODES, not in memory.

    Raises:
        InputError: every key that stands twice or is no plain text; what is too deep or expands too far.
    """
    problems: list[Problem] = []
    stack: list[tuple[yaml.Node, Location]] = [(root, ())]
    while stack:
        node, location = stack.pop()
        line, column = _place(node)
        found.places.setdefault(location, (line, column))
        if len(location) > MAX_DEPTH or len(found.places) > MAX_NODES:
            what = "the nesting is too deep" if len(location) > MAX_DEPTH else "aliases expand to too many nodes"
            problems.append(Problem(found.file, line, column, "", what, "Write the data out plainly"))
            break
        if isinstance(node, yaml.MappingNode):
            stack.extend(_entries(node, location, found, problems))
        elif isinstance(node, yaml.SequenceNode):
            stack.extend((child, (*location, index)) for index, child in enumerate(node.value))
        elif node.tag != TEXT:
            found.written[location] = node.value
    if problems:
        raise InputError(problems)


def _entries(
    node: yaml.MappingNode, location: Location, found: YamlDocument, problems: list[Problem]
) -> list[tuple[yaml.Node, Location]]:
    """Return the values of a mapping with their locations; from here on every key is the text that is written."""
    entries: list[tuple[yaml.Node, Location]] = []
    pairs: list[tuple[yaml.Node, yaml.Node]] = []
    seen: dict[str, int] = {}
    for key, value in node.value:
        line, column = _place(key)
        if not isinstance(key, yaml.ScalarNode):
            problems.append(Problem(found.file, line, column, "", "a key is no plain text", "Write a plain key"))
            continue
        if key.value in seen:
            what = f"the key {key.value!r} stands twice in one mapping, first on line {seen[key.value]}"
            problems.append(Problem(found.file, line, column, "", what, "Keep one of the two"))
        seen.setdefault(key.value, line)
        found.places.setdefault((*location, key.value), (line, column))
        pairs.append((key if key.tag == TEXT else _as_text(key), value))
        entries.append((value, (*location, key.value)))
    node.value = pairs
    return entries


def _as_text(node: yaml.ScalarNode) -> yaml.ScalarNode:
    return yaml.ScalarNode(TEXT, node.value, node.start_mark, node.end_mark)


def _place(node: yaml.Node) -> Place:
    return node.start_mark.line + 1, node.start_mark.column + 1


def _syntax_problem(file: str, error: yaml.MarkedYAMLError) -> Problem:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    return Problem(file, line, column, "", f"this is no YAML: {error.problem or error.context}", "Repair the syntax")


def _character_problem(file: str, text: str, error: yaml.reader.ReaderError) -> Problem:
    before = text[: error.position]
    line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
    code = error.character if isinstance(error.character, int) else ord(error.character)
    return Problem(file, line, column, "", f"the character U+{code:04X} is not allowed in YAML", "Remove it")

"""The first-party files that a module needs: its import closure, computed from the text alone."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]


def closure(module: str) -> set[str]:
    """Return the paths (from the root) of every file of ours that importing `module` reads, templates included."""
    found: set[str] = set()
    waiting = [ROOT / f"{module.replace('.', '/')}.py"]
    while waiting:
        path = waiting.pop()
        name = path.relative_to(ROOT).as_posix()
        if name not in found:
            found.add(name)
            waiting.extend(needed(path))
    return found


@cache
def needed(path: Path) -> tuple[Path, ...]:
    """Return the files that one file names: its imports, or the templates it renders or includes."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return tuple(path.parent / name for name in re.findall(r'"([\w./-]+\.j2)"', text))
    files = [file for node in ast.walk(ast.parse(text)) for file in _imported(node)]
    templates = [ROOT / "stages/rendering" / name for name in re.findall(r'"([\w./-]+\.j2)"', text)]
    return (*files, *templates)


def _imported(node: ast.AST) -> list[Path]:
    if isinstance(node, ast.Import):
        return [file for alias in node.names for file in _file(alias.name)]
    if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
        own = _file(node.module)
        return own or [file for alias in node.names for file in _file(f"{node.module}.{alias.name}")]
    return []


def _file(module: str) -> list[Path]:
    path = ROOT / f"{module.replace('.', '/')}.py"
    return [path] if module.startswith("stages.") and path.is_file() else []

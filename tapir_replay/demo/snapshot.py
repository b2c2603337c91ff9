"""The text a snapshot is: one line a node, what is above and inside by indentation."""

from __future__ import annotations

import difflib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tapir_replay.demo import semantics

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapir_replay.demo.app import App
    from tapir_replay.demo.refs import Refs
    from tapir_replay.demo.tree import Node


@dataclass(frozen=True)
class Filter:
    """What of the screen is asked for."""

    within: Node | None = None
    depth: int | None = None
    interactive_only: bool = False
    grep: Callable[[str], bool] | None = None

    @property
    def is_empty(self) -> bool:
        return self == Filter()


def grep_for(pattern: str) -> tuple[Callable[[str], bool], bool]:
    """A test for a text, and whether the pattern had to be taken literally."""
    try:
        found = re.compile(pattern).search
    except re.error:
        return (lambda text: pattern in text), True
    return (lambda text: found(text) is not None), False


def quoted(text: str) -> str:
    """Only these two are escaped; a line break stays one."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


class Snapshots:
    """Makes snapshots, keeps the last whole one for `diff`, and one text a state of the tree."""

    def __init__(self, app: App, refs: Refs) -> None:
        self._app = app
        self._refs = refs
        self._baseline: str | None = None
        self._cached: tuple[int, str] | None = None

    def full(self) -> str:
        """The whole screen; it becomes the baseline."""
        self._baseline = self._whole()
        return self._baseline

    def filtered(self, wanted: Filter) -> str:
        """Part of the screen. The baseline stays."""
        return self._render(wanted)

    def diff(self) -> tuple[str, bool]:
        """What changed since the baseline, and True; without a baseline the whole text."""
        before, now = self._baseline, self.full()
        return (now, False) if before is None else (changed_lines(before, now), True)

    def _whole(self) -> str:
        app = self._app
        app.refresh()
        version = app.version
        if self._cached is not None and self._cached[0] == version:
            return self._cached[1]
        text = self._render(Filter())
        # Where something moves by itself the markers may change without a change of the tree.
        still = all(node.motion is None for node in app.reachable)
        self._cached = (version, text) if still else None
        return text

    def _render(self, wanted: Filter) -> str:
        app = self._app
        app.refresh()
        kept = self._kept(wanted)
        lines: list[str] = []
        start = wanted.within if wanted.within is not None else app.root
        self._emit(start, 0, wanted, kept, lines)
        return "".join(f"{line}\n" for line in lines)

    def _kept(self, wanted: Filter) -> set[Node] | None:
        """With `grep`: the hits and everything above them."""
        if wanted.grep is None:
            return None
        kept: set[Node] = set()
        for node in semantics.nodes(self._app):
            if wanted.grep(node.label) or wanted.grep(semantics.value_of(node)):
                kept.update(node.ancestors())
        return kept

    def _emit(
        self, node: Node, level: int, wanted: Filter, kept: set[Node] | None, lines: list[str]
    ) -> None:
        below = level
        if node.semantics is not None and not node.merged and (kept is None or node in kept):
            deep = wanted.depth is not None and level > wanted.depth
            own = [] if deep else self._lines(node, wanted)
            lines += [f"{'  ' * level}{line}" for line in own]
            below = level + bool(own)
        children = node.children[-1:] if node.type == "Navigator" else node.children
        for child in children:
            self._emit(child, below, wanted, kept, lines)

    def _lines(self, node: Node, wanted: Filter) -> list[str]:
        label, value = node.label, semantics.value_of(node)
        if not semantics.has_line(node):
            shown = value or label
            return [f"- text {quoted(shown)}"] if shown and not wanted.interactive_only else []
        head = f"- {semantics.of(node).role} {quoted(label)}"
        if value:
            head += f": {quoted(value)}"
        head += f" [ref={self._refs.token(node)}]"
        rect = node.live_rect()
        if not rect.is_empty and not semantics.is_visible(rect):
            head += " [offscreen]"
        elif semantics.is_occluded(self._app, node, rect):
            head += " [occluded]"
        lines = [head]
        if node.edit is not None:
            lines.append("  typeable: true")
        if node.overflowing:
            lines.append("  overflow: true")
        owner = semantics.tap_owner(self._app, node)
        if owner is not None:
            compact = json.dumps(owner.rect.as_json(), separators=(",", ":"))
            lines.append(f"  tapOwner: {compact}")
            if not owner.reachable:
                lines.append("  retargets: false")
        return lines


def changed_lines(before: str, after: str) -> str:
    """Removed lines with `- `, added ones with `+ `, and a count of what changed."""
    old, new = before.splitlines(), after.splitlines()
    lines: list[str] = []
    count = 0
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            continue
        removed, added = old[i1:i2], new[j1:j2]
        for index in range(max(len(removed), len(added))):
            if index < len(removed):
                lines.append(f"- {removed[index]}")
            if index < len(added):
                lines.append(f"+ {added[index]}")
        count += max(len(removed), len(added))
    lines.append(f"({count} of {len(new)} lines changed)")
    return "".join(f"{line}\n" for line in lines)

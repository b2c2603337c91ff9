"""A scenario of flutter_pilot as one of ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from tapir_replay.convert.maestro_steps import Linker
from tapir_replay.convert.model import Converted, Left, Notes, comment_of, steps_of
from tapir_replay.convert.source import Node, Source
from tapir_replay.scenario import suggest
from tapir_replay.scenario.diagnostics import Span, quoted
from tapir_replay.scenario.writing import Commented, Step, literal

_TOP = ("scenario", "steps")
_FINDERS = ("byText", "byType", "byKey", "byWidget")
_ONLY_HERE = ("include", "label", "waitFor", "capture")


def is_pilot(source: Source) -> bool:
    """Whether a file looks like a scenario of flutter_pilot."""
    top = source.documents[0].entries if len(source.documents) == 1 else None
    if top is None or "steps" not in top or set(top) - set(_TOP):
        return False
    steps = [each.entries or {} for each in top["steps"].items or ()]
    found = any(set(each) & set(_ONLY_HERE) or _finds(each) for each in steps)
    return found or "scenario" in top


def _finds(step: Mapping[str, Node]) -> bool:
    return any(set(each.entries or ()) & {*_FINDERS, "deltaX", "deltaY"} for each in step.values())


def convert_pilot(source: Source, linker: Linker, *, fragment: bool) -> Converted:
    """What a scenario, or a library of steps, becomes."""
    return _File(source, linker, fragment=fragment).convert()


class _File:
    """The conversion of one file."""

    def __init__(self, source: Source, linker: Linker, *, fragment: bool) -> None:
        self.source = source
        self.linker = linker
        self.notes = Notes(source)
        self.fragment = fragment
        self.pictures = 0

    def convert(self) -> Converted:
        top = self.source.documents[0].entries or {}
        document = self._heading(top.get("scenario"))
        for name, node in top.items():
            if name not in _TOP:
                self.notes.leave_above(node, f"{name}: there is nothing like it")
        listed = top.get("steps")
        items = (listed.items if listed is not None else None) or ()
        steps = [each for item in items for each in self._step(item)]
        if not list(steps_of(steps)):
            if not self.notes.left:
                span = listed.span if listed is not None else Span(line=1, column=1)
                self.notes.leave(span, "there is no step in it")
            return Converted(document=None, notes=self.notes)
        return Converted(document={**document, "steps": steps}, notes=self.notes)

    def _heading(self, node: Node | None) -> dict[str, Any]:
        document: dict[str, Any] = {"kind": "fragment"} if self.fragment else {}
        for name, each in ((node and node.entries) or {}).items():
            if name in ("name", "description"):
                if each.text:
                    document[name] = each.text
                elif not each.is_nothing:
                    self.notes.leave_above(each, f"{name}: a text is expected")
            elif name == "recording":
                enabled = (each.entries or {}).get("enabled")
                if enabled is None or enabled.flag is not False:
                    self.notes.leave_above(
                        each,
                        "recording: there are no videos",
                        "screenshot keeps a picture; of a failure one is kept without asking",
                    )
            else:
                self.notes.leave_above(each, f"{name}: there is nothing like it")
        return document

    def _step(self, node: Node) -> Iterator[Step]:
        entries = node.entries or {}
        actions = [name for name in entries if name != "label"]
        name = actions[0] if len(actions) == 1 else ""
        missing: list[Left] = []
        label = entries.get("label")
        if label is not None and label.text is None:
            missing.append(Left("label is no text", label))
        try:
            made = self._made(name, entries, node, missing)
        except Left as left:
            why = f"{name}: {left.why}" if name else left.why
            self.notes.leave((left.node or node).span, why, left.hint)
            yield Commented(None, before=comment_of(node, self.source, why))
            return
        before = [self._told(name, left, node) for left in missing]
        for index, step in enumerate(_labelled(made, label)):
            yield Commented(step, before=before) if before and index == 0 else step
        if before and not made:
            yield Commented(None, before=before)

    def _made(
        self, name: str, entries: Mapping[str, Node], node: Node, missing: list[Left]
    ) -> list[dict[str, Any]]:
        if not name:
            raise Left("one action is expected here", hint="a step has a label and one action")
        action = ACTIONS.get(name)
        if action is None:
            guess = suggest.nearest(name, ACTIONS)
            hint = f'did you mean "{guess}"?' if guess else "write the step by hand"
            raise Left(f"there is no action {quoted(name)}", entries[name], hint=hint)
        return list(action(self, entries[name], node, missing))

    def _told(self, name: str, left: Left, node: Node) -> str:
        place = (left.node or node).span
        self.notes.leave(place, f"{name}: {left.why}", left.hint)
        return f"not converted: {name}: {left.why} (line {place.line})"

    def finder(self, node: Node, missing: list[Left], *, leave: str = "") -> Any:
        """The target that a finder names; None where there is no finder.

        Args:
            node: The action.
            missing: For what could not be carried over.
            leave: A type that need not be said.

        Raises:
            Left: Nothing is left of it.
        """
        entries = node.entries
        if entries is None:
            raise Left("a map is expected", node)
        target: dict[str, Any] = {}
        lost: list[Left] = []
        for name in _FINDERS:
            if (each := entries.get(name)) is None:
                continue
            if not each.text:
                raise Left(f"{name} is no text", each)
            if name == "byType" and each.text == leave:
                continue
            if name == "byText":
                target["text"] = literal(each.text)
            elif name == "byKey":
                target["key"] = literal(each.text)
            elif name == "byType" and each.text in _ROLES:
                target["role"] = _ROLES[each.text]
            else:
                lost.append(_lost(name, each))
        if target:
            missing += lost
            return target["text"] if list(target) == ["text"] else target
        if lost:
            raise lost[0]
        return None

    def needed(self, node: Node, missing: list[Left]) -> Any:
        """The same where there has to be one."""
        target = self.finder(node, missing)
        if target is None:
            raise Left("it has no finder", node, hint="one of " + ", ".join(_FINDERS))
        return target


def _lost(name: str, node: Node) -> Left:
    if name == "byWidget":
        return Left(
            f"byWidget {node.text}: targets do not know the classes of widgets",
            node,
            hint="name the widget by key, text or role",
        )
    return Left(
        f"byType {node.text}: there is no such role",
        node,
        hint="roles are button, textbox, checkbox, link, heading and image",
    )


_ROLES = {"button": "button", "textField": "textbox", "header": "heading"}


def _labelled(made: list[dict[str, Any]], label: Node | None) -> Iterator[dict[str, Any]]:
    if label is None or not label.text:  # what is no text is told already
        yield from made
        return
    name = literal(label.text)
    if len(made) == 1:
        yield {"name": name, **made[0]}
    elif made:
        yield {"name": name, "group": {"steps": made}}


Action = Callable[[_File, Node, Node, list[Left]], Iterable[dict[str, Any]]]


def _only(node: Node, missing: list[Left], *known: str) -> Mapping[str, Node]:
    for name, each in (node.entries or {}).items():
        if name not in (*_FINDERS, *known):
            guess = suggest.nearest(name, (*_FINDERS, *known))
            hint = f'did you mean "{guess}"?' if guess else ""
            missing.append(Left(f"it has no {name}", each, hint=hint))
    return node.entries or {}


def _tap(file: _File, node: Node, _: Node, missing: list[Left]) -> Iterable[dict[str, Any]]:
    target = file.needed(node, missing)
    _only(node, missing)
    return [{"tap": {"target": target}}]


def _type(file: _File, node: Node, _: Node, missing: list[Left]) -> Iterable[dict[str, Any]]:
    target = file.needed(node, missing)
    text = _only(node, missing, "text").get("text")
    if text is None or text.text is None:
        raise Left("it has no text", text)
    return [{"fill": {"target": target, "text": literal(text.text)}}]


def _scroll(file: _File, node: Node, _: Node, missing: list[Left]) -> Iterable[dict[str, Any]]:
    target = file.finder(node, missing, leave="scrollable")
    entries = _only(node, missing, "deltaX", "deltaY")
    step: dict[str, Any] = {} if target is None else {"target": target}
    for name, ours in (("deltaX", "dx"), ("deltaY", "dy")):
        delta = entries.get(name)
        if delta is None:
            continue
        if delta.number is None:
            raise Left(f"{name} is no number", delta)
        if delta.number:
            far = -delta.number  # a finger that goes up shows what is further down
            step[ours] = int(far) if far == int(far) else far
    if not {"dx", "dy"} & set(step):
        raise Left("it goes nowhere")
    file.notes.differs_once(
        "scroll",
        node.span,
        "a drag becomes a scroll by the same distance, the other way round",
    )
    return [{"scroll": step}]


def _wait(file: _File, node: Node, _: Node, missing: list[Left]) -> Iterable[dict[str, Any]]:
    told = len(missing)
    target = file.needed(node, missing)
    if len(missing) > told:
        raise missing.pop()  # a check with less in it would be another check
    timeout = _only(node, missing, "timeoutMs").get("timeoutMs")
    count = 3000 if timeout is None else timeout.whole
    if count is None or count < 0:
        raise Left("timeoutMs is no whole number", timeout)
    file.notes.differs_once(
        "several", node.span, "waitFor wants one such widget; expect is content with several"
    )
    seconds, rest = divmod(count, 1000)
    return [{"expect": {"visible": target}, "timeout": f"{count}ms" if rest else f"{seconds}s"}]


def _capture(file: _File, node: Node, step: Node, missing: list[Left]) -> Iterable[dict[str, Any]]:
    if node.entries is None:
        raise Left("a map is expected", node)
    entries = _only(node, missing, "screenshot", "snapshot", "widgetTree", "logs")
    file.pictures += 1
    label = (step.entries or {}).get("label")
    name = (label.text if label is not None else None) or f"capture-{file.pictures}"
    name = "".join(
        each if each.isascii() and (each.isalnum() or each in "-_") else "-" for each in name
    )
    made: list[dict[str, Any]] = []
    if _asked(entries, "screenshot", default=True):
        made.append({"screenshot": {"path": f"{name}.png"}})
    if _asked(entries, "widgetTree", default=True) or _asked(entries, "snapshot", default=False):
        file.notes.differs_once(
            "widget-tree", node.span, "the tree of widgets becomes a snap: what the screen shows"
        )
        made.append({"snap": {"path": f"{name}.txt"}})
    if _asked(entries, "logs", default=True):
        file.notes.differs_once(
            "logs",
            node.span,
            "logs of a capture are left out",
            "of a step that fails, what the app has written is kept without asking",
        )
    return made


def _asked(entries: Mapping[str, Node], name: str, *, default: bool) -> bool:
    node = entries.get(name)
    if node is None:
        return default
    if node.flag is None:
        raise Left(f"{name}: true or false is expected", node)
    return node.flag


def _include(file: _File, node: Node, step: Node, _: list[Left]) -> Iterable[dict[str, Any]]:
    if not node.text:
        raise Left("a file is expected", node)
    if len(step.entries or ()) > 1:
        raise Left("an include stands alone", node)
    try:
        used = file.linker.use(node.text)
    except Left as left:
        raise Left(left.why, node, hint=left.hint) from None
    return [{"use": {"file": literal(used.file)}}]


ACTIONS: Mapping[str, Action] = {
    "tap": _tap,
    "type": _type,
    "scroll": _scroll,
    "waitFor": _wait,
    "capture": _capture,
    "include": _include,
}

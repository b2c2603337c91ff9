"""Commands of Maestro as our steps: the lists of them, and what all have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from tapir_replay.convert.maestro_targets import Selectors, Sought
from tapir_replay.convert.maestro_texts import Names
from tapir_replay.convert.model import Left, Notes, Param, comment_of, steps_of
from tapir_replay.convert.source import Node, Source
from tapir_replay.scenario import suggest
from tapir_replay.scenario.diagnostics import quoted
from tapir_replay.scenario.writing import Commented, Step


@dataclass(frozen=True, slots=True)
class Used:
    """A fragment as the file that uses it sees it.

    Attributes:
        file: Its name, seen from there; empty where nothing has to be done.
    """

    file: str
    params: Mapping[str, Param]


class Linker(Protocol):
    """Finds what other files become."""

    def use(self, file: str) -> Used:
        """The fragment that a file becomes.

        Raises:
            Left: There is no such file, or nothing of it could be carried over.
        """


@dataclass(slots=True)
class Args:
    """A command as it is written.

    Attributes:
        name: Of the command.
        node: The command.
        value: What is written behind its name; None where nothing is.
        known: The names of its arguments.
        short: The argument that a bare value stands for.
        missing: What could not be carried over of it.
    """

    name: str
    node: Node
    value: Node | None
    known: tuple[str, ...] = ()
    short: str = ""
    missing: list[Left] = field(default_factory=list)

    def get(self, name: str) -> Node | None:
        """An argument; None where it is not given."""
        if self.value is None or self.value.is_nothing:
            return None
        entries = self.value.entries
        if entries is None:
            return self.value if name == self.short else None
        found = entries.get(name)
        return None if found is None or found.is_nothing else found

    def need(self, name: str) -> Node:
        """The same where it has to be given.

        Raises:
            Left: It is not.
        """
        found = self.get(name)
        if found is None:
            raise Left(f"it has no {name}")
        return found

    def text(self, name: str) -> tuple[str, Node]:
        """An argument that is a text.

        Raises:
            Left: It is not given, or no text.
        """
        node = self.need(name)
        if node.text is None:
            raise Left(f"{name} is no text", node)
        return node.text, node

    def miss(self, why: str, node: Node | None = None, hint: str = "") -> None:
        """Something of it cannot be carried over; the rest can."""
        self.missing.append(Left(why, node, hint=hint))


MAX_BLOCKS = 10
"""How deep blocks may stand in blocks; ours may not be nested without end."""

Make = Callable[["Flow", Args], Iterable[Step]]


@dataclass(frozen=True, slots=True)
class Command:
    """How a command is carried over.

    Attributes:
        make: Its steps.
        args: The names of its arguments; None where it is a selector.
        short: The argument that a bare value stands for.
        keeps: A field that was tapped before is still the one that is typed into.
    """

    make: Make
    args: tuple[str, ...] | None = ()
    short: str = ""
    keeps: bool = False


@dataclass(frozen=True, slots=True)
class Never:
    """A command that has no counterpart, and why."""

    why: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Typed:
    """What was typed into a field so far, and the step that did it."""

    target: Any
    text: str
    step: Step


class Flow:
    """Turns the commands of one file into steps.

    Attributes:
        field: What was tapped last, if one may type there.
        typed: What it holds.
        app: The app that the flow is for.
        out: The steps of the list that is being made.
    """

    def __init__(
        self,
        source: Source,
        notes: Notes,
        names: Names,
        linker: Linker,
        table: Mapping[str, Command | Never],
    ) -> None:
        self.source = source
        self.notes = notes
        self.names = names
        self.linker = linker
        self.selectors = Selectors(notes, names)
        self.field: Any = None
        self.out: list[Step] = []
        self.typed: Typed | None = None
        self._table = table
        self.app = ""
        self._depth = 0

    def steps(self, nodes: Iterable[Node]) -> list[Step]:
        """The steps of a list of commands, with comments where something is missing."""
        kept = self.out, self.field, self.typed
        self.out, self.field, self.typed = [], None, None
        for node in nodes:
            self._command(node)
        made, (self.out, self.field, self.typed) = self.out, kept
        return made

    def block(self, node: Node) -> list[Step]:
        """The steps of a list that may not be empty.

        Raises:
            Left: There is none that could be carried over.
        """
        if node.items is None:
            raise Left("a list of commands is expected", node)
        if self._depth >= MAX_BLOCKS:
            raise Left(f"blocks in blocks, more than {MAX_BLOCKS} deep", node)
        self._depth += 1
        made = self.steps(node.items)
        self._depth -= 1
        if not list(steps_of(made)):
            raise Left("nothing in it could be carried over")
        return made

    def _command(self, node: Node) -> None:
        args = self._read(node)
        if isinstance(args, Left):
            self._leave(node, "", args)
            return
        try:
            self._add(args, self._make(args))
        except Left as left:
            self._leave(args.node, args.name, left)
            self.field = None

    def _make(self, args: Args) -> list[Step]:
        command = self._table.get(args.name)
        if command is None:
            raise self._unknown(args.name)
        if isinstance(command, Never):
            raise Left(command.why, hint=command.hint)
        args.known = command.args or ()
        args.short = command.short
        self._check(args, command)
        made = list(command.make(self, args))
        if not command.keeps:
            self.field = None
        return made

    def _add(self, args: Args, made: list[Step]) -> None:
        wrapped = self._with_modifiers(args, made)
        comments = [line for left in args.missing for line in self._told(args, left)]
        if not made and comments:
            self.out.append(Commented(None, before=comments))
            return
        if comments:
            wrapped[0] = Commented(wrapped[0], before=comments)  # type: ignore[arg-type]
        self.out += wrapped

    def _with_modifiers(self, args: Args, made: list[Step]) -> list[Step]:
        beside: dict[str, Any] = {}
        label = args.get("label")
        if label is not None and label.text is None:
            args.miss("label is no text", label)
        elif label is not None and label.text and made:
            try:
                beside["name"] = self.names.filled(label.text, label)
            except Left as left:
                args.miss(left.why, left.node, left.hint)
        optional = args.get("optional")
        if optional is not None and optional.flag is None:
            args.miss("optional: true or false is expected", optional)
        elif optional is not None and optional.flag:
            beside["optional"] = True
        if not beside or not made:
            return made
        if len(made) > 1:
            return [{"group": {"steps": made}, **beside}]
        only = made[0]
        assert isinstance(only, Mapping | str)
        step = {only: None} if isinstance(only, str) else dict(only)
        return [{**step, **beside}]

    def _told(self, args: Args, left: Left) -> list[str]:
        place = (left.node or args.node).span
        self.notes.leave(place, f"{args.name}: {left.why}", left.hint)
        return [f"not converted: {args.name}: {left.why} (line {place.line})"]

    def _leave(self, node: Node, name: str, left: Left) -> None:
        why = f"{name}: {left.why}" if name else left.why
        self.notes.leave((left.node or node).span, why, left.hint)
        self.out.append(Commented(None, before=comment_of(node, self.source, why)))

    def _read(self, node: Node) -> Args | Left:
        if node.text is not None:
            name = "hideKeyboard" if node.text == "hide keyboard" else node.text
            return Args(name, node, None)
        entries = node.entries
        if entries is None or not entries:
            return Left("a command is expected here")
        if len(entries) > 1:
            return Left(
                "one command is expected here", hint="indent what belongs to a command, or add a -"
            )
        ((name, value),) = entries.items()
        if name == "action" and value.text:
            return Args(value.text, value, None)
        return Args(name, value, value)

    def _check(self, args: Args, command: Command) -> None:
        """Tell the arguments that the command does not have."""
        if command.args is None or args.value is None or args.value.entries is None:
            return
        for name, each in args.value.entries.items():
            if name not in command.args and name not in ("label", "optional"):
                guess = suggest.nearest(name, command.args)
                hint = f'did you mean "{guess}"?' if guess else ""
                args.miss(f"it has no {name} that we know of", each, hint)

    def _unknown(self, name: str) -> Left:
        guess = suggest.nearest(name, self._table)
        hint = f'did you mean "{guess}"?' if guess else "write the step by hand"
        return Left(f"there is no command {quoted(name)} that we know of", hint=hint)

    # What several commands share

    def widget(self, args: Args, node: Node) -> Any:
        """The target that a command acts on; what is missing of it is told beside it.

        Raises:
            Left: There is none.
        """
        sought = self.selectors.read(node)
        args.missing += sought.missing
        for state in sought.states:
            if state != "enabled":  # a step waits for that by itself
                args.miss(f"that it is {state} is not looked at", node, "check it with expect")
        return sought.target

    def conditions(self, sought: Sought) -> dict[str, Any]:
        """That a widget shows, as it has to be."""
        return {"visible": sought.target, **dict.fromkeys(sought.states, sought.target)}

    def gone(self, node: Node) -> dict[str, Any]:
        """That a widget does not show.

        Raises:
            Left: It is said with the state of it.
        """
        sought = self.selectors.exact(node)
        if sought.states:
            raise Left(f"whether something {sought.states[0]} is gone", node)
        return {"gone": sought.target}

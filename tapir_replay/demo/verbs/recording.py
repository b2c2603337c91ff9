"""The verbs about what a person does: recording it, and doing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tapir_replay.demo import keyboard
from tapir_replay.demo.faults import Fault, missing
from tapir_replay.demo.geometry import Point

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapir_replay.demo.person import Person
    from tapir_replay.demo.tree import Node
    from tapir_replay.demo.verbs.common import Context, Reply
    from tapir_replay.demo.verbs.params import Params

_NOT_TOLD = frozenset({"isolateId", "requestId", "ref", "startRef", "endRef"})


async def record_start(ctx: Context, params: Params) -> Reply:
    return ctx.recorder.start(tools=params.is_on("tools"))


async def record_stop(ctx: Context, params: Params) -> Reply:
    return ctx.recorder.stop(params.get("run") or None)


async def record_pick(ctx: Context, params: Params) -> Reply:
    if not ctx.recorder.pick():
        raise Fault(f"{params.method}: no recording is on")
    return {}


def watch(ctx: Context, params: Params, values: Mapping[str, str]) -> Callable[[], None]:
    """Look before a verb acts. What is returned tells of it, and is called if it did not refuse."""
    recorder = ctx.recorder
    recorder.close()
    if not recorder.hears_tools:
        return lambda: None
    node = _led_to(ctx, params, "ref") or _led_to(ctx, params, "startRef")
    end = _led_to(ctx, params, "endRef")
    fields: dict[str, Any] = {"to": recorder.describe(end)} if params.get("endRef") else {}
    fields["params"] = {name: values[name] for name in values if name not in _NOT_TOLD}
    moment = recorder.look(node)
    verb = params.method.rpartition(".")[2]

    def acted() -> None:
        recorder.tell(verb, moment, by="tool", **fields)

    return acted


def _led_to(ctx: Context, params: Params, name: str) -> Node | None:
    try:
        return ctx.refs.resolve(params.get(name), params.method, name).node
    except Fault:
        return None


async def person(ctx: Context, params: Params) -> Reply:
    does = _DOES.get(params.required("do"))
    if does is None:
        text = f"{params.method}: a person does one of {', '.join(_DOES)}"
        raise Fault(text, "missing_param")
    does(ctx.person, params)
    return {}


def _point(params: Params) -> Point:
    return Point(_number(params, "x"), _number(params, "y"))


def _number(params: Params, name: str) -> float:
    number = params.number(name)
    if number is None:
        raise missing(params.method, name)
    return number


def _key(hands: Person, params: Params) -> None:
    key = keyboard.parse_key(params.required("key"))
    hands.key(key, keyboard.parse_modifiers(params.text("modifiers")))


_DOES: dict[str, Callable[[Person, Params], None]] = {
    "down": lambda hands, params: hands.down(_point(params), secondary=params.is_on("secondary")),
    "move": lambda hands, params: hands.move(_point(params)),
    "up": lambda hands, params: hands.up(_point(params)),
    "hover": lambda hands, params: hands.hover(_point(params)),
    "wheel": lambda hands, params: hands.wheel(_point(params), _number(params, "dy")),
    "type": lambda hands, params: hands.type(params.given("text")),
    "key": _key,
    "paste": lambda hands, params: hands.paste(params.given("text")),
    "back": lambda hands, _params: hands.back(),
}

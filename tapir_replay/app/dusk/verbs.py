"""The verbs of an app that speaks Dusk, one method each, to be called as Tapir's are.

What Dusk lacks is made up for where that is honest: what a field holds is read back from the
snapshot, a snapshot is narrowed down here. Where it is not, the verb is refused by name.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

from tapir_replay.app import snapshot_text
from tapir_replay.app.commands import Command, Host
from tapir_replay.app.dusk import pictures, shapes
from tapir_replay.app.dusk.exceptions import Exceptions
from tapir_replay.app.dusk.handles import Handles
from tapir_replay.app.dusk.semantics import Control
from tapir_replay.app.envelope import INVALID_PARAMS
from tapir_replay.app.errors import AppGone, CallTimeout, VerbRefused, VerbUnavailable
from tapir_replay.app.snapshot_text import Node

Answer = dict[str, Any]
Params = Mapping[str, str]

_HINT = "Replace the package fluttersdk_dusk in the app by tapir, which has it."

_SETTLING = 0.1
"""Seconds between two looks at what moves by itself."""

_SETTLES = 5
"""Looks until what was tapped has changed."""

_LONGEST = 0.8
"""Seconds between two looks at a list that springs back, at most."""

_LOOKS = 8

_CLICKS_APART = 0.32
"""Seconds in which a click still counts as a further one of those before."""

_TRANSITION = 0.3
"""Seconds after which a page that was left does not show any more."""

_PLACES = {"x", "y", "dx", "dy"}

_PERF = ("perf_begin", "perf_end", "perf_insight", "perf_trace", "semantics_hold")


class Dusk:
    """What is known of one app between calls. `commands` goes before the plain verbs."""

    def __init__(self) -> None:
        self._handles = Handles()
        self._baseline: str | None = None
        self._clicked = float("-inf")
        self.commands: dict[str, Command] = {
            "boot_id": self.boot_id,
            "clear": self.clear,
            "close_app": self.close_app,
            "console": self.console,
            "dblclick": self.dblclick,
            "drag": self.drag,
            "exceptions": Exceptions().exceptions,
            "fill": self.fill,
            "find": self._handles.find,
            "focus": self.focus,
            "get_routes": self.get_routes,
            "hover": self.hover,
            "navigate": self.navigate,
            "navigate_back": self.navigate_back,
            "observe": self._handles.observe,
            "press_key": self.press_key,
            "right_click": self.right_click,
            "screenshot": self.screenshot,
            "scroll": self.scroll,
            "select_option": self.select_option,
            "set_checkbox": self.set_checkbox,
            "snap": self.snap,
            "tap": self.tap,
            "triple_click": self.triple_click,
            "type": self.type,
            "wait_for_network_idle": self.wait_for_network_idle,
            **{verb: _missing(verb) for verb in _PERF},
        }

    # Pointers

    async def tap(self, host: Host, params: Params, timeout: float) -> Answer:
        sent = {**_without(params, "retarget"), "verify": "true"}
        answer = await self._act(host, "tap", sent, timeout)
        self._clicked = time.monotonic()
        if answer.get("changed") is False and not await self._can_tell(host, params, timeout):
            del answer["changed"]
        return shapes.tap(answer)

    async def _can_tell(self, host: Host, params: Params, timeout: float) -> bool:
        """Whether Dusk would see what a tap changed: it looks at no switch, nor behind a key.

        Raises:
            VerbUnavailable: It tapped where nothing hears it.
        """
        ref = params.get("ref", "")
        node = await self._handles.node(host, ref, timeout)
        control = await self._handles.control(host, node, timeout)
        if control is not None and not control.hears:
            raise _missed("tap")
        return control is None and not ref.startswith("q")

    async def dblclick(self, host: Host, params: Params, timeout: float) -> Answer:
        await self._rest(host)
        answer = await self._act(host, "dblclick", params, timeout)
        self._clicked = time.monotonic()
        return answer

    async def triple_click(self, host: Host, params: Params, timeout: float) -> Answer:
        await self._rest(host)
        answer = await self._act(host, "triple_click", params, timeout)
        self._clicked = time.monotonic()
        return shapes.pointer(answer)

    async def _rest(self, host: Host) -> None:
        """Until a click is the first one again."""
        left = self._clicked + _CLICKS_APART - time.monotonic()
        if left > 0 and not _recent(host):
            await asyncio.sleep(left)

    async def right_click(self, host: Host, params: Params, timeout: float) -> Answer:
        return shapes.pointer(await self._act(host, "right_click", params, timeout))

    async def hover(self, host: Host, params: Params, timeout: float) -> Answer:
        return await self._act(host, "hover", params, timeout)

    async def drag(self, host: Host, params: Params, timeout: float) -> Answer:
        """Only who listens to the pointer itself hears a drag of Dusk's."""
        if _recent(host):
            return await self._act(host, "drag", params, timeout)
        before = await self._shown(host, timeout)
        answer = await self._act(host, "drag", params, timeout)
        if not await self._has_changed(host, before, timeout):
            raise VerbUnavailable(
                "drag",
                "nothing on the screen changed: Dusk's drags tell no distances,"
                " so that nothing which is dragged or slid hears them",
                hint=_HINT,
            )
        return answer

    async def _shown(self, host: Host, timeout: float) -> list[tuple[str, str, str | None]]:
        screen = await self._handles.screen(host, timeout)
        return [(each.role, each.label, each.value) for each in screen]

    async def _has_changed(
        self, host: Host, before: list[tuple[str, str, str | None]], timeout: float
    ) -> bool:
        """Whether something else shows; it may take a moment."""
        for _ in range(_SETTLES):
            if await self._shown(host, timeout) != before:
                return True
            await asyncio.sleep(_SETTLING)
        return False

    # Scrolling

    async def scroll(self, host: Host, params: Params, timeout: float) -> Answer:
        if shapes.diagonal(params):
            raise VerbUnavailable(
                "scroll",
                "Dusk scrolls in one direction at a time: dx and dy are added up",
                hint="Scroll twice, once with dx and once with dy.",
            )
        ref = params.get("ref", "")
        await self._handles.check_scroll(host, ref, timeout)
        before = await self._offset(host, ref, timeout)
        answer = await self._act(host, "scroll", shapes.scroll_params(params), timeout)
        if "effect" in answer:
            return answer
        after = await self._settled_offset(host, ref, answer, timeout)
        return shapes.scroll(answer, before, after)

    async def _offset(self, host: Host, ref: str, timeout: float) -> float | None:
        """Where the list is: a scroll by nothing tells."""
        still = {"dx": "0", "dy": "0", "includeSnapshot": "false", **({"ref": ref} if ref else {})}
        try:
            answer = await host.extension("scroll", still, timeout=timeout)
        except VerbRefused:
            return None
        offset = answer.get("finalOffset")
        return float(offset) if isinstance(offset, int | float) else None

    async def _settled_offset(
        self, host: Host, ref: str, answer: Answer, timeout: float
    ) -> float | None:
        """Where the list comes to rest: Dusk scrolls beyond its end, and it springs back.

        A look stops it, so that it starts anew: each time it gets longer to move.
        """
        last, pause = answer.get("finalOffset"), _SETTLING
        for _ in range(_LOOKS):
            await asyncio.sleep(pause)
            now = await self._offset(host, ref, timeout)
            if now is None or (isinstance(last, int | float) and abs(now - last) < 0.01):
                return now
            last, pause = now, min(2 * pause, _LONGEST)
        return last if isinstance(last, int | float) else None

    # Text and choices

    async def type(self, host: Host, params: Params, timeout: float) -> Answer:
        return await self._write(host, "type", params, params.get("text", ""), timeout)

    async def fill(self, host: Host, params: Params, timeout: float) -> Answer:
        return await self._write(host, "fill", params, params.get("text", ""), timeout)

    async def clear(self, host: Host, params: Params, timeout: float) -> Answer:
        """By typing nothing: Dusk's own `clear` does not tell the app that the text changed."""
        if _recent(host):
            return await self._write(host, "clear", params, "", timeout)
        sent = {"includeSnapshot": "false", **params, "text": ""}
        answer = await self._write(host, "type", sent, "", timeout)
        return {"ref": params.get("ref"), **answer}

    async def _write(
        self, host: Host, verb: str, params: Params, wanted: str, timeout: float
    ) -> Answer:
        ref = params.get("ref", "")
        answer = await self._act(host, verb, params, timeout)
        if "effect" not in answer:
            node = await self._handles.node(host, ref, timeout, role="textbox")
            if node is not None and node.role == "textbox":
                answer["effect"] = shapes.text_effect(wanted, node.value or "", node.label)
        return answer

    async def focus(self, host: Host, params: Params, timeout: float) -> Answer:
        return await self._act(host, "focus", params, timeout)

    async def select_option(self, host: Host, params: Params, timeout: float) -> Answer:
        ref = params.get("ref", "")
        before = await self._handles.node(host, ref, timeout)
        answer = await self._act(host, "select_option", params, timeout)
        if "effect" not in answer and before is not None:
            screen = await self._handles.screen(host, timeout)
            after = next((each for each in screen if each.ref == before.ref), None)
            if after is not None:
                answer["effect"] = shapes.selected_effect(
                    params.get("value", ""), before.shown, after.shown
                )
        return answer

    async def set_checkbox(self, host: Host, params: Params, timeout: float) -> Answer:
        """As Flutter tells what is on, where it does: Dusk takes what it does not know for off.

        It taps where the widget was when it was last looked at, so it is looked at first.
        """
        verb = "set_checkbox"
        self._handles.check(verb, params)
        ref = params.get("ref", "")
        node = None if _recent(host) else await self._handles.node(host, ref, timeout)
        control = await self._handles.control(host, node, timeout)
        if control is None:
            return await self._act(host, verb, params, timeout)
        before, wanted = control.on, params.get("value") not in {"false", "0"}
        if before is not wanted:
            answer = await self._act(host, verb, params, timeout)
            if not answer.get("toggled"):
                tap = {**_without(params, "value"), "includeSnapshot": "false"}
                await self._act(host, "tap", tap, timeout)
            control = await self._settled_control(host, node, wanted, timeout)
        toggled = before is not wanted
        set_to = {"ref": ref, "previousValue": before, "value": wanted, "toggled": toggled}
        if control is None:
            return set_to
        if control.on is before and toggled and not control.hears:
            raise _missed(verb)
        return {**set_to, "effect": shapes.checked_effect(wanted, before, control.on)}

    async def _settled_control(
        self, host: Host, node: Node | None, wanted: bool, timeout: float
    ) -> Control | None:
        """What came of a tap, which may take a moment."""
        for _ in range(_SETTLES):
            control = await self._handles.control(host, node, timeout)
            if control is None or control.on is wanted:
                break
            await asyncio.sleep(_SETTLING)
        return control

    async def press_key(self, host: Host, params: Params, timeout: float) -> Answer:
        verb = "press_key"
        if _recent(host):
            return await self._act(host, verb, params, timeout)
        if params.get("modifiers"):
            raise VerbUnavailable(
                verb, "Dusk presses keys without modifiers, and says nothing of it", hint=_HINT
            )
        before = await self._shown(host, timeout)
        answer = await self._act(host, verb, params, timeout)
        if not await self._has_changed(host, before, timeout):
            raise VerbUnavailable(
                verb,
                "nothing on the screen changed: Dusk's keys go past what has the focus,"
                " so that no field, button or dialog hears them",
                hint=_HINT,
            )
        return answer

    # Routes

    async def navigate(self, host: Host, params: Params, timeout: float) -> Answer:
        answer = await self._act(host, "navigate", params, timeout)
        if "exactPath" in answer:
            return answer
        location = (await self.get_routes(host, {}, timeout))["location"]
        return shapes.navigate(answer, params.get("route", ""), str(location))

    async def navigate_back(self, host: Host, params: Params, timeout: float) -> Answer:
        before = await self._where(host, timeout)
        answer = await self._act(host, "navigate_back", params, timeout)
        if "popped" in answer:
            return answer
        popped = await self._where(host, timeout) != before
        if not popped:
            await asyncio.sleep(_TRANSITION)
            popped = await self._where(host, timeout) != before
        return shapes.navigate_back(answer, popped)

    async def _where(self, host: Host, timeout: float) -> tuple[str, list[tuple[str, str]]]:
        """The page, by its name and by what it shows: not every page has a name."""
        routes = await self.get_routes(host, {}, timeout)
        return str(routes["location"]), [
            each.name for each in await self._handles.screen(host, timeout)
        ]

    async def get_routes(self, host: Host, params: Params, timeout: float) -> Answer:
        return shapes.get_routes(await host.extension("get_routes", params, timeout=timeout))

    async def close_app(self, host: Host, params: Params, timeout: float) -> Answer:
        """Dusk answers when the platform has acted, which may be never."""
        try:
            return shapes.close_app(await host.extension("close_app", params, timeout=timeout))
        except (AppGone, CallTimeout):
            return {"closed": True}

    async def boot_id(self, host: Host, params: Params, timeout: float) -> Answer:
        """Older versions tell none; the isolate is another one after each start."""
        if host.has("ext.dusk.boot_id"):
            return await host.extension("boot_id", params, timeout=timeout)
        body = await host.ask("getIsolate", timeout=timeout)
        return {"bootId": f"{body.get('id')} {body.get('startTime', '')}".strip()}

    # What the app says

    async def snap(self, host: Host, params: Params, timeout: float) -> Answer:
        narrowed = {"grep", "within", "interactiveOnly"} & params.keys()
        answer = await host.extension("snap", _without(params, *narrowed), timeout=timeout)
        whole = shapes.tidied(str(answer.get("snapshot", "")))
        if not narrowed:
            if "depth" not in params:
                self._baseline = whole
            return {**answer, "snapshot": whole}
        nodes = snapshot_text.nodes_of(whole)
        if params.get("within"):
            inside = snapshot_text.below(nodes, params["within"])
            if inside is None:
                raise VerbRefused("snap", f"ref={params['within']} is not there", kind="not_found")
            nodes = inside
        if params.get("interactiveOnly", "false") not in {"false", "0", ""}:
            nodes = snapshot_text.interactive(nodes)
        if params.get("grep"):
            nodes, literal = snapshot_text.matching(nodes, params["grep"])
            if literal:
                answer["grepLiteral"] = True
        return {**answer, "snapshot": snapshot_text.text_of(nodes)}

    async def console(self, host: Host, params: Params, timeout: float) -> Answer:
        sent = shapes.console_params(params)
        return shapes.console(await host.extension("console", sent, timeout=timeout))

    async def wait_for_network_idle(self, host: Host, params: Params, timeout: float) -> Answer:
        verb = "wait_for_network_idle"
        answer = await host.extension(verb, params, timeout=timeout)
        if answer.get("matched") is False:
            limit = params.get("timeoutMs", "5000")
            raise VerbRefused(verb, f"the network was not idle within {limit}ms", kind="timeout")
        return answer

    async def screenshot(self, host: Host, params: Params, timeout: float) -> Answer:
        verb, ref = "screenshot", params.get("ref", "")
        if params.get("rect") and not ref:
            raise VerbRefused(verb, "rect needs a ref", code=INVALID_PARAMS, kind="missing_param")
        if params.get("geometry") == "true":
            return await self._geometry(host, ref, params.get("rect"), timeout)
        sent = dict(params)
        if ref.startswith("q"):
            node = await self._handles.node(host, ref, timeout)
            if node is None:
                raise VerbUnavailable(
                    verb, "Dusk takes no picture of a widget that is known by its key", hint=_HINT
                )
            sent["ref"] = node.ref
        answer = await host.extension(verb, sent, timeout=timeout)
        if _recent(host):
            return answer
        # Dusk has two pixels for each of whatever it draws on, the view or a layer of it.
        area = await self._area(host, sent.get("ref", ""), params.get("rect"), timeout)
        return pictures.scaled(answer, area, round(shapes.number(params.get("quality"), 70)))

    async def _area(
        self, host: Host, ref: str, part: str | None, timeout: float
    ) -> tuple[int, int] | None:
        """How many of the device's pixels a picture is of; None where that is not told."""
        try:
            told = await self._geometry(host, ref, part, timeout)
        except VerbUnavailable:
            return None
        ratio = told.get("devicePixelRatio")
        if ratio is None:
            return None
        return round(told["rect"]["width"] * ratio), round(told["rect"]["height"] * ratio)

    async def _geometry(self, host: Host, ref: str, part: str | None, timeout: float) -> Answer:
        view = await self._handles.view(host, timeout)
        ratio = view[2] if view is not None else None
        if not ref:
            if view is None:
                raise VerbUnavailable("screenshot", "Dusk does not tell how large the view is")
            return _rect(0, 0, view[0], view[1], ratio)
        place = await self._handles.place(host, ref, timeout)
        if place is None:
            raise VerbUnavailable("screenshot", "Dusk does not tell where this widget is")
        x, y, w, h = (float(place[side]) for side in "xywh")
        if part:
            left, top, w, h = map(float, part.split(","))
            x, y = x + left, y + top
        return _rect(x, y, w, h, ratio)

    # What all actions have in common

    async def _act(self, host: Host, verb: str, params: Params, timeout: float) -> Answer:
        """Send an action; Dusk has one kind of snapshot, the whole."""
        self._handles.check(verb, params)
        if verb != "scroll" and _PLACES & params.keys() and not _recent(host):
            raise VerbUnavailable(
                verb, f"Dusk's `{verb}` takes widgets, and no places or distances", hint=_HINT
            )
        if params.get("reportPoint") == "true" and not _recent(host):
            raise VerbUnavailable(
                verb, f"Dusk's `{verb}` does not report its point (reportPoint)", hint=_HINT
            )
        wanted = params.get("snapshot")
        sent = _without(params, "snapshot")
        if wanted is not None:
            sent["includeSnapshot"] = "false" if wanted == "none" else "true"
        answer = await host.extension(verb, sent, timeout=timeout)
        if isinstance(answer.get("snapshot"), str):
            self._take_snapshot(answer, differences=wanted == "diff")
        return answer

    def _take_snapshot(self, answer: Answer, *, differences: bool) -> None:
        text = shapes.tidied(answer["snapshot"])
        before, self._baseline = self._baseline, text
        if differences and before is not None:
            answer["snapshot"] = snapshot_text.changes(before, text)
            answer["snapshotMode"] = "diff"
        else:
            answer["snapshot"] = text


def _missed(verb: str) -> VerbUnavailable:
    return VerbUnavailable(
        verb,
        "Dusk taps the middle of the row, and only the control inside of it hears taps",
        hint="give the control a key, and name it by that",
    )


def _recent(host: Host) -> bool:
    """Whether it is a version that came close to Tapir."""
    return host.has("ext.dusk.boot_id")


def _missing(verb: str) -> Command:
    async def command(host: Host, params: Params, timeout: float) -> Answer:
        if host.has(f"ext.dusk.{verb}"):
            return await host.extension(verb, params, timeout=timeout)
        raise VerbUnavailable(verb, f"Dusk has no verb `{verb}`", hint=_HINT)

    return command


def _without(params: Params, *names: str) -> dict[str, str]:
    return {name: value for name, value in params.items() if name not in names}


def _rect(x: float, y: float, w: float, h: float, ratio: float | None) -> Answer:
    told = {} if ratio is None else {"devicePixelRatio": ratio}
    return {"rect": {"x": x, "y": y, "width": w, "height": h}, **told}

"""Which widget a handle names. Dusk's own handles by label act on the middle of the screen.

So what is found by its label or text gets the ref that the snapshot has for that very widget; only
what is found by its key keeps Dusk's handle, which leads to the widget itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tapir_replay.app.commands import Host
from tapir_replay.app.dusk import semantics, shapes
from tapir_replay.app.errors import VerbRefused, VerbUnavailable
from tapir_replay.app.snapshot_text import Node, nodes_of

Answer = dict[str, Any]

_EVERYTHING = "1000"

_VIEW = re.compile(r"view size: Size\(([\d.]+), ([\d.]+)\)")
_RATIO = re.compile(r"device pixel ratio: ([\d.]+)")

_STATEFUL = {"button", "checkbox"}
"""Roles of what can be on; Dusk calls a switch a button."""

_RENDER_TREE = "ext.flutter.debugDumpRenderTree"


class Handles:
    """Remembers what handles were given for."""

    def __init__(self) -> None:
        self._keys: dict[str, str] = {}
        self._blind: dict[str, str] = {}
        self._texts: set[str] = set()

    async def screen(self, host: Host, timeout: float) -> list[Node]:
        """What the app shows now, each widget once. Makes the app's own refs fresh, too."""
        answer = await host.extension("snap", {}, timeout=timeout)
        return shapes.without_doubles(nodes_of(str(answer.get("snapshot", ""))))

    async def find(self, host: Host, params: Mapping[str, str], timeout: float) -> Answer:
        """`find`, with a ref that leads to the widget, and the number of widgets."""
        if params.get("within"):
            raise VerbUnavailable("find", "Dusk's `find` does not know `within`")
        answer = await host.extension("find", params, timeout=timeout)
        if answer.get("matched") is not True:
            return {"ref": None, "matched": False}
        if params.get("key"):
            self._keys[str(answer.get("ref"))] = params["key"]
            return {"matchCount": 1, **answer}
        name = next(each for each in ("semanticsLabel", "text", "contains") if params.get(each))
        wanted = params[name]
        named = [each for each in await self.screen(host, timeout) if _is(each, name, wanted)]
        acting = [each for each in named if each.ref]
        if acting:
            return {"ref": acting[0].ref, "matched": True, "matchCount": len(named)}
        if name != "semanticsLabel":
            exact = "true" if name == "text" else "false"
            found = await host.extension(
                "find_by_text", {"text": wanted, "exact": exact}, timeout=timeout
            )
            refs = [str(each) for each in found.get("refs", ())]
            self._texts.update(refs)
            if refs:
                return {"ref": refs[0], "matched": True, "matchCount": len(refs)}
        self._blind[str(answer.get("ref"))] = wanted
        return {"matchCount": max(1, len(named)), **answer}

    async def observe(self, host: Host, params: Mapping[str, str], timeout: float) -> Answer:
        """`observe`, each candidate with a ref of its own."""
        answer = shapes.observe(await host.extension("observe", params, timeout=timeout))
        candidates = shapes.paired(answer["candidates"], await self.screen(host, timeout))
        controls = await self.controls(host, timeout)
        for each in candidates:
            control = controls.get(semantics.plain(str(each.get("label"))))
            if control is not None and each.get("role") in _STATEFUL:
                each.setdefault("checked", control.on)
        return {**answer, "candidates": candidates, "count": len(candidates)}

    async def controls(self, host: Host, timeout: float) -> dict[str, semantics.Control]:
        """What is on and what is off, by label, as far as Flutter tells."""
        if not host.has(semantics.DUMP):
            return {}
        tree = await host.extension(semantics.DUMP, {}, timeout=timeout)
        return semantics.controls(str(tree.get("data", "")))

    async def control(
        self, host: Host, node: Node | None, timeout: float
    ) -> semantics.Control | None:
        """The control that a line of the snapshot is of."""
        if node is None or node.role not in _STATEFUL or not node.label:
            return None
        return (await self.controls(host, timeout)).get(semantics.plain(node.label))

    def check(self, verb: str, params: Mapping[str, str]) -> None:
        """Refuse a handle that would act on something else.

        Raises:
            VerbUnavailable: Dusk cannot act on it.
        """
        for name in ("ref", "startRef", "endRef"):
            wanted = self._blind.get(params.get(name, ""))
            if wanted is not None:
                raise VerbUnavailable(
                    verb,
                    f'Dusk cannot act on "{wanted}", which it knows by its label alone:'
                    " it would act on the middle of the screen",
                    hint="give the widget a key, and name it by that",
                )

    async def check_scroll(self, host: Host, ref: str, timeout: float) -> None:
        """Refuse a ref that is gone: Dusk would scroll the first list there is."""
        if not ref or ref in self._keys or ref in self._texts:
            return
        if all(each.ref != ref for each in await self.screen(host, timeout)):
            raise VerbRefused("scroll", f"ref={ref} is no longer on the screen", kind="stale")

    async def node(
        self, host: Host, ref: str, timeout: float, role: str | None = None
    ) -> Node | None:
        """The line of the snapshot that a ref is of; None when that cannot be told.

        Args:
            host: The app.
            ref: Of a widget.
            timeout: Seconds for each question.
            role: What is looked for in a widget that is known by its key.
        """
        screen = await self.screen(host, timeout)
        found = next((each for each in screen if each.ref == ref), None)
        if found is not None or ref not in self._keys:
            return found
        # A text in the keyed widget is the label of one of these; one that has several is around.
        for each in screen:
            if not each.label or role not in {None, each.role}:
                continue
            if await self._holds(host, ref, each, timeout):
                same = [other for other in screen if other.name == each.name]
                if found is not None or len(same) > 1:
                    return None
                found = each
        return found if found is not None and found.ref else None

    async def _holds(self, host: Host, ref: str, node: Node, timeout: float) -> bool:
        """Whether the keyed widget of a ref is, or is around, what has this label."""
        for name in dict.fromkeys(filter(None, [node.label, *node.label.split("\n")])):
            params = {"key": self._keys[ref], "text": name}
            answer = await host.extension("find", params, timeout=timeout)
            if answer.get("matched") is True:
                return True
        return False

    async def place(self, host: Host, ref: str, timeout: float) -> Answer | None:
        """Where the widget of a ref is."""
        node = await self.node(host, ref, timeout)
        if node is None:
            return None
        params = {"limit": _EVERYTHING, "includeEnrichers": "false"}
        for each in (await self.observe(host, params, timeout))["candidates"]:
            if each["ref"] == node.ref:
                bounds: Answer = each["bounds"]
                return bounds
        return None

    async def view(self, host: Host, timeout: float) -> tuple[float, float, float] | None:
        """Width and height of the app's view in logical pixels, and pixels a logical one."""
        if not host.has(_RENDER_TREE):
            return None
        tree = str((await host.extension(_RENDER_TREE, {}, timeout=timeout)).get("data", ""))
        size, ratio = _VIEW.search(tree), _RATIO.search(tree)
        if size is None or ratio is None or not float(ratio[1]):
            return None
        dpr = float(ratio[1])
        return float(size[1]) / dpr, float(size[2]) / dpr, dpr


def _is(node: Node, name: str, wanted: str) -> bool:
    shown = (node.label,) if node.ref or name == "semanticsLabel" else (node.label, node.value)
    if name == "contains":
        return any(wanted in each for each in shown if each)
    return wanted in shown

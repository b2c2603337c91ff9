"""An app that speaks Dusk as version 0.0.8 did, over a page that is a few lines of Python.

What is told here is what that version tells: no effects, no true counts, a `scrolled` that is
always true. A handle by label acts on whatever is in the middle of the screen.

async with DuskPeer() as peer:
    app = await VmApp.connect(peer.uri)
"""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.support.fake_service import DEFAULTS, FakeService, Fault

VERBS = (
    "blur",
    "clear",
    "close_app",
    "console",
    "dblclick",
    "drag",
    "exceptions",
    "fill",
    "find",
    "find_by_text",
    "focus",
    "get_routes",
    "hover",
    "navigate",
    "navigate_back",
    "observe",
    "press_key",
    "right_click",
    "screenshot",
    "scroll",
    "select_option",
    "set_checkbox",
    "snap",
    "tap",
    "triple_click",
    "type",
    "wait_for",
    "wait_for_network_idle",
    "dismiss_modals",
    "reset_overlays",
)

Params = Mapping[str, str]


@dataclass
class Widget:
    """A line of the snapshot; without a role it is a plain text."""

    number: int
    role: str
    label: str
    value: str = ""
    key: str = ""
    y: float = 0.0
    inside: bool = False
    on: bool = False
    known: bool = True
    """Whether Dusk reads its state; what it does not know it takes for off."""
    deaf: bool = False
    """A row in whose middle nothing hears a tap."""
    taps: int = 0
    options: tuple[str, ...] = ()
    around: tuple[str, ...] = ()
    """Labels of what is inside of it."""

    @property
    def ref(self) -> str:
        return f"e{self.number}"

    @property
    def line(self) -> str:
        indent = "  " if self.inside else ""
        if not self.role:
            return f'{indent}- text "{self.label}"\n'
        value = f': "{self.value}"' if self.value else ""
        below = f"{indent}  typeable: true\n" if self.role == "textbox" else ""
        return f'{indent}- {self.role} "{self.label}"{value} [ref={self.ref}]\n{below}'


def page() -> list[Widget]:
    return [
        Widget(1, "", "Settings of the shop"),
        Widget(2, "textbox", "Name", key="name", y=40),
        Widget(3, "textbox", "Code", y=80),
        Widget(4, "checkbox", "I agree", key="agree", y=120),
        Widget(5, "checkbox", "", y=125, inside=True),
        Widget(6, "button", "Alpha", key="mode", y=160, options=("alpha", "beta")),
        Widget(7, "button", "Delete", y=200),
        Widget(8, "button", "Delete", y=240),
        Widget(9, "button", "Save", key="save", y=280),
        Widget(10, "heading", "Shop", y=0),
    ]


@dataclass
class Page:
    widgets: list[Widget] = field(default_factory=page)
    route: str = "/"
    offset: float = 0.0
    extent: float = 500.0
    queries: dict[str, dict[str, str]] = field(default_factory=dict)
    exceptions: list[dict[str, Any]] = field(default_factory=list)
    middle: Widget | None = None
    """What a handle by label acts on."""
    keeps: int = 1000
    """How many characters a field keeps."""
    hears: bool = False
    """Whether the app listens to keys and pointers itself, past the focus and the gestures."""
    spring: float = 0.0
    """Seconds in which most of the way back from beyond the end is done; anew after each look."""
    looked: float = 0.0


class DuskPeer(FakeService):
    """The page, served. `page` is what it is now."""

    def __init__(self) -> None:
        self.page = Page()
        isolate = {
            **DEFAULTS["getIsolate"],  # type: ignore[dict-item]
            "extensionRPCs": [
                *(f"ext.dusk.{each}" for each in VERBS),
                "ext.flutter.debugDumpRenderTree",
                "ext.flutter.debugDumpSemanticsTreeInTraversalOrder",
            ],
        }
        handlers = {f"ext.dusk.{each}": getattr(self, f"_{each}", self._nothing) for each in VERBS}
        super().__init__(
            {
                "getIsolate": isolate,
                "ext.tapir.boot_id": None,
                "ext.flutter.debugDumpRenderTree": {
                    "data": "RenderView#1\n   view size: Size(800.0, 1200.0) (in physical pixels)\n"
                    "   device pixel ratio: 2.0 (physical pixels per logical pixel)\n"
                },
                "ext.flutter.debugDumpSemanticsTreeInTraversalOrder": self._semantics,
                **handlers,
            }
        )

    # What it shows

    def _nothing(self, params: Params) -> Any:
        return {}

    def _text(self) -> str:
        return "".join(each.line for each in self.page.widgets)

    def _semantics(self, params: Params) -> Any:
        lines = ["SemanticsNode#0"]
        for each in self.page.widgets:
            if each.role != "checkbox" or each.inside:
                continue
            state = ["hasCheckedState", *(["isChecked"] if each.on else []), "hasEnabledState"]
            lines += [
                f" ├─SemanticsNode#{each.number}",
                " │ │ merge boundary ⛔️",
                f" │ │ Rect.fromLTRB(16.0, {each.y}, 374.0, {each.y + 40})",
                *([] if each.deaf else [" │ │ actions: focus, tap"]),
                f' │ │ label: "{each.label}"',
                " │ │",
                f" │ └─SemanticsNode#{100 + each.number}",
                " │     merged up ⬆️",
                " │     Rect.fromLTRB(318.0, 0.0, 358.0, 40.0)",
                " │     actions: focus, tap",
                f" │     flags: {', '.join(state)},",
                " │       isEnabled, isFocusable",
                " │",
            ]
        return {"data": "\n".join(lines)}

    def _snap(self, params: Params) -> Any:
        return {"snapshot": self._text(), "groupId": "snapshot-1"}

    def _observe(self, params: Params) -> Any:
        found = []
        for each in self.page.widgets:
            if each.role:
                entry = {
                    "ref": self._query({"semanticsLabel": each.label}),
                    "role": each.role,
                    "label": each.label,
                    "value": each.value or None,
                    "bounds": {"x": 16.0, "y": each.y, "w": 358.0, "h": 40.0},
                    "isEnabled": True,
                    "isVisible": True,
                }
                found.append(entry)
        found = found[: int(params.get("limit", "50"))]
        return {"candidates": found, "count": len(found)}

    def _query(self, predicates: dict[str, str]) -> str:
        ref = f"q{len(self.page.queries) + 1}"
        self.page.queries[ref] = predicates
        return ref

    def _find(self, params: Params) -> Any:
        names = ("key", "semanticsLabel", "text", "contains")
        query = {name: params[name] for name in names if params.get(name)}
        found = [each for each in self.page.widgets if self._fits(each, query)]
        if not found:
            return {"ref": None, "matched": False}
        return {"ref": self._query(query), "matched": True, "matchCount": len(found)}

    def _fits(self, widget: Widget, query: Params) -> bool:
        if "key" in query:
            inside = widget.around or (widget.label,)
            return widget.key == query["key"] and query.get("text", inside[0]) in inside
        if "contains" in query:
            return query["contains"] in widget.label
        return widget.label == query.get("semanticsLabel", query.get("text"))

    def _find_by_text(self, params: Params) -> Any:
        wanted, exact = params["text"], params.get("exact") != "false"
        found = [
            f"e{100 + each.number}"
            for each in self.page.widgets
            if each.label == wanted or (not exact and wanted in each.label)
        ]
        return {"refs": found}

    def _widget(self, params: Params, name: str = "ref") -> Widget | Fault:
        ref = params.get(name, "")
        by_ref = {each.ref: each for each in self.page.widgets}
        by_text = {f"e{100 + each.number}": each for each in self.page.widgets}
        query = self.page.queries.get(ref)
        if query and "key" in query:
            return next(each for each in self.page.widgets if self._fits(each, query))
        if query:
            self.page.middle = self.page.widgets[4]
            return self.page.middle
        found = by_ref.get(ref) or by_text.get(ref)
        return found or fault("not_found", f'ext.dusk.x: ref "{ref}" not found in registry')

    # What is done to it

    def _done(self, params: Params, answer: dict[str, Any]) -> dict[str, Any]:
        if params.get("includeSnapshot", "true") != "false":
            answer["snapshot"] = self._text()
        return answer

    def _tap(self, params: Params) -> Any:
        widget = self._widget(params)
        if isinstance(widget, Fault):
            return widget
        widget.taps += 1
        if widget.role == "checkbox":
            widget.on ^= not widget.deaf
        answer: dict[str, Any] = {"ref": params["ref"]}
        if params.get("verify") == "true":
            answer["changed"] = widget.label == "Save" and not params["ref"].startswith("q")
        if params.get("until"):
            answer["untilMatched"] = any(e.label == params["until"] for e in self.page.widgets)
        return self._done(params, answer)

    def _right_click(self, params: Params) -> Any:
        return self._done(params, {"ref": params["ref"], "button": "right"})

    def _triple_click(self, params: Params) -> Any:
        return self._done(params, {"ref": params["ref"], "clickCount": 3})

    def _type(self, params: Params) -> Any:
        widget = self._widget(params)
        if isinstance(widget, Fault):
            return widget
        if params.get("ref", "").startswith("q") and not widget.key:
            widget = self.page.widgets[1]
        shown = "•" * len(params["text"]) if widget.label == "Code" else params["text"]
        widget.value = shown[: self.page.keeps]
        return self._done(params, {"text": params["text"]})

    def _fill(self, params: Params) -> Any:
        answer = self._type(params)
        if isinstance(answer, Fault):
            return answer
        return {"ref": params["ref"], **answer, "filled": True}

    def _clear(self, params: Params) -> Any:
        return {"ref": params["ref"], **self._type({**params, "text": ""})}

    def _set_checkbox(self, params: Params) -> Any:
        widget = self._widget(params)
        if isinstance(widget, Fault):
            return widget
        before = widget.on and widget.known
        toggled = before is not (params["value"] == "true")
        widget.on ^= toggled and not widget.deaf
        return {
            "ref": params["ref"],
            "previousValue": before,
            "value": params["value"] == "true",
            "toggled": toggled,
        }

    def _select_option(self, params: Params) -> Any:
        widget = self._widget(params)
        if isinstance(widget, Fault):
            return widget
        if params["value"] in widget.options:
            widget.label = params["value"].capitalize()
        return {"selected": True, "value": params["value"]}

    def _scroll(self, params: Params) -> Any:
        now, page = time.monotonic(), self.page
        beyond = page.offset - min(max(page.offset, 0), page.extent)
        passed = (now - page.looked) / page.spring if page.spring else math.inf
        if beyond:
            left = beyond * math.exp(-3 * passed) * (1 + 3 * passed) if page.spring else 0.0
            page.offset += (left if abs(left) > 0.5 else 0.0) - beyond
        page.offset += float(params.get("dx", "0")) + float(params.get("dy", "0"))
        page.looked = now
        return self._done(params, {"scrolled": True, "finalOffset": page.offset})

    def _drag(self, params: Params) -> Any:
        if self.page.hears:
            self.page.widgets[0].label = "dragged"
        return self._done(params, {"startRef": params["startRef"], "endRef": params["endRef"]})

    def _press_key(self, params: Params) -> Any:
        if self.page.hears:
            self.page.widgets[0].label = params["key"]
        return self._done(params, {"ok": True, "key": params["key"]})

    def _navigate(self, params: Params) -> Any:
        if params["route"] in {"/", "/details"}:
            self.page.route = params["route"]
        answer = {"navigated": False, "route": params["route"], "reason": "router did not honor it"}
        return self._done(params, answer)

    def _navigate_back(self, params: Params) -> Any:
        self.page.route = "/"
        return self._done(params, {"navigatedBack": True})

    def _get_routes(self, params: Params) -> Any:
        return {"location": self.page.route, "title": ""}

    def _exceptions(self, params: Params) -> Any:
        found = self.page.exceptions[: int(params.get("limit", "20"))]
        return {"exceptions": found, "count": len(found)}

    def _console(self, params: Params) -> Any:
        return {"logs": [{"level": "INFO", "message": "hello"}], "count": 1}

    def _wait_for(self, params: Params) -> Any:
        wanted = params.get("text")
        if any(each.label == wanted for each in self.page.widgets):
            return {"matched": True, "elapsedMs": 0}
        return {"matched": False, "reason": "timeout"}

    def _screenshot(self, params: Params) -> Any:
        if params.get("ref", "e").startswith("q"):
            return fault("unexpected", "Bad state: not found in RefRegistry")
        data = (
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJ"
            "RU5ErkJggg=="
        )
        return {"format": params.get("format", "jpeg"), "base64": data, "width": 1, "height": 1}

    def _dismiss_modals(self, params: Params) -> Any:
        return {"popped": 0}

    def _reset_overlays(self, params: Params) -> Any:
        return {"popped": 0, "escaped": True, "dismissTapped": False}


def fault(kind: str, message: str) -> Fault:
    details = {"message": message, "envelope": {"type": kind, "suggestions": []}}
    return Fault(-32000, data={"details": json.dumps(details)})


async def main() -> None:
    async with DuskPeer() as peer:
        uri = peer.uri.replace("ws:", "http:").removesuffix("ws")
        print(f"The Dart VM service is listening on {uri}", flush=True)  # noqa: T201
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())

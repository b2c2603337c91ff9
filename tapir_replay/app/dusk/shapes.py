"""Dusk's answers and parameters in Tapir's shapes: one pure function each.

Dusk changed while it lived, and its pages did not always say what it sent. What is in Tapir's
shape already is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from tapir_replay.app.snapshot_text import Node, nodes_of, text_of

Answer = dict[str, Any]

_SIGNS = {"down": (0, 1), "up": (0, -1), "right": (1, 0), "left": (-1, 0)}

_KINDS = {"checkbox", "textbox", "switch", "radio"}
"""Controls that hold no other of their kind: where they seem to, it is the same one twice.

So it is with any control inside of one that has its very label.
"""


def tap(answer: Answer) -> Answer:
    """`changed`, of a tap that was to be verified, as an effect."""
    changed = answer.pop("changed", None)
    if "effect" not in answer and isinstance(changed, bool):
        answer["effect"] = {"kind": "treeChanged", "changed": changed}
    return answer


def pointer(answer: Answer) -> Answer:
    """Without what only Dusk tells: which button, how many clicks."""
    return {key: value for key, value in answer.items() if key not in {"button", "clickCount"}}


def scroll_params(params: Mapping[str, str]) -> dict[str, str]:
    """A direction and a distance as `dx` and `dy`."""
    sent = {key: value for key, value in params.items() if key not in {"direction", "pixels"}}
    if sent.get("intoView") == "true" or "dx" in sent or "dy" in sent:
        return sent
    x, y = _SIGNS.get(params.get("direction", "down"), (0, 1))
    pixels = number(params.get("pixels"), 300.0)
    return {**sent, "dx": f"{x * pixels:g}", "dy": f"{y * pixels:g}"}


def scroll(answer: Answer, before: float | None, after: float | None) -> Answer:
    """What really moved; Dusk says that it scrolled whether it did or not."""
    if "effect" in answer or before is None or after is None:
        return answer
    changed = abs(after - before) > 0.01
    effect = {"kind": "scrollOffset", "changed": changed, "before": before, "after": after}
    return {**answer, "scrolled": changed, "finalOffset": after, "effect": effect}


def text_effect(wanted: str, holds: str | None, label: str) -> Answer | None:
    """What a field holds, as an effect. A field that hides its text tells its length only."""
    if holds is None:
        return None
    hidden = len(holds) == len(wanted) > 0 and set(holds) <= {"•", "●", "*"} and holds != wanted
    return {
        "kind": "text",
        "verified": hidden or holds == wanted,
        "value": wanted if hidden else holds,
        "target": {"matchKind": "element", "label": label},
    }


def checked_effect(wanted: bool, before: bool | None, after: bool | None) -> Answer:
    """What a control is set to, before and after."""
    return {"kind": "checked", "verified": after is wanted, "before": before, "after": after}


def selected_effect(wanted: str, before: str, after: str) -> Answer:
    """What a dropdown shows. Its items' texts need not be their values, so a change will do."""
    shown = wanted.casefold() in after.casefold()
    return {"kind": "selected", "verified": shown or after != before, "value": after}


def navigate(answer: Answer, route: str, location: str) -> Answer:
    """Whether the route was reached; without a Router, Dusk always denies it."""
    if "exactPath" in answer:
        return answer
    exact = bool(location) and _path(location) == _path(route)
    navigated = answer.get("navigated") is True or exact
    shaped = {**answer, "navigated": navigated, "exactPath": exact}
    if navigated:
        shaped.pop("reason", None)
        if not location:
            shaped["exactPath"] = True
    return shaped


def navigate_back(answer: Answer, popped: bool) -> Answer:
    """Whether a page was left; Dusk says so of every call."""
    if "popped" in answer:
        return answer
    return {**answer, "navigatedBack": popped, "popped": popped}


def get_routes(answer: Answer) -> Answer:
    """One location, and the field for the router's address, which Dusk does not tell."""
    routes = answer.pop("routes", None)
    if "location" not in answer and isinstance(routes, list) and routes:
        last = routes[-1]
        name = last.get("name", "") if isinstance(last, Mapping) else last
        answer["location"] = str(name or "")
    return {"location": "", "title": "", "uri": None, **answer}


def console_params(params: Mapping[str, str]) -> dict[str, str]:
    """`ERROR` is no level that Dusk knows: it would not filter at all."""
    if params.get("minLevel", "").upper() == "ERROR":
        return {**params, "minLevel": "SEVERE"}
    return dict(params)


def console(answer: Answer) -> Answer:
    logs = answer.pop("entries", None)
    listed = answer.get("logs", logs if isinstance(logs, list) else [])
    return {**answer, "logs": listed, "count": answer.get("count", len(listed))}


def close_app(answer: Answer) -> Answer:
    return {"closed": True, **answer}


def observe(answer: Answer) -> Answer:
    """One shape of candidates: place, value, whether it is in view, enrichers at the top."""
    candidates = [_candidate(each) for each in answer.get("candidates", ())]
    shaped = {
        key: value
        for key, value in answer.items()
        if key not in {"candidates", "totalMatches", "intent"}
    }
    return {**shaped, "candidates": candidates, "count": len(candidates)}


def _candidate(found: Mapping[str, Any]) -> Answer:
    entry = {
        key: value for key, value in found.items() if key not in {"rect", "actions", "enrichers"}
    }
    rect = found.get("rect")
    if "bounds" not in entry and isinstance(rect, Sequence) and len(rect) == 4:
        entry["bounds"] = dict(zip("xywh", rect, strict=True))
    enrichers = found.get("enrichers")
    if isinstance(enrichers, Mapping):
        entry = {**enrichers, **entry}
    entry["value"] = entry.get("value") or None
    entry.setdefault("inViewport", entry.get("isVisible", True))
    return entry


def without_doubles(nodes: Iterable[Node]) -> list[Node]:
    """A snapshot's nodes without those that a merged control has inside of itself again."""
    kept: list[Node] = []
    around: list[Node] = []
    for node in nodes:
        while around and around[-1].depth >= node.depth:
            around.pop()
        if around and node.ref and _is_double(node, around[-1]):
            continue
        kept.append(node)
        around.append(node)
    return kept


def _is_double(node: Node, around: Node) -> bool:
    if node.role != around.role:
        return False
    return node.label == around.label if node.label else node.role in _KINDS


def tidied(snapshot: str) -> str:
    """A snapshot without doubles; as it is where there are none."""
    nodes = nodes_of(snapshot)
    kept = without_doubles(nodes)
    return snapshot if len(kept) == len(nodes) else text_of(kept)


def paired(candidates: Sequence[Answer], nodes: Sequence[Node]) -> list[Answer]:
    """The candidates with the refs of the same widgets in a snapshot, which name one widget.

    Dusk's own handle of a candidate stands for the first widget of that label. A candidate that
    the snapshot does not have is one that it leaves out as a double.
    """
    waiting: dict[tuple[str, str], list[Node]] = {}
    for node in nodes:
        if node.ref:
            waiting.setdefault(node.name, []).append(node)
    found: list[Answer] = []
    for each in candidates:
        same = waiting.get((str(each.get("role")), str(each.get("label"))))
        if same:
            found.append({**each, "ref": same.pop(0).ref})
    return found


def diagonal(params: Mapping[str, str]) -> bool:
    """Whether both directions are asked for at once."""
    return number(params.get("dx")) != 0 and number(params.get("dy")) != 0


def number(text: str | None, default: float = 0.0) -> float:
    try:
        return float(text) if text else default
    except ValueError:
        return default


def _path(route: str) -> str:
    return urlsplit(route).path or "/"

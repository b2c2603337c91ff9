"""Whatever a caller sends, a verb answers or refuses; it does not stumble."""

from __future__ import annotations

import asyncio
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from tapir_replay.demo.app import App
from tapir_replay.demo.faults import Fault
from tapir_replay.demo.screens import SCREENS
from tapir_replay.demo.verbs import EXTENDED, HANDLERS, Context, call

SLOW = {
    "ext.tapir.wait_for", "ext.tapir.wait_for_network_idle", "ext.tapir.screenshot",
    "ext.tapir_replay.long_press",
    "ext.tapir_replay.press_back",
}  # fmt: skip

NAMES = (
    "ref", "startRef", "endRef", "text", "key", "contains", "semanticsLabel", "within", "value",
    "x", "y", "toX", "toY", "dx", "dy", "pixels", "direction", "intoView", "depth", "grep", "limit",
    "roles", "role", "label", "matches", "route", "snapshot", "includeSnapshot", "modifiers",
    "since", "clear", "minLevel", "mode", "phases", "id", "token", "action", "expression", "exact",
    "retarget", "checkStable", "checkReceivesEvents", "reportPoint", "interactiveOnly",
)  # fmt: skip

VALUES = st.one_of(
    st.sampled_from(
        ["e1", "e2", "e3", "e5", "e9", "q1", "q2", "true", "false", "", "0", "-1", "300"]
    ),
    st.sampled_from(
        ["Sign in", "Email", "email", "Buy", "Delete", "Enter", "Tab", "S", "nan", "inf"]
    ),
    st.sampled_from(
        [*SCREENS, "/account", "/home", "diff", "full", "none", "button", "(", "1e400"]
    ),
    st.text(max_size=12),
)

CALL = st.tuples(
    st.sampled_from(sorted((HANDLERS | EXTENDED).keys() - SLOW)),
    st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=6),
)


@settings(deadline=None, max_examples=150)
@given(st.sampled_from([*SCREENS]), st.lists(CALL, max_size=12))
def test_any_sequence_of_calls(route: str, calls: list[tuple[str, dict[str, str]]]) -> None:
    async def use() -> None:
        app = App()
        app.signed_in = "ada@example.com"
        app.router.go(route)
        context = Context(app)
        for method, params in [("ext.tapir.snap", {}), ("ext.tapir.observe", {}), *calls]:
            outcome: object
            try:
                outcome = await call(context, method, (HANDLERS | EXTENDED)[method], params)
            except Fault as fault:
                outcome = json.loads(fault.details())["message"]
            json.dumps(outcome, allow_nan=False)

    asyncio.run(use())

"""Every verb, by kind. Adding one is adding an entry to the module of its kind.

Wire shapes are those of the Tapir MCP tool reference and of the `ext.tapir.*` handlers behind it.
"""

from __future__ import annotations

from tapir_replay.verbs.catalogue import (
    controls,
    device,
    perf,
    pointer,
    routes,
    runner,
    screen,
    text,
    tools,
    wire,
)
from tapir_replay.verbs.model import Verb

VERBS: tuple[Verb, ...] = tuple(
    verb
    for kind in (
        pointer,
        text,
        controls,
        routes,
        screen,
        device,
        perf,
        wire,
        tools,
        runner,
    )
    for verb in kind.VERBS
)

BY_NAME: dict[str, Verb] = {verb.name: verb for verb in VERBS}

STEP_VERBS: dict[str, Verb] = {verb.name: verb for verb in VERBS if verb.step}

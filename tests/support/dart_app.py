"""The demo's screens on a real Dart VM, served by the core of the plugin."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from tests.support.dart_vm import ROOT, DartVm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

PROGRAM = ROOT / "fixtures" / "dart_app" / "bin" / "main.dart"
PACKAGES = ROOT / "fixtures" / "dart_app" / "package_config.json"


@contextlib.asynccontextmanager
async def start_dart_app(*, plain: bool = False, from_source: bool = False) -> AsyncIterator[str]:
    """Start the app and answer with the WebSocket address of its VM Service.

    With `plain` it has the Tapir verbs alone, as an app with the public plugin does. Compiled it
    starts at once, but a `reloadSources` after an `evaluate` ends the VM; from its sources it takes
    seconds to start, and can be reloaded.
    """
    arguments = ("--plain",) if plain else ()
    async with DartVm(PROGRAM, *arguments, packages=PACKAGES, from_source=from_source) as vm:
        await vm.wait_for_line("tapir demo ready")
        yield vm.ws_uri

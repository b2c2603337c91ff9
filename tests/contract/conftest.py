"""Every backend must pass every test: the demo, the demo without its extra verbs, the Dart app."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest

from tapir_replay.demo import DemoServer
from tests.contract.driver import Driver, Loop
from tests.support.dart_app import start_dart_app
from tests.support.rpc import connect

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

BACKENDS = ("demo", "demo-plain", "dart")
RICH_BACKENDS = ("demo", "dart")


@contextlib.asynccontextmanager
async def start_backend(backend: str) -> AsyncIterator[str]:
    """A fresh app; its `ws://` address."""
    if backend == "dart":
        # From its sources: a test reloads them, which a compiled program cannot.
        async with start_dart_app(from_source=True) as uri:
            yield uri
        return
    async with DemoServer(plain=backend == "demo-plain") as server:
        yield server.uri


@pytest.fixture(scope="session")
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


@pytest.fixture(scope="session", params=BACKENDS)
def session(request: pytest.FixtureRequest, loop: Loop) -> Iterator[Driver]:
    """One running app a backend, for all of its tests."""
    stack = contextlib.AsyncExitStack()

    async def start() -> Driver:
        uri = await stack.enter_async_context(start_backend(request.param))
        return Driver(loop, await stack.enter_async_context(connect(uri)), request.param, uri)

    yield loop.run(start())
    loop.run(stack.aclose())


@pytest.fixture
def app(session: Driver) -> Driver:
    """The app as if just started: signed out, no popups, no focus, no errors."""
    session.call("reset_overlays")
    session.go("/login")
    session.call("blur")
    session.call("exceptions", clear=True)
    return session

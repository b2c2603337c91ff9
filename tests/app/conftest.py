"""Runs the coroutine tests of this folder in one event loop, so that they can share a Dart VM."""

from __future__ import annotations

import asyncio
import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.dart_vm import DartVm

if TYPE_CHECKING:
    from collections.abc import Iterator

PROBE = Path(__file__).parents[2] / "fixtures" / "vm_probe" / "probe.dart"

STUCK = 25.0
"""Seconds after which a test is taken to hang."""

RUNNER: pytest.StashKey[asyncio.Runner] = pytest.StashKey()


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    arguments = {name: pyfuncitem.funcargs[name] for name in names}
    runner_of(pyfuncitem.config).run(_in_time(pyfuncitem.obj(**arguments)))
    return True


def pytest_unconfigure(config: pytest.Config) -> None:
    if RUNNER in config.stash:
        config.stash[RUNNER].close()


@pytest.fixture(scope="session")
def probe(pytestconfig: pytest.Config) -> Iterator[DartVm]:
    """The probe program on a VM that lives through the session: for tests that leave it alive."""
    runner = runner_of(pytestconfig)
    vm = DartVm(PROBE)
    runner.run(vm.__aenter__())
    yield vm
    runner.run(vm.stop())


async def _in_time(test: Any) -> None:
    async with asyncio.timeout(STUCK):
        await test


def runner_of(config: pytest.Config) -> asyncio.Runner:
    """The loop of this session's tests: for fixtures that start something in it."""
    if RUNNER not in config.stash:
        config.stash[RUNNER] = asyncio.Runner()
    return config.stash[RUNNER]

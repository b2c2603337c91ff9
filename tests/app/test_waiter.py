"""Waiting for one answer."""

from __future__ import annotations

import asyncio
import contextvars

import pytest

from tapir_replay.app.waiter import Waiter


def waiter() -> Waiter:
    return Waiter(asyncio.get_running_loop())


async def test_a_result_is_taken_at_once() -> None:
    """Not in the loop's next round: what the task does next is done when `set_result` returns."""
    waits, did = waiter(), []

    async def take() -> None:
        did.append(await waits)

    def answer() -> None:
        waits.set_result(5)
        did.append("answered")

    task = asyncio.create_task(take())
    asyncio.get_running_loop().call_soon(answer)
    await task
    assert did == [5, "answered"]


async def test_a_result_of_another_task_is_taken_soon() -> None:
    """One task cannot run inside of another."""
    waits = waiter()
    task = asyncio.create_task(_wait(waits))
    await asyncio.sleep(0)
    waits.set_result(5)
    assert not task.done()
    assert await task == 5


async def test_a_result_that_is_there_already() -> None:
    waits = waiter()
    waits.set_result(5)
    assert await waits == 5


async def test_an_error_is_raised_where_it_is_waited_for() -> None:
    """In the loop's next round: who fails many of them is through with it first."""
    waits = waiter()
    task = asyncio.create_task(_wait(waits))
    await asyncio.sleep(0)
    waits.set_exception(ValueError("no"))
    assert not task.done()
    with pytest.raises(ValueError, match="no"):
        await task


async def _wait(waits: Waiter) -> object:
    return await waits


async def test_a_task_that_waits_can_be_cancelled() -> None:
    """By itself, and by a timeout; what comes too late is the caller's to drop."""
    waits = waiter()
    task = asyncio.create_task(_wait(waits))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert waits.done()
    assert not waits.cancel()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(_wait(waiter()), 0.001)


async def test_the_task_goes_on_as_itself() -> None:
    """In its own context, and as the current task."""
    variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="outer")
    waits, found = waiter(), []

    async def take() -> None:
        variable.set("inner")
        await waits
        found.append((variable.get(), asyncio.current_task()))

    task = asyncio.create_task(take())
    await asyncio.sleep(0)
    asyncio.get_running_loop().call_soon(waits.set_result, None)
    await task
    assert found == [("inner", task)]
    assert variable.get() == "outer"

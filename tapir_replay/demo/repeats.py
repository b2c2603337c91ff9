"""Requests that come again: an action is done once, however often it is asked for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

KEPT = 100
"""How many answers are kept."""


class Repeats:
    """The latest answers by the verb and the id of the request, refusals among them."""

    def __init__(self) -> None:
        self._answers: dict[tuple[str, str], asyncio.Task[str]] = {}

    async def once(
        self, method: str, request_id: str, act: Callable[[], Coroutine[Any, Any, str]]
    ) -> str:
        """The answer of `act`, or of the first time if this request has been here before."""
        request = (method, request_id)
        answer = self._answers.get(request)
        if answer is None:
            if len(self._answers) >= KEPT:
                del self._answers[next(iter(self._answers))]
            answer = self._answers[request] = asyncio.create_task(act())
        return await answer

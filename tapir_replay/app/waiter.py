"""Waiting for one answer, and going on the moment it is there."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Generator
from typing import Any

_Callback = Callable[["Waiter"], object]


class Waiter:
    """What `await` waits for until `set_result` or `set_exception`.

    A future wakes its task in the next round of the loop, which costs a look at all sockets. Here a
    result wakes it at once, from within the callback that read the answer: between an answer and
    the next request nothing else is done. For all else it is a future as asyncio's documentation
    of future-like objects has it; one task at a time may wait.
    """

    _asyncio_future_blocking = False

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._done = False
        self._result: Any = None
        self._error: BaseException | None = None
        self._callback: tuple[_Callback, contextvars.Context | None] | None = None

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._loop

    def done(self) -> bool:
        return self._done

    def result(self) -> Any:
        if self._error is not None:
            raise self._error
        return self._result

    def set_result(self, result: Any) -> None:
        """The answer. Told by a callback of the loop, it is taken by the time this returns."""
        self._done, self._result = True, result
        if self._callback is None:
            return
        if asyncio.current_task(self._loop) is not None:  # one task cannot run inside of another
            self._wake_soon()
            return
        (callback, context), self._callback = self._callback, None
        if context is None:
            callback(self)
        else:
            context.run(callback, self)

    def set_exception(self, error: BaseException) -> None:
        """Why there is no answer; whoever waits hears of it in the loop's next round."""
        self._done, self._error = True, error
        self._wake_soon()

    def _wake_soon(self) -> None:
        if self._callback is not None:
            (callback, context), self._callback = self._callback, None
            self._loop.call_soon(callback, self, context=context)

    def cancel(self, msg: Any = None) -> bool:
        """Called when the task that waits is cancelled."""
        if self._done:
            return False
        self.set_exception(asyncio.CancelledError() if msg is None else asyncio.CancelledError(msg))
        return True

    def add_done_callback(
        self, callback: _Callback, *, context: contextvars.Context | None = None
    ) -> None:
        """Called by the task that waits."""
        self._callback = callback, context

    def remove_done_callback(self, callback: _Callback) -> int:
        """Called by a task that waits no more."""
        waited = self._callback is not None and self._callback[0] == callback
        if waited:
            self._callback = None
        return int(waited)

    def __await__(self) -> Generator[Waiter, None, Any]:
        if not self._done:
            self._asyncio_future_blocking = True
            yield self
        return self.result()

"""A synchronous hand on an app: tests read as a list of what is done and what is seen."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING, Any, TypeVar

from tapir_replay.verbs.catalogue import BY_NAME
from tests.support.rpc import Rpc, WireError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

T = TypeVar("T")

PATIENCE = 20.0
"""Seconds after which a call that does not answer is a failure of the test."""

EMAIL, PASSWORD = "ada@example.com", "correct-horse"


class Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


class Driver:
    """The verbs, and the few combinations of them nearly every test needs."""

    def __init__(self, loop: Loop, rpc: Rpc, backend: str, uri: str) -> None:
        self._loop = loop
        self.rpc = rpc
        self.backend = backend
        self.uri = uri

    @property
    def is_plain(self) -> bool:
        return self.backend == "demo-plain"

    @property
    def is_dart(self) -> bool:
        return self.backend == "dart"

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._loop.run(work)

    def call(self, verb: str, /, **params: Any) -> dict[str, Any]:
        answer = self.run(self.rpc.call(verb, **params))
        if verb in BY_NAME and "geometry" not in params:  # which is no parameter of steps
            unknown = answer.keys() - {each.name for each in BY_NAME[verb].results}
            assert not unknown, f"the catalogue does not have {sorted(unknown)} of {verb}"
        return answer

    def request(self, method: str, /, **params: Any) -> Any:
        return self.run(self.rpc.request(method, **params))

    def refuses(self, verb: str, /, **params: Any) -> WireError:
        """The refusal of a call that must not succeed."""
        try:
            result = self.call(verb, **params)
        except WireError as error:
            return error
        raise AssertionError(f"{verb} succeeded: {result}")

    def together(self, *calls: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
        """Several calls sent at once; the answers in the order of the calls."""

        async def all_of_them() -> list[dict[str, Any]]:
            return await asyncio.gather(*(self.rpc.call(verb, **p) for verb, p in calls))

        return self.run(all_of_them())

    # --- getting about -------------------------------------------------------------------------

    def go(self, route: str) -> None:
        reply = self.call("navigate", route=route, includeSnapshot=False)
        assert reply["navigated"], reply

    def sign_in(self) -> None:
        self.go("/login")
        self.fill("Email", EMAIL)
        self.fill("Password", PASSWORD)
        assert self.tap("Sign in", until="Welcome back")["untilMatched"]

    def find(self, text: str | None = None, /, **predicates: str) -> str:
        """A `q` handle of what must be there."""
        if text is not None:
            predicates["text"] = text
        reply = self.call("find", **predicates)
        assert reply["matched"], predicates
        ref = reply["ref"]
        assert isinstance(ref, str)
        return ref

    def is_there(self, **predicates: str) -> bool:
        return bool(self.call("find", **predicates)["matched"])

    def tap(self, text: str | None = None, /, **params: Any) -> dict[str, Any]:
        return self._act("tap", text, params)

    def _act(self, verb: str, text: str | None, params: dict[str, Any]) -> dict[str, Any]:
        key = params.pop("key", None)
        if "ref" not in params:
            params["ref"] = self.find(key=key) if key is not None else self.find(text)
        return self.call(verb, **{"includeSnapshot": False, **params})

    def fill(self, label: str, text: str, /, **params: Any) -> dict[str, Any]:
        return self._act("fill", label, {"text": text, **params})

    # --- seeing --------------------------------------------------------------------------------

    def sees(self, text: str, timeout_ms: int = 3000) -> bool:
        """Whether some `Text` shows exactly this, soon."""
        return bool(self.call("wait_for", text=text, timeoutMs=timeout_ms)["matched"])

    def eventually(self, holds: Callable[[], object], seconds: float = 5) -> None:
        """For what has no `Text` to wait for: asked again until it holds, with an end."""
        deadline = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < deadline, "it did not come true in time"
            time.sleep(0.01)

    def lines(self, **params: Any) -> list[str]:
        """The snapshot, line by line, without the handles."""
        text = self.call("snap", **params)["snapshot"]
        return [line.split(" [ref=")[0] + _marks(line) for line in text.splitlines()]

    def ref(self, line: str) -> str:
        """The `e` handle of the node whose snapshot line starts like this."""
        for found in self.call("snap")["snapshot"].splitlines():
            if found.lstrip().startswith(f"- {line}") and "[ref=" in found:
                return str(found.split("[ref=")[1].split("]")[0])
        raise AssertionError(f"no line {line}")

    def candidates(self, **params: Any) -> list[dict[str, Any]]:
        candidates = self.call("observe", **params)["candidates"]
        assert isinstance(candidates, list)
        return candidates

    def candidate(self, label: str) -> dict[str, Any]:
        found = [c for c in self.candidates() if c["label"] == label]
        assert len(found) == 1, found
        return found[0]

    def state(self, label: str) -> object:
        """The checked or toggled state of a control, by trying to set it to what it is."""
        before = self.call("set_checkbox", ref=self.find(label), value=True)["previousValue"]
        if before is not True:
            self.call("set_checkbox", ref=self.find(label), value=bool(before))
        return before


def _marks(line: str) -> str:
    return line.partition("[ref=")[2].partition("]")[2]

"""An app behind a Dart VM Service.

app = await VmApp.connect("http://127.0.0.1:44255/8fIA7bGAav0=/")
found = await app.call("find", {"text": "Sign in"})
await app.call("tap", {"ref": found["ref"]})
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from tapir_replay.app.cdp import Page
from tapir_replay.app.commands import BROWSER_COMMANDS, COMMANDS, Command
from tapir_replay.app.dialects import DIALECTS, DUSK, INFO, Dialect, is_read, spoken
from tapir_replay.app.dusk.verbs import Dusk
from tapir_replay.app.envelope import error_of, is_transient
from tapir_replay.app.errors import (
    AppError,
    AppRestarted,
    CallTimeout,
    ConnectionLost,
    ProtocolError,
    VerbRefused,
    VerbsNotRegistered,
    VerbUnavailable,
)
from tapir_replay.app.interface import AppEvent
from tapir_replay.app.isolates import Isolate, Isolates
from tapir_replay.app.jsonrpc import Event, RpcError
from tapir_replay.app.log_feed import LogFeed
from tapir_replay.app.silence import restarted, why_silent
from tapir_replay.app.uri import normalise, place
from tapir_replay.app.vm_service import VmService
from tapir_replay.app.waits import WEB_COMMANDS, on_the_web


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds for what the caller does not time.

    Attributes:
        open: For the opening handshake.
        close: For the closing one.
        diagnosis: For the question why a call was not answered.
        quiet: Without a new extension, until an app that does not tell is taken as complete.
    """

    open: float = 5.0
    close: float = 1.0
    diagnosis: float = 2.0
    quiet: float = 0.1


class VmApp:
    """Implements `tapir_replay.app.interface.App`. Made by `connect`."""

    def __init__(
        self,
        service: VmService,
        *,
        name: str,
        wanted: str | None = None,
        cdp_port: int | None = None,
        allow_evaluate: bool = False,
        dialects: Sequence[Dialect] = DIALECTS,
        timeouts: Timeouts | None = None,
    ) -> None:
        self.allow_evaluate = allow_evaluate
        self.draws_screenshots = True
        self._name = name
        self._wanted = wanted
        self._cdp_port = cdp_port
        self._dialects = tuple(dialects)
        self._timeouts = timeouts or Timeouts()
        self._commands: dict[str, Command] = {**COMMANDS, **(BROWSER_COMMANDS if cdp_port else {})}
        self._spoken: Mapping[str, Command] = {}
        self._limited: Mapping[str, Command] = {}
        self._capabilities: frozenset[str] = frozenset()
        self._listeners: list[Callable[[AppEvent], None]] = []
        self._page: Page | None = None
        self._busy_attaching = asyncio.Lock()
        self._busy_browsing = asyncio.Lock()
        self._closed = False
        self._restarted = False
        self._dialect = self._dialects[0]
        self._isolate = Isolate("")
        self._follow(service)

    @classmethod
    async def connect(
        cls,
        uri: str,
        *,
        name: str | None = None,
        isolate: str | None = None,
        timeout: float = 30.0,
        cdp_port: int | None = None,
        allow_evaluate: bool = False,
        dialects: Sequence[Dialect] = DIALECTS,
        timeouts: Timeouts | None = None,
    ) -> Self:
        """Connect to a VM Service and wait until an isolate has registered the verbs.

        Args:
            uri: The service's address, in any form that a tool prints.
            name: How reports call the app; its host and port when not given.
            isolate: Id or name of the isolate, where several have the verbs.
            timeout: Seconds until the verbs have to be there.
            cdp_port: The debugging port of the browser that shows a web app.
            allow_evaluate: Whether `evaluate` may run code in the app.
            dialects: The extension families to look for, best first.
            timeouts: For what the caller does not time.

        Raises:
            ConnectError: There is no app to talk to, or it cannot be told which.
            AppPaused: A debugger holds the app before its verbs answer.
        """
        timeouts = timeouts or Timeouts()
        deadline = asyncio.get_running_loop().time() + timeout
        app = cls(
            await _connect(uri, timeouts),
            name=name or place(normalise(uri)),
            wanted=isolate,
            cdp_port=cdp_port,
            allow_evaluate=allow_evaluate,
            dialects=dialects,
            timeouts=timeouts,
        )
        try:
            try:
                await app._attach(deadline)
            except ConnectionLost:
                if app._service.moved_to is None:
                    raise
                await app._open_again()
                await app._attach(deadline)
        except BaseException:
            await app.close()
            raise
        return app

    @property
    def name(self) -> str:
        return self._name

    @property
    def uri(self) -> str:
        """The address in use, code included: not for reports."""
        return self._service.uri

    @property
    def capabilities(self) -> frozenset[str]:
        return self._capabilities

    @property
    def isolate(self) -> str:
        """The id of the isolate that serves the verbs, or served them last."""
        return self._isolate.id

    @property
    def dialect(self) -> Dialect:
        return self._dialect

    @property
    def service(self) -> VmService:
        """The connection below, for questions that no verb asks."""
        return self._service

    async def call(
        self, verb: str, params: Mapping[str, str] | None = None, *, timeout: float = 10.0
    ) -> dict[str, Any]:
        """Send one verb, or carry it out from here when it is no extension of the app.

        Besides the verbs' names, full names of extensions are understood (`ext.flutter.exit`).
        """
        command = self._commands.get(verb) or self._limited.get(verb)
        if command is not None:
            return await command(self, params or {}, timeout)
        return await self.plain(verb, params or {}, timeout=timeout)

    async def plain(
        self, verb: str, params: Mapping[str, str], *, timeout: float
    ) -> dict[str, Any]:
        """Have the app itself answer a verb, in Tapir's shape whatever it speaks."""
        command = self._spoken.get(verb)
        if command is not None:
            return await command(self, params, timeout)
        return await self.extension(verb, params, timeout=timeout)

    async def extension(
        self, verb: str, params: Mapping[str, str], *, timeout: float
    ) -> dict[str, Any]:
        """Send one verb to the app, past the commands."""
        if self._restarted and self._service.lost is None:
            raise restarted(self._isolate)
        for name, value in params.items():
            if not isinstance(value, str):
                raise TypeError(f"{verb}: parameter {name} is no text: {value!r}")
        isolate = self._isolate
        method = self._dialect.method(verb)
        try:
            result = await self._service.request(
                method, params, isolate=isolate.id, timeout=timeout
            )
        except RpcError as error:
            result = await self._after_error(verb, params, timeout, isolate, error)
        except CallTimeout:
            raise await self._explain(verb, timeout, isolate) from None
        if type(result) is not dict:
            raise ProtocolError(f"{verb}: the answer is no object: {str(result)[:120]}")
        if result.get("type") == "Sentinel":
            self._leave(isolate)
            raise restarted(isolate)
        return result

    async def ask(
        self, method: str, params: Mapping[str, str] | None = None, *, timeout: float
    ) -> dict[str, Any]:
        """Ask the service itself about the app's isolate.

        Raises:
            RpcError: An error answer, as it came.
        """
        if self._restarted and self._service.lost is None:
            raise restarted(self._isolate)
        isolate = self._isolate
        result = await self._service.request(method, params, isolate=isolate.id, timeout=timeout)
        if not isinstance(result, dict):
            raise ProtocolError(f"{method}: the answer is no object: {str(result)[:120]}")
        if result.get("type") == "Sentinel":
            if result.get("kind") == "Expired":
                raise ProtocolError(f"{method}: the object expired in the app meanwhile")
            self._leave(isolate)
            raise restarted(isolate)
        return result

    def has(self, extension: str) -> bool:
        """Whether the app's isolate has registered that extension (its full name)."""
        return extension in self._isolate.extensions

    def service_method(self, service: str) -> str | None:
        return self._service.services.get(service)

    async def page(self, verb: str, *, timeout: float) -> Page:
        """The session with the browser's page, opened at the first use and kept."""
        if self._cdp_port is None:
            raise VerbUnavailable(
                verb,
                f"`{verb}` needs the browser's debugging port, and none was given",
                hint="It works for web apps in Chrome started with --remote-debugging-port.",
            )
        async with self._busy_browsing:
            if self._page is None or self._page.lost:
                self._page = await Page.connect(self._cdp_port, timeout=min(10.0, timeout))
            return self._page

    def subscribe(self, listener: Callable[[AppEvent], None]) -> Callable[[], None]:
        self._listeners.append(listener)

        def unsubscribe() -> None:
            with contextlib.suppress(ValueError):
                self._listeners.remove(listener)

        return unsubscribe

    async def reattach(self, timeout: float = 30.0) -> None:
        """Find the app again after `AppRestarted`; after `ConnectionLost`, at the same address.

        What was under way is not repeated: only the caller knows whether to go on.

        Raises:
            ConnectError: It did not come back in time.
        """
        deadline = asyncio.get_running_loop().time() + timeout
        async with self._busy_attaching:
            if self._closed:
                raise ConnectionLost("The app was let go of")
            if self._restarted and self._wanted == self._isolate.id:
                self._wanted = self._isolate.name  # its id ended with it
            if self._service.lost is not None:
                await self._open_again()
            await self._attach(deadline)

    async def close(self) -> None:
        self._closed = True
        self._log_feed.close()
        if self._page is not None:
            await self._page.close()
        await self._service.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def _follow(self, service: VmService) -> None:
        """Take a connection; its events are heard before anything is asked of it."""
        self._service = service
        self._isolates = Isolates(service)
        self._log_feed = LogFeed(service, self._emit)
        service.subscribe(self._take)

    async def _open_again(self) -> None:
        """The same address again, or where the service said that it went."""
        old = self._service
        self._log_feed.close()
        await old.close()
        self._follow(await _connect(old.moved_to or old.uri, self._timeouts))

    async def _attach(self, deadline: float) -> None:
        """Find the isolate with the verbs, and wait until it has registered all of them."""
        loop = asyncio.get_running_loop()
        await self._service.listen_to_all()
        while True:
            isolate = await self._isolates.find(
                lambda extensions: spoken(extensions, self._dialects) is not None,
                deadline=deadline,
                wanted=self._wanted,
            )
            dialect = spoken(isolate.extensions, self._dialects)
            assert dialect is not None
            self._isolate, self._dialect, self._restarted = isolate, dialect, False
            self._spoken = Dusk().commands if dialect is DUSK else {}
            self._limited = WEB_COMMANDS if on_the_web(isolate.id) else {}
            try:
                await self._settle(isolate, dialect, deadline)
                self._capabilities = await self._ask_capabilities()
            except AppRestarted:
                if loop.time() >= deadline:
                    raise
                continue
            return

    async def _settle(self, isolate: Isolate, dialect: Dialect, deadline: float) -> None:
        loop = asyncio.get_running_loop()
        while dialect.ready not in isolate.extensions:
            if not await self._isolates.change(min(deadline, loop.time() + self._timeouts.quiet)):
                return
        while True:
            try:
                await self.extension(dialect.last, {}, timeout=max(0.05, deadline - loop.time()))
            except (VerbRefused, VerbUnavailable) as error:
                # A web app lists an extension a little before it can be called.
                if loop.time() >= deadline:
                    raise VerbsNotRegistered(f"The app's verbs do not work: {error}") from error
                await self._isolates.change(min(deadline, loop.time() + self._timeouts.quiet))
            else:
                return

    async def _ask_capabilities(self) -> frozenset[str]:
        if not self.has(INFO):
            return frozenset()
        try:
            info = await self.extension(INFO, {}, timeout=self._timeouts.open)
        except AppRestarted:
            raise
        except AppError:
            return frozenset()
        listed = info.get("capabilities")
        return frozenset(map(str, listed)) if isinstance(listed, list) else frozenset()

    async def _after_error(
        self,
        verb: str,
        params: Mapping[str, str],
        timeout: float,
        isolate: Isolate,
        error: RpcError,
    ) -> Any:
        """The exception that an error answer means, or the answer to a second try."""
        method = self._dialect.method(verb)
        if is_transient(error.failure) and is_read(verb, params):
            try:
                return await self._service.request(
                    method, params, isolate=isolate.id, timeout=timeout
                )
            except RpcError as again:
                error = again
            except CallTimeout:
                raise await self._explain(verb, timeout, isolate) from None
        raise error_of(verb, error.failure, registered=method in isolate.extensions) from None

    async def _explain(self, verb: str, timeout: float, isolate: Isolate) -> AppError:
        error = await why_silent(
            self._service,
            isolate,
            verb,
            timeout=timeout,
            ready=self._dialect.ready,
            patience=self._timeouts.diagnosis,
        )
        if isinstance(error, AppRestarted):
            self._leave(isolate)
        return error

    def _take(self, event: Event) -> None:
        # On the web a successor may come under the same id, without a word of the old one's end.
        if event.kind in {"IsolateExit", "IsolateStart"} and event.isolate == self._isolate.id:
            self._leave(self._isolate)
        self._log_feed.take(event)

    def _leave(self, isolate: Isolate) -> None:
        """The isolate is gone: what waits for it would wait for ever."""
        if isolate is self._isolate:
            self._restarted = True
        self._isolates.forget(isolate)
        self._service.fail_isolate(isolate.id, lambda: restarted(isolate))

    def _emit(self, event: AppEvent) -> None:
        loop = asyncio.get_running_loop()
        for listener in tuple(self._listeners):
            try:
                listener(event)
            except Exception as error:
                loop.call_exception_handler(
                    {"message": f"a listener of {self._name} failed", "exception": error}
                )


async def _connect(uri: str, timeouts: Timeouts) -> VmService:
    return await VmService.connect(uri, open_timeout=timeouts.open, close_timeout=timeouts.close)

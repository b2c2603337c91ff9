"""Before a scenario: the app brought to its beginning, and made sure of.

What goes wrong here is an error, never a failed test: nothing was tested yet.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from tapir_replay.app.errors import ResetFailed, VerbRefused, VerbUnavailable
from tapir_replay.app.interface import App
from tapir_replay.engine.answers import first_line, identity_of, recorded, route_of
from tapir_replay.engine.clock import Clock, Deadline, RealClock

How = Literal["none", "overlays", "route", "restart"]

_ARRIVAL = 5.0
"""Seconds in which the app has to be at the route: just after a start it goes there late."""

_CLOSINGS = 3
"""How often dialogs are closed that open again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetPlan:
    """What a reset does.

    Attributes:
        how: `none`; `overlays`: close what lies over the page; `route`: that, and go to a page;
            `restart`: begin anew.
        route: The page; also gone to after a restart, where it is given.
    """

    how: How = "none"
    route: str | None = None


async def reset(
    app: App,
    plan: ResetPlan,
    *,
    restart: Callable[[], Awaitable[None]] | None = None,
    clock: Clock | None = None,
) -> tuple[str, ...]:
    """Bring an app to its beginning, and verify that it is there.

    Args:
        app: The app.
        plan: How.
        restart: Restarts the app; comes back when it answers again.
        clock: Time.

    Returns:
        What is worth telling, though it stops nothing: errors of the app during the reset.

    Raises:
        ResetFailed: The app is not at its beginning.
        AppError: It cannot be asked.
    """
    if plan.how == "none":
        return ()
    try:
        return await _Resetting(app, plan, clock or RealClock()).run(restart)
    except (VerbRefused, VerbUnavailable) as error:
        raise ResetFailed(
            f"the app could not be reset ({plan.how}): {error.message}", hint=error.hint
        ) from error


class _Resetting:
    def __init__(self, app: App, plan: ResetPlan, clock: Clock) -> None:
        self._app = app
        self._plan = plan
        self._clock = clock

    async def run(self, restart: Callable[[], Awaitable[None]] | None) -> tuple[str, ...]:
        if self._plan.how == "restart":
            if restart is None:
                raise VerbUnavailable("restart", "nothing here can restart it")
            await restart()
        else:
            await self._take_errors()
            await self._app.call("reset_overlays")
            await self._close_all()
        if self._plan.route is not None:
            await self._go(self._plan.route)
        return await self._quiet()

    async def _close_all(self) -> None:
        """Close dialogs until there is none: a count of nothing is the proof."""
        popped = 0
        for _ in range(_CLOSINGS):
            popped = int((await self._app.call("dismiss_modals")).get("popped") or 0)
            if not popped:
                return
        raise ResetFailed(
            f"the app could not be reset: dialogs opened again {_CLOSINGS} times",
            hint="reset by a restart instead",
        )

    async def _go(self, route: str) -> None:
        answer: Mapping[str, Any] = {}
        if not await self._is_at(route) or self._plan.how == "route":
            answer = await self._app.call("navigate", {"route": route, "includeSnapshot": "false"})
        if answer.get("navigated") is True and not await self._route():
            return  # an app with Dusk and a Router tells this much
        deadline = Deadline(self._clock, _ARRIVAL)
        while not await self._is_at(route):
            if not await deadline.again():
                reason = answer.get("reason")
                raise ResetFailed(
                    f"the app could not be reset: it did not go to {route}, it is at"
                    f" {await self._route() or 'no route that it tells'}"
                    + (f"\nthe app says: {reason}" if reason else "")
                )

    async def _is_at(self, route: str) -> bool:
        wanted, here = urlsplit(route), urlsplit(await self._route())
        same_query = not wanted.query or wanted.query == here.query
        return (wanted.path or "/") == (here.path or "/") and same_query

    async def _route(self) -> str:
        return route_of(await self._app.call("get_routes"))

    async def _take_errors(self) -> list[Mapping[str, Any]]:
        """What the app has recorded, which is forgotten with it."""
        answer = await self._app.call("exceptions", {"limit": "1000", "clear": "true"})
        return recorded(answer, "exceptions")

    async def _quiet(self) -> tuple[str, ...]:
        """Errors of the way here, which are not the scenario's; none may be left."""
        told = await self._take_errors()
        known = [identity_of(each) for each in told]
        left = await self._app.call("exceptions", {"limit": "1000"})
        # What other packages collect is listed as well, and cannot be cleared.
        fresh = [each for each in recorded(left, "exceptions") if identity_of(each) not in known]
        if fresh:
            raise ResetFailed(
                f"the app could not be reset: it goes on failing: {first_line(fresh[0])}"
            )
        return tuple(f"the app failed during the reset: {first_line(each)}" for each in told)

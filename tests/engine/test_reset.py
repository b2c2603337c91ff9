"""Resets between scenarios: what is done, what is made sure of, and what is said when it fails."""

from __future__ import annotations

from typing import Any

import pytest

from tapir_replay.app.errors import AppRestarted, ResetFailed, VerbRefused, VerbUnavailable
from tapir_replay.engine.events import Outcome
from tapir_replay.engine.faults import of_exception
from tapir_replay.engine.reset import ResetPlan, reset
from tests.engine.scripted import FakeClock, ScriptedApp
from tests.engine.scripted import run as run_in_loop


class Resettable(ScriptedApp):
    """An app with a page, dialogs and errors."""

    def __init__(self, *, page: str = "/home", dialogs: int = 0, reopen: bool = False) -> None:
        super().__init__(FakeClock())
        self.page = page
        self.dialogs = dialogs
        self.reopen = reopen
        self.errors: list[dict[str, Any]] = []
        self.stubborn = False
        self.failing: set[str] = set()

    async def call(self, verb: str, params: Any = None, *, timeout: float = 10.0) -> dict[str, Any]:
        self.calls.append((verb, dict(params or {})))
        if verb in self.failing:
            raise VerbUnavailable(verb, f"The app has no verb `{verb}`", hint="an old plugin")
        match verb:
            case "reset_overlays" | "dismiss_modals":
                popped, self.dialogs = self.dialogs, 1 if self.reopen else 0
                return {"popped": popped}
            case "navigate":
                if not self.stubborn:
                    self.page = params["route"]
                return {"navigated": not self.stubborn, "reason": "a guard"}
            case "get_routes":
                return {"uri": self.page, "location": ""}
            case "exceptions":
                found = list(self.errors)
                if params.get("clear") == "true" and not self.stubborn:
                    self.errors.clear()
                return {"exceptions": found, "count": len(found)}
        raise AssertionError(verb)

    @property
    def verbs(self) -> list[str]:
        return [verb for verb, _ in self.calls]


def run(app: Resettable, **plan: Any) -> tuple[str, ...]:
    restarted = plan.pop("restart", None)
    return run_in_loop(reset(app, ResetPlan(**plan), restart=restarted, clock=app.clock))


def test_none_asks_nothing() -> None:
    app = Resettable(dialogs=2)
    assert run(app) == ()
    assert app.verbs == []


def test_overlays_are_closed_and_counted() -> None:
    app = Resettable(dialogs=2)
    assert run(app, how="overlays") == ()
    assert app.dialogs == 0
    assert "navigate" not in app.verbs
    assert app.verbs.count("dismiss_modals") == 1


def test_a_route_is_gone_to_even_from_itself() -> None:
    app = Resettable(page="/login", dialogs=1)
    run(app, how="route", route="/login")
    assert ("navigate", {"route": "/login", "includeSnapshot": "false"}) in app.calls
    assert app.dialogs == 0


def test_a_restart_leaves_the_dialogs_of_the_beginning() -> None:
    app = Resettable(page="/deep", dialogs=0)

    async def restart() -> None:
        app.page, app.dialogs = "/", 1

    run(app, how="restart", restart=restart)
    assert (app.page, app.dialogs) == ("/", 1)
    run(app, how="restart", restart=restart, route="/login")
    assert app.page == "/login"


def test_errors_of_before_do_not_count_and_those_of_the_way_are_told() -> None:
    app = Resettable(page="/home")
    app.errors.append({"type": "StateError", "message": "of before", "time": "1"})
    navigate = app.call

    async def failing(verb: str, params: Any = None, *, timeout: float = 10.0) -> dict[str, Any]:
        answer = await navigate(verb, params, timeout=timeout)
        if verb == "navigate":
            app.errors.append({"type": "E", "message": "on the way\n#0 main", "time": "2"})
        return answer

    app.call = failing  # type: ignore[method-assign]
    notes = run(app, how="route", route="/login")
    assert notes == ("the app failed during the reset: on the way",)
    assert app.errors == []


def test_an_entry_that_is_no_error_is_passed_over() -> None:
    app = Resettable()
    app.errors.append("only a text")  # type: ignore[arg-type]
    app.stubborn = True  # it stays in the list
    assert run(app, how="overlays") == ()


# Failures, which are errors and no failed tests


def failed(app: Resettable, **plan: Any) -> ResetFailed:
    with pytest.raises(ResetFailed) as caught:
        run(app, **plan)
    assert of_exception(caught.value).kind.outcome is Outcome.ERROR
    return caught.value


def test_dialogs_that_open_again() -> None:
    error = failed(Resettable(dialogs=1, reopen=True), how="overlays")
    assert "dialogs opened again 3 times" in error.message
    assert "restart" in error.hint


def test_a_page_that_is_not_reached() -> None:
    app = Resettable(page="/home")
    app.stubborn = True
    error = failed(app, how="route", route="/login")
    assert error.message == (
        "the app could not be reset: it did not go to /login, it is at /home\nthe app says: a guard"
    )


def test_a_verb_that_is_missing() -> None:
    app = Resettable()
    app.failing.add("reset_overlays")
    error = failed(app, how="overlays")
    assert error.message == (
        "the app could not be reset (overlays): The app has no verb `reset_overlays`"
    )
    assert error.hint == "an old plugin"


def test_an_app_that_goes_on_failing() -> None:
    app = Resettable()
    numbers = iter(range(100))
    before = app.call

    async def failing(verb: str, params: Any = None, *, timeout: float = 10.0) -> dict[str, Any]:
        if verb == "exceptions":
            app.errors.append({"type": "E", "message": "tick\n#0 x", "time": str(next(numbers))})
        return await before(verb, params, timeout=timeout)

    app.call = failing  # type: ignore[method-assign]
    error = failed(app, how="overlays")
    assert error.message == "the app could not be reset: it goes on failing: tick"


def test_what_others_collect_cannot_be_cleared_and_does_not_count() -> None:
    app = Resettable()
    app.stubborn = True
    app.errors.append({"type": "E", "message": "an old one", "time": "1"})
    assert run(app, how="overlays") == ("the app failed during the reset: an old one",)


def test_a_restart_that_nobody_can_do() -> None:
    error = failed(Resettable(), how="restart")
    assert "nothing here can restart it" in error.message


def test_what_is_no_matter_of_the_reset_comes_through() -> None:
    async def gone() -> None:
        raise AppRestarted("gone")

    async def refused() -> None:
        raise VerbRefused("restart", "not now")

    with pytest.raises(AppRestarted):
        run(Resettable(), how="restart", restart=gone)
    error = failed(Resettable(), how="restart", restart=refused)
    assert error.message == "the app could not be reset (restart): not now"


@pytest.mark.parametrize(
    ("route", "here", "same"),
    [
        ("/a", "/a", True),
        ("/a", "/a?x=1", True),
        ("/a?x=1", "/a?x=1", True),
        ("/a?x=1", "/a", False),
        ("/", "", True),
        ("/a", "/a/b", False),
    ],
)
def test_when_a_route_is_reached(route: str, here: str, same: bool) -> None:
    app = Resettable(page=here)
    app.stubborn = True
    if same:
        run(app, how="route", route=route)
    else:
        failed(app, how="route", route=route)

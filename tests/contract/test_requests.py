"""Requests that carry an id: what comes again is answered again, and not done again."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import RICH_BACKENDS

if TYPE_CHECKING:
    from tests.contract.driver import Driver

KEPT = 100

rich = pytest.mark.parametrize("session", RICH_BACKENDS, indirect=True)
plain = pytest.mark.parametrize("session", ["demo-plain"], indirect=True)

_numbers = itertools.count(1)


def new_id() -> str:
    """Of one session all tests share the app, and so the ids it remembers."""
    return f"request {next(_numbers)}"


def is_on(app: Driver) -> bool:
    return app.state("Remember me") is True


@rich
def test_it_is_offered(app: Driver) -> None:
    assert "requestId" in app.call("ext.tapir_replay.info")["capabilities"]


@rich
def test_what_comes_again_is_not_done_again(app: Driver) -> None:
    before, request = is_on(app), new_id()
    first = app.tap("Remember me", requestId=request)
    assert is_on(app) is not before
    again = app.tap("Remember me", requestId=request)
    assert again == first
    assert is_on(app) is not before


@rich
def test_another_id_acts(app: Driver) -> None:
    before = is_on(app)
    app.tap("Remember me", requestId=new_id())
    app.tap("Remember me", requestId=new_id())
    assert is_on(app) is before


@rich
def test_the_id_belongs_to_its_verb(app: Driver) -> None:
    request = new_id()
    app.fill("Email", "a@b.c", requestId=request)
    reply = app.call("clear", ref=app.find("Email"), requestId=request)
    assert reply["effect"]["value"] == ""


@rich
def test_the_other_parameters_are_not_compared(app: Driver) -> None:
    request = new_id()
    first = app.fill("Email", "a@b.c", requestId=request)
    assert app.fill("Email", "x@y.z", requestId=request) == first
    assert app.candidate("Email")["value"] == "a@b.c"


@rich
def test_an_empty_id_is_none(app: Driver) -> None:
    before = is_on(app)
    app.tap("Remember me", requestId="")
    app.tap("Remember me", requestId="")
    assert is_on(app) is before


@rich
def test_a_refusal_is_an_answer_as_well(app: Driver) -> None:
    request = new_id()
    first = app.refuses("tap", ref="e999999", requestId=request)
    assert first.type == "not_found"
    again = app.refuses("tap", ref=app.find("Remember me"), requestId=request)
    assert (again.code, again.envelope) == (first.code, first.envelope)


@rich
def test_at_once_they_are_done_once(app: Driver) -> None:
    before = is_on(app)
    params = {"ref": app.find("Remember me"), "includeSnapshot": False, "requestId": new_id()}
    first, second = app.together(("tap", params), ("tap", params))
    assert first == second
    assert is_on(app) is not before


@rich
def test_looking_is_done_each_time(app: Driver) -> None:
    request = new_id()
    assert app.call("get_routes", requestId=request)["uri"] == "/login"
    app.go("/inbox")
    assert app.call("get_routes", requestId=request)["uri"] == "/inbox"
    first = app.find(text="Inbox", requestId=request)
    assert app.find(text="Inbox", requestId=request) != first


@rich
def test_the_oldest_are_forgotten(app: Driver) -> None:
    before, request = is_on(app), new_id()
    app.tap("Remember me", requestId=request)

    def fill_up(count: int) -> None:
        for _ in range(count):
            assert app.refuses("tap", requestId=new_id()).type == "missing_param"

    fill_up(KEPT - 1)
    app.tap("Remember me", requestId=request)
    assert is_on(app) is not before
    fill_up(1)
    app.tap("Remember me", requestId=request)
    assert is_on(app) is before


@plain
def test_where_it_is_not_offered_it_means_nothing(app: Driver) -> None:
    before, request = is_on(app), new_id()
    app.tap("Remember me", requestId=request)
    app.tap("Remember me", requestId=request)
    assert is_on(app) is before

"""What counts of the events."""

from __future__ import annotations

from tests.recorder.events import App, widget

A, B = widget(label="A"), widget(label="B")


def names(app: App) -> list[str]:
    return [each.action.name for each in app.timeline.entries]


def test_what_is_replaced_is_gone() -> None:
    """A second tap makes a double click of the first; an option stands for the taps to it."""
    app = App()
    first = app.act("tap", A)
    app.act("dblclick", A, replaces=[first])
    one, two = app.act("tap", B), app.act("tap", B)
    app.act("select", B, value="x", replaces=[one, two])
    assert names(app) == ["dblclick", "select"]


def test_undo_takes_the_last_back_for_good() -> None:
    """A text that goes on to grow does not come back, the next action does."""
    app = App()
    app.act("tap", A)
    fill = app.act("fill", B, text="x")
    assert app.timeline.undo() is not None
    app.act("fill", B, text="xy", replaces=[fill])
    assert names(app) == ["tap"]
    app.act("back")
    assert names(app) == ["tap", "back"]
    app.timeline.undo()
    app.timeline.undo()
    assert app.timeline.undo() is None


def test_a_pause_keeps_what_had_begun() -> None:
    """What is done in a pause is not kept; a text from before it goes on to grow."""
    app = App()
    fill = app.act("fill", A, text="x")
    app.timeline.paused = True
    grown = app.act("fill", A, text="xy", replaces=[fill])
    app.act("tap", B)
    app.timeline.paused = False
    app.act("fill", A, text="xyz", replaces=[grown])
    assert [each.action.data.get("text") for each in app.timeline.entries] == ["xyz"]


def test_missing_events_are_counted() -> None:
    """A gap in the numbers is told at the end."""
    app = App()
    app.act("tap", A)
    app.seq += 3
    app.act("tap", B)
    assert app.timeline.missed == 3


def test_runs_do_not_mix() -> None:
    """After a restart numbers begin anew: what comes of the first is of the first of that run."""
    app = App()
    app.act("tap", A)
    app.run, app.seq = "r2", 0
    tap = app.act("tap", B)
    app.after(tap, route={"from": "/", "to": "/b"})
    first, second = app.timeline.entries
    assert first.after is None
    assert second.after is not None
    assert app.timeline.missed == 0

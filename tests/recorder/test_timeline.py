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


def texts(app: App) -> list[str]:
    return [each.action.data["text"] for each in app.timeline.entries]


def test_undo_takes_the_last_back() -> None:
    """What comes of it then is nothing's; the next action counts again."""
    app = App()
    tap = app.act("tap", A)
    assert app.timeline.undo() is not None
    app.after(tap, route={"from": "/", "to": "/b"})
    assert names(app) == []
    app.act("back")
    assert names(app) == ["back"]
    app.timeline.undo()
    assert app.timeline.undo() is None
    assert [each.action.name for each in app.timeline.aside] == ["tap", "back"]


def test_a_text_that_was_taken_back_and_grows_is_there_again() -> None:
    """The field holds it, and a replay has to fill it: or it would play something else."""
    app = App()
    fill = app.act("fill", B, text="x")
    app.timeline.undo()
    app.act("fill", B, text="xy", replaces=[fill])
    assert texts(app) == ["xy"]
    assert app.timeline.aside == []


def test_a_pause_keeps_what_had_begun() -> None:
    """What is done in a pause is not kept; a text from before it goes on to grow."""
    app = App()
    fill = app.act("fill", A, text="x")
    app.timeline.paused = True
    grown = app.act("fill", A, text="xy", replaces=[fill])
    app.act("tap", B)
    app.timeline.paused = False
    app.act("fill", A, text="xyz", replaces=[grown])
    assert texts(app) == ["xyz"]


def test_a_text_that_is_begun_in_a_pause_and_grows_after_it_is_kept() -> None:
    """As the field holds it; one that does not grow any more stays aside."""
    app = App()
    app.timeline.paused = True
    fill = app.act("fill", A, text="x")
    fill = app.act("fill", A, text="xy", replaces=[fill])
    assert texts(app) == []
    assert len(app.timeline.aside) == 1
    app.timeline.paused = False
    app.act("fill", A, text="xyz", replaces=[fill])
    assert texts(app) == ["xyz"]


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

"""The file of a recording."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapir_replay.files import free_name
from tapir_replay.recorder.document import (
    Appended,
    CannotAppend,
    Document,
    NewFile,
    Start,
)
from tapir_replay.recorder.secrets import Secrets
from tapir_replay.recorder.steps import Writer
from tapir_replay.scenario.load import load_bytes
from tests.recorder.events import App, shown, widget

SUBMIT = widget("button", "Sign in", "submit")
PASSWORD = widget("textbox", "Password", "password", obscured=True)


def recorded() -> App:
    app = App()
    app.act("fill", PASSWORD, text="hunter2", obscured=True)
    app.act("tap", SUBMIT)
    return app


def test_a_new_file() -> None:
    """It says what it is, what it needs, where it starts, and what was done."""
    document = Document(
        Writer(),
        NewFile(Start(name="Sign in", app="demo", route="/login", schema="../s.json")),
        "/login",
    )
    assert document.text(recorded().timeline.entries) == (
        "# yaml-language-server: $schema=../s.json\n"
        "name: Sign in\n"
        "app: demo\n"
        "secrets: [PASSWORD]\n"
        "setup:\n"
        "  - reset_overlays\n"
        "  - navigate: /login\n"
        "steps:\n"
        '  - fill: {target: {key: password}, text: "{{ PASSWORD }}"}'
        "  # or: {role: textbox, label: Password}\n"
        "  - tap: {target: {key: submit}}  # or: {role: button, label: Sign in}\n"
    )


@given(
    texts=st.lists(st.text(max_size=20), max_size=4),
    name=st.text(min_size=1, max_size=20),
    route=st.text(max_size=10),
    key=st.text(max_size=10),
)
@settings(deadline=None, max_examples=60)
def test_it_is_valid_at_every_moment(texts: list[str], name: str, route: str, key: str) -> None:
    """From the first line on, whatever is typed and however widgets are called."""
    app = App()
    document = Document(Writer(), NewFile(Start(name=name, route=route)), route)

    def check() -> None:
        text = document.text(app.timeline.entries)
        loaded = load_bytes(text.encode(), "a.yaml", Path("a.yaml"))
        assert loaded.ok, (text, loaded.diagnostics)

    check()
    for text in texts:
        app.act("fill", widget("textbox", text, key), text=text)
        check()
        app.act("tap", widget("button", text))
        check()


EXISTING = """\
# mine
name: There already
secrets: [TOKEN]
steps:
  - tap: Sign in   # as ever
  - group:
      steps:
        - tap: One
        - fill: {target: A, text: b}

  # the end
teardown:
  - dismiss_modals
"""


def append(text: str, app: App | None = None) -> str:
    writer = Writer()
    return Document(writer, Appended(text, "a.yaml")).text((app or recorded()).timeline.entries)


def test_steps_are_put_behind_those_that_are_there() -> None:
    """All else stays as it is written; secrets are added to those that are declared."""
    assert append(EXISTING) == EXISTING.replace("[TOKEN]", "[TOKEN, PASSWORD]").replace(
        "        - fill: {target: A, text: b}\n",
        "        - fill: {target: A, text: b}\n"
        '  - fill: {target: {key: password}, text: "{{ PASSWORD }}"}'
        "  # or: {role: textbox, label: Password}\n"
        "  - tap: {target: {key: submit}}  # or: {role: button, label: Sign in}\n",
    )


@pytest.mark.parametrize(
    "text",
    [
        "name: a\nsteps: []\n",
        "name: a\nsteps:\n- tap: A\n",
        "name: a\nsteps:\n    - tap: A\n",
        "name: a\nsteps:\n  - fill:\n      target: A\n      text: |\n        two\n        lines\n",
        "steps:\n- fill:\n    target: A\n    text: |\n      two\n      lines\n\nname: z\n",
        "name: a\nsecrets:\n  - A\n  - B\nsteps: [\n]\n",
        "steps:\n  - tap: A\nsecrets: []\nname: z\n",
        "name: a\r\nsteps:\r\n  - tap: A\r\n",
        "name: a\nsteps:\n  - tap: A",
        "name: a\nsteps:\n  - tap: {target: A,\n      until: B}\n# end\n",
    ],
)
def test_any_form_of_a_file_can_be_appended_to(text: str) -> None:
    """However it is indented, and whatever comes before and behind its steps."""
    before = load_bytes(text.encode(), "a.yaml", Path("a.yaml")).scenario
    written = append(text)
    after = load_bytes(written.encode(), "a.yaml", Path("a.yaml"))
    assert after.ok, (written, after.diagnostics)
    assert after.scenario is not None
    assert len(after.scenario.steps) == (len(before.steps) if before else 0) + 2
    assert "PASSWORD" in after.scenario.secrets
    assert append(text, App()) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "name: a\r\nsecrets: [A] # mine\r\nsteps:\r\n  - tap: A\r\n",
            "name: a\r\nsecrets: [A, PASSWORD] # mine\r\nsteps:\r\n  - tap: A\r\n<2>",
        ),
        (
            "name: a\nsteps: []  # later\nsecrets:\n- A  # one\n- B\n# end\n",
            "name: a\nsteps:  # later\n<2>secrets:\n- A  # one\n- B\n- PASSWORD\n# end\n",
        ),
        (
            '\ufeffsteps:\n  - tap: A\nsecrets: [A,\n B, ]\nname: "a\u2028b"',
            '\ufeffsteps:\n  - tap: A\n<2>secrets: [A,\n B, PASSWORD]\nname: "a\u2028b"',
        ),
        (
            'name: "a\u2028b"\nsecrets: [PASSWORD]\nsteps:\n  - tap: B\nteardown:\n  - blur\n',
            'name: "a\u2028b"\nsecrets: [PASSWORD]\nsteps:\n  - tap: B\n<2>teardown:\n  - blur\n',
        ),
        (
            "vars: {x: &x A}\nsecrets: []\nsteps:\n  - tap: B\n  - tap: *x\n\nname: a\n",
            "vars: {x: &x A}\nsecrets: [PASSWORD]\nsteps:\n  - tap: B\n  - tap: *x\n<2>\nname: a\n",
        ),
        (
            "  name: a\n  steps:\n  - tap: A",
            "  name: a\n  secrets: [PASSWORD]\n  steps:\n  - tap: A\n<2>",
        ),
    ],
)
def test_what_is_there_stays_to_the_letter(text: str, expected: str) -> None:
    """The ends of its lines, its byte order mark, its comments, and where it is indented."""
    written = append(text)
    recorded_lines = [
        line for line in written.splitlines(keepends=True) if "password" in line or "submit" in line
    ]
    assert len(recorded_lines) == 2
    newline = "\r\n" if "\r\n" in text else "\n"
    assert recorded_lines[0].endswith(newline)
    whole = "".join(recorded_lines)
    assert written.replace(whole, "<2>") == expected
    assert load_bytes(written.encode(), "a.yaml", Path("a.yaml")).ok
    assert append(text, App()) == text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name: a\nsteps: [dismiss_modals]\n", "give each a line of its own"),
        ("name: a\n", "no scenario with steps"),
        ("- a\n", "no scenario with steps"),
        ("name: [\n", "no scenario with steps"),
        ("name: a\nsteps:\n", "its steps are no list"),
        ("{name: a, steps: []}\n", "no scenario with steps"),
        ("name: a\nsteps:\n  - &a {tap: A}\n  - *a\n", "its last step is an alias"),
        ("name: a\nsteps:\n  - &a {tap: A}\n  - tap: B\n  - *a\n", "last step is an alias"),
    ],
)
def test_what_cannot_be_appended_to(text: str, says: str) -> None:
    with pytest.raises(CannotAppend, match=says):
        append(text)


def test_a_secret_of_the_file_keeps_its_meaning() -> None:
    """Another value needs another name: theirs may be used by the steps that are there."""
    form = Appended("name: a\nsecrets: [PASSWORD]\nsteps:\n  - tap: A\n", "a.yaml")
    document = Document(Writer(Secrets(taken=form.names)), form)
    text = document.text(recorded().timeline.entries)
    assert "secrets: [PASSWORD, PASSWORD_2]\n" in text
    assert 'text: "{{ PASSWORD_2 }}"' in text
    known = Document(Writer(Secrets({"PASSWORD": "hunter2"}, taken=form.names)), form)
    assert 'text: "{{ PASSWORD }}"' in known.text(recorded().timeline.entries)


def test_a_secret_in_the_address_where_it_begins() -> None:
    """It is replaced there too, and declared."""
    secrets = Secrets({"TOKEN": "t0ps3cret"})
    route = "/reset?token=t0ps3cret"
    text = Document(Writer(secrets), NewFile(Start(name="a", route=route)), route).text([])
    assert "t0ps3cret" not in text
    assert "secrets: [TOKEN]\n" in text
    assert "- navigate: /reset?token={{ TOKEN }}\n" in text


def test_remarks_alone_are_no_steps() -> None:
    """A file of only such has a step beside them, also one that had none before."""
    app = App()
    app.act("tap", widget())
    for text in (append("name: a\nsteps: []\n", app), app.text()):
        assert "# not recorded: tap" in text
        assert load_bytes(text.encode(), "a.yaml", Path("a.yaml")).ok, text
    assert Document(Writer(), NewFile(Start(name="a"))).count(app.timeline.entries) == (0, 1)


def test_a_restart_is_told_in_the_file() -> None:
    """A replay does not restart the app; remarks are no steps."""
    app = App()
    app.act("tap", SUBMIT)
    app.run, app.seq = "r2", 0
    app.act("tap", SUBMIT)
    document = Document(Writer(), NewFile(Start(name="a")))
    step, remark, *_ = document.text(app.timeline.entries).splitlines()[-3:]
    assert step.startswith("  - tap")
    assert remark.startswith("  # the app was restarted here")
    assert document.count(app.timeline.entries) == (2, 0)


def test_a_long_recording_costs_little_more_for_each_action() -> None:
    """What was written once is not made anew, but for what is different of it."""
    app, document = App(), Document(Writer(), NewFile(Start(name="a")))
    for place in range(1500):
        app.after(app.act("tap", widget(label=f"Row {place}", key=f"row-x{place}")))
    entries = app.timeline.entries
    first = document.text(entries)
    began = time.process_time()
    for size in range(1, 6):
        app.act("fill", PASSWORD, text="hunter2"[:size], obscured=True)
        document.text(entries)
    assert time.process_time() - began < 0.5
    fresh = Document(Writer(), NewFile(Start(name="a")))
    assert document.text(entries) == fresh.text(entries) != first


def test_what_was_written_is_made_anew_where_it_is_different() -> None:
    """By what came of it, by a secret that is known only now, and by one that no more is."""
    app, document = App(), Document(Writer(), NewFile(Start(name="a")))

    def same() -> str:
        text = document.text(app.timeline.entries)
        assert text == Document(Writer(), NewFile(Start(name="a"))).text(app.timeline.entries)
        return text

    tap = app.act("tap", SUBMIT)
    same()
    app.after(tap, appeared=[shown("Hello hunter2!"), shown("Wait")])
    assert "Wait" in same()
    app.after(tap, appeared=[shown("Say hunter now")])
    assert "Say hunter now" in same()
    app.act("fill", PASSWORD, text="hunter", obscured=True)
    assert "Say {{ PASSWORD }} now" in same()
    app.timeline.undo()
    assert "Say hunter now" in same()


def test_marks_stand_at_their_steps() -> None:
    """What did not come out the same is told above its step; steps from before count too."""
    text = "name: a\nsteps:\n  - tap: A\n"
    document = Document(Writer(), Appended(text, "a.yaml"), marks={2: "nothing matches"})
    assert document.text(recorded().timeline.entries).splitlines()[-2:] == [
        "  # did not reproduce: nothing matches",
        "  - tap: {target: {key: submit}}  # or: {role: button, label: Sign in}",
    ]


def test_a_name_that_is_taken(tmp_path: Path) -> None:
    """Nothing that is there is written over."""
    path = tmp_path / "a.yaml"
    assert free_name(path) == path
    path.touch()
    (tmp_path / "a-2.yaml").symlink_to("nowhere")
    assert free_name(path) == tmp_path / "a-3.yaml"

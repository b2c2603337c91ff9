"""The file of a recording."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapir_replay.recorder.document import (
    Appended,
    CannotAppend,
    Document,
    NewFile,
    Start,
    free_name,
)
from tapir_replay.recorder.steps import Writer
from tapir_replay.scenario.load import load_bytes
from tests.recorder.events import App, widget

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
    assert append(text, App()).replace("\r\n", "\n") == text.replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name: a\nsteps: [dismiss_modals]\n", "give each a line of its own"),
        ("name: a\n", "no scenario with steps"),
        ("- a\n", "no scenario with steps"),
        ("name: [\n", "no scenario with steps"),
    ],
)
def test_what_cannot_be_appended_to(text: str, says: str) -> None:
    with pytest.raises(CannotAppend, match=says):
        append(text)


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

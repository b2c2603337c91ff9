"""No secret leaves the process: not on the console, in no report, file or picture."""

from __future__ import annotations

import base64
from pathlib import Path
from urllib.parse import quote

import pytest
from PIL import Image

from tests.e2e.conftest import Play
from tests.e2e.tool import Ran

SECRET = 'p\u00e4ss "wörd" & <b>1/2+3'

FAILING = """\
name: Leaks {where}
app: demo
timeout: 200ms
secrets: [TOKEN]
steps:
  - name: Type {{{{ TOKEN }}}}
    fill: {{target: Email, text: "{{{{ TOKEN }}}}"}}
  - snap: screen.txt
  - screenshot: whole.png
  - screenshot: {{path: field.png, target: Email}}
  - screenshot: {{path: part.png, target: Email, rect: "100,0,100,40"}}
  - expect:
      value: {{of: Email, is: "not {{{{ TOKEN }}}}"}}
    soft: true
  - tap: "{{{{ TOKEN }}}}"
    soft: true
  - navigate: "/{{{{ TOKEN }}}}"
    soft: true
  - fill: {{target: Quantity, text: "{{{{ TOKEN }}}}"}}
"""

GREY = (90, 90, 90)


def forms(secret: str) -> list[bytes]:
    """How it may stand in a file."""
    raw = secret.encode()
    return [
        raw,
        secret.encode("utf-16-le"),
        quote(secret).encode(),
        base64.b64encode(raw)[:-2],
        secret.encode("ascii", "backslashreplace"),
    ]


def assert_masked(ran: Ran, secret: str) -> None:
    texts = {"stdout": ran.out.encode(), "stderr": ran.err.encode()}
    files = {each.name: each.read_bytes() for each in ran.folder.rglob("*") if each.is_file()}
    assert {"run.jsonl", "junit.xml"} <= files.keys()
    for name, data in (texts | files).items():
        for form in forms(secret):
            assert form not in data, name


def share_of(path: Path, color: tuple[int, int, int]) -> float:
    with Image.open(path) as image:
        picture = image.convert("RGB")
    pixels = picture.width * picture.height
    return sum(n for n, each in picture.getcolors(pixels) or () if each == color) / pixels


def test_masked_everywhere(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", SECRET)
    ran = play(FAILING.format(where="by name"), options=("--verbose",))
    assert ran.code == 1
    assert "***" in ran.out
    assert ran.step("steps.1")["effect"]["value"] == "***"
    assert_masked(ran, SECRET)
    snapshot = ran.artifact("screen.txt").read_text(encoding="utf-8")
    assert '- textbox "Email": "***"' in snapshot


@pytest.mark.parametrize(
    "secret", ["hunter2", "日本語のパスワード", "🔑🔑🔑", "a.b*c[d", "x" * 300]
)
def test_any_secret(play: Play, monkeypatch: pytest.MonkeyPatch, secret: str) -> None:
    monkeypatch.setenv("TOKEN", secret)
    ran = play(FAILING.format(where="too"), options=("--verbose",))
    assert ran.code == 1
    assert_masked(ran, secret)


def test_painted_over_where_it_shows(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", "hunter2")
    ran = play(FAILING.format(where="on pictures"))
    assert 0.01 < share_of(ran.artifact("whole.png"), GREY) < 0.3
    assert share_of(ran.artifact("field.png"), GREY) > 0.95
    assert share_of(ran.artifact("part.png"), GREY) > 0.95
    assert 0.01 < share_of(ran.artifact("failure-steps.6.png"), GREY) < 0.3


@pytest.mark.parametrize("plain", [False, True], ids=["demo", "plain"])
def test_a_text_that_shows_a_secret_is_painted_over(
    play: Play, monkeypatch: pytest.MonkeyPatch, plain_demo: str, plain: bool
) -> None:
    monkeypatch.setenv("EMAIL", "ada@example.com")
    ran = play(
        "secrets: [EMAIL]\nsteps:\n"
        "  - navigate: /login\n"
        '  - fill: {target: Email, text: "{{ EMAIL }}"}\n'
        "  - fill: {target: Password, text: correct-horse}\n"
        "  - tap: {target: Sign in, until: Welcome back}\n"
        "  - screenshot: home.png\n"
        "  - screenshot: {path: user.png, target: {key: user}}\n",
        options=("--uri", plain_demo) if plain else ("--app", "demo"),
    )
    assert ran.code == 0, ran.out
    assert share_of(ran.artifact("home.png"), GREY) > 0.003
    assert share_of(ran.artifact("user.png"), GREY) > 0.95


def test_not_painted_over_where_it_does_not_show(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN", "hunter2")
    text = FAILING.format(where="nowhere").partition("steps:")[0]
    fill = 'fill: {target: Password, text: "{{ TOKEN }}"}'
    ran = play(f"{text}steps:\n  - {fill}\n  - screenshot: a.png\n")
    assert ran.code == 0
    assert share_of(ran.artifact("a.png"), GREY) < 0.01


def test_a_step_that_is_secret(play: Play) -> None:
    ran = play(
        "app: demo\ntimeout: 100ms\nsteps:\n"
        "  - fill: {target: Email, text: only-here-7}\n    secret: true\n"
        "  - expect: {value: {of: Email, is: x}}\n"
    )
    assert ran.code == 1
    assert ran.fault["seen"] == '"***"'
    assert_masked(ran, "only-here-7")


def test_from_an_env_file_and_from_the_command_line(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TOKEN", raising=False)
    Path("my.env").write_text('# mine\nexport TOKEN="from-the-file"\n')
    text = FAILING.format(where="from a file")
    ran = play(text, options=("--env-file", "my.env"))
    assert ran.code == 1
    assert_masked(ran, "from-the-file")
    ran = play(text, options=("--env-file", "my.env", "--var", "TOKEN=from-the-line"))
    assert ran.step("steps.1")["effect"]["value"] == "***"
    assert_masked(ran, "from-the-line")


def test_the_value_of_the_file_is_a_secret_too(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """`vars` may give a secret a value to play with; the environment wins over it."""
    text = FAILING.format(where="by default") + "vars: {TOKEN: from-vars}\n"
    monkeypatch.delenv("TOKEN", raising=False)
    ran = play(text)
    assert ran.code == 1
    assert_masked(ran, "from-vars")
    monkeypatch.setenv("TOKEN", "from-env")
    ran = play(text)
    assert ran.code == 1
    assert_masked(ran, "from-env")
    assert "from-vars" not in (ran.folder / "run.jsonl").read_text(encoding="utf-8")


def test_the_code_of_an_address_is_not_told(play: Play, plain_demo: str) -> None:
    code = plain_demo.rstrip("/").rpartition("/")[2]
    ran = play("steps: [{navigate: /form}]\n", options=("--uri", plain_demo))
    assert ran.code == 0
    assert_masked(ran, code)

"""Files to scenarios, with all that is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tapir_replay.scenario.load import load, shown, target_of
from tapir_replay.scenario.model import Target
from tests.scenario.documents import GOOD, check, codes, messages

STEP = "steps:\n  - dismiss_modals\n"


def test_a_good_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It loads, is named from the current folder, and has no remarks."""
    (tmp_path / "flows").mkdir()
    used = tmp_path / "flows" / "fixtures" / "broken" / "flows"
    used.mkdir(parents=True)
    (used / "sign-in.yaml").write_text("params: {password: {}}\nsteps: [get_routes]\n")
    path = tmp_path / "flows" / "good.yml"
    path.write_text(GOOD, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    file = load(Path("flows/../flows/good.yml"))
    assert file.ok
    assert file.scenario is not None
    assert (file.file, file.diagnostics, file.source) == ("flows/good.yml", (), GOOD)
    assert file.scenario.path == Path("flows/../flows/good.yml")


def test_a_file_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is not below the current folder is named as it was given."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert shown(Path("../a.yaml")) == "../a.yaml"
    assert shown(tmp_path / "here" / "b" / "a.yaml") == "b/a.yaml"


@pytest.mark.parametrize("name", ["missing.yaml", ".", "a\0b", "x" * 300])
def test_what_cannot_be_read(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing file, a folder, an impossible name: a fault of the file as a whole."""
    monkeypatch.chdir(tmp_path)
    file = load(Path(name))
    assert not file.ok
    (fault,) = file.diagnostics
    assert fault.code == "unreadable"
    assert fault.span is None
    assert fault.message.startswith("the file cannot be read: ")


def test_names_from_the_command_line() -> None:
    """A name given from outside is known; others are not."""
    text = 'steps:\n  - tap: "{{ user }}"\n'
    assert codes(text, names=["user"]) == []
    assert codes(text, names=["usr"]) == ["undefined-name"]
    assert check(text, names=["usr"]).diagnostics[0].hint == 'did you mean "usr"?'


def test_built_in_names() -> None:
    """`env`, `vars`, `run`, `now` and `random` are always there."""
    text = "{{ env.HOME }} {{ vars }} {{ run.id }} {{ now }} {{ random.int(1, 2) }}"
    assert codes(f"steps:\n  - tap: '{text}'\n") == []


def test_names_in_order() -> None:
    """A variable is known to those below it, a saved name to the steps below its own."""
    find = "  - find: Save\n    save: {it: ref}\n"
    use = "  - tap: {target: {ref: '{{ it }}'}}\n"
    assert codes(f"steps:\n{find}{use}") == []
    assert codes(f"steps:\n{use}{find}") == ["undefined-name"]
    assert codes(f"setup:\n{find}steps:\n{use}teardown:\n{use}") == []
    assert codes(f"vars: {{a: 1, b: '{{{{ a }}}}'}}\n{STEP}") == []
    assert codes(f"vars: {{b: '{{{{ a }}}}', a: 1}}\n{STEP}") == ["undefined-name"]


def test_all_problems_at_once() -> None:
    """What the schema finds and what only we find are told together, in the order of the file."""
    text = """\
nmae: a
vars: {a-b: 1, now: 2}
steps:
  - tapp: x
  - tap: '{{ nothing }}'
  - tap: {target: {matches: '('}}
    soft: yes
  - find: x
    save: {a: reff}
  - tap: x
    fill: {target: a, text: b}
  - wait: 1s
teardown:
  - expect: {visibel: x}
"""
    assert codes(text) == [
        *("unknown-key", "wrong-form", "unknown-verb", "undefined-name", "wrong-form"),
        *("unknown-path", "two-verbs", "plain-wait", "unknown-key"),
    ]
    assert not check(text).ok


def test_one_mistake_is_told_once() -> None:
    """Names of a part that is wrong count as defined, so that nothing follows from it."""
    for part in ("vars: {a: 1, b-c: 2}", "vars: [a]", "vars: [{a: 1}]", "secrets: {a: 1}"):
        assert len(messages(f"{part}\nsteps:\n  - tap: '{{{{ a }}}}'\n")) == 1
    wrong = "  - find: x\n    save: {a: ref}\n    soft: maybe\n"
    assert codes(f"steps:\n{wrong}  - tap: '{{{{ a }}}}'\n") == ["wrong-form"]
    assert codes("steps:\n  - tap: {taget: x}\n") == ["unknown-key"]
    assert codes("setps: [get_routes]\n") == ["unknown-key"]


def test_warnings_leave_a_scenario() -> None:
    """A file with warnings only is a scenario."""
    file = check("steps:\n  - wait: 1s\n")
    assert file.ok
    assert [each.is_error for each in file.diagnostics] == [False]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("retries: 3\n" + STEP, "unknown-key"),
        ("on_success: [get_routes]\n" + STEP, "unknown-key"),
        *((f"steps:\n  - {each}: {{}}\n", "unknown-verb") for each in ("if", "loop", "run", "js")),
        ("steps:\n  - expect: {semantics: a.snap.yaml}\n", "unknown-key"),
        ("steps:\n  - tap: x\n    retry: 3\n", "wrong-type"),
    ],
)
def test_what_is_not_part_of_the_language(text: str, code: str) -> None:
    """A key that means nothing is never ignored."""
    assert codes(text) == [code]


@pytest.mark.parametrize("expression", ["a{9999999999999}", "(" * 5000, "[[a]", "(?i)a(?i)", "\\"])
def test_odd_expressions(expression: str) -> None:
    """A regular expression that Python cannot take is a fault, one it grumbles at is none."""
    found = codes(f"steps:\n  - tap: {{target: {{matches: '{expression}'}}}}\n")
    assert found == ([] if expression == "[[a]" else ["bad-expression"])


def test_editors_first_key() -> None:
    """A `$schema` key for editors is allowed."""
    assert codes("$schema: ../schemas/scenario.schema.json\n" + STEP) == []


def test_target_of() -> None:
    """A target by itself is read as in a scenario."""
    assert target_of("Sign in") == Target(text="Sign in")
    assert target_of("{label: Email, nth: 1}") == Target(label="Email", nth=1)
    for wrong in ("{lable: a}", "", "{", "a: b"):
        with pytest.raises(ValueError, match=r".+: .+"):
            target_of(wrong)

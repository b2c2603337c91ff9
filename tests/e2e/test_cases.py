"""One scenario, many rows: names, values, secrets, and files of rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import Play
from tests.e2e.tool import Ran

BODY = "app: demo\ntimeout: 100ms\nsteps:\n"


def names(ran: Ran) -> list[str]:
    return [each["title"] for each in ran.events("scenario_started")]


def notes(ran: Ran) -> list[str]:
    return [each["text"] for each in ran.events("note")]


INLINE = """\
name: Login
cases:
  - name: a wrong password
    vars: {email: ada@example.com, password: wrong, message: Wrong email or password}
  - vars: {email: "", password: x, message: Enter your email}
vars: {message: is not used, greeting: "{{ email | default('nobody', true) }}"}
"""


def test_cases_that_are_written_out(play: Play) -> None:
    steps = (
        '  - navigate: /login\n  - fill: {target: Email, text: "{{ email }}"}\n'
        '  - fill: {target: Password, text: "{{ case.password }}"}\n'
        '  - tap: {target: Sign in, until: "{{ message }}"}\n'
        '  - log: "{{ greeting }}: {{ vars.message }}"\n'
    )
    ran = play(INLINE + BODY + steps)
    assert ran.code == 0, ran.out
    assert names(ran) == [
        "Login [a wrong password]",
        "Login [2: email=, password=x, message=Enter your email]",
    ]
    assert notes(ran) == ["ada@example.com: Wrong email or password", "nobody: Enter your email"]
    planned = ran.events("run_started")[0]["plan"]
    assert [each["name"] for each in planned] == names(ran)
    assert [each["place"]["line"] for each in planned] == [3, 5]
    assert [each.get("name") for each in ran.junit.iter("testcase")] == names(ran)
    assert "2 passed" in ran.out


def test_a_case_fails_by_itself(play: Play) -> None:
    ran = play(
        "name: One\ncases: [{vars: {n: 1}}, {vars: {n: 2}}, {vars: {n: 3}}]\n"
        + BODY
        + '  - expect: {visible: \'{{ n == 2 and "Nothing" or "Email" }}\'}\n'
    )
    assert ran.code == 1
    ended = [each["outcome"] for each in ran.events("scenario_finished")]
    assert ended == ["passed", "failed", "passed"]
    assert any(each.startswith("one-2-n-2/failure-steps.1") for each in ran.artifacts)


def test_names_are_unique_and_on_one_line(play: Play) -> None:
    long = "x" * 100
    rows: list[dict[str, Any]] = [
        {"name": "a", "vars": {"v": 1}},
        {"name": "a (2)", "vars": {"v": 1}},
        {"name": "a", "vars": {"v": 1}},
        {"vars": {"v": "two\nlines"}},
        {"vars": {"v": [1, 2]}},
        {"vars": {"v": long}},
    ]
    ran = play(f"name: N\ncases: {json.dumps(rows)}\n{BODY}  - get_routes\n")
    assert ran.code == 0, ran.err
    assert names(ran) == [
        "N [a]",
        "N [a (2)]",
        "N [a (3)]",
        "N [4: v=two lines]",
        "N [case 5]",
        f"N [6: v={'x' * 57}…]",
    ]


FILES = {
    "rows.csv": '\ufeffname,text,size\r\nfirst,007,5\r\n"sec,ond",{{ no }},\r\n\r\n',
    "rows.json": '[{"name": "first", "text": "007", "size": 5},'
    ' {"name": "sec,ond", "text": "{{ no }}", "size": ""}]',
    "rows.yaml": "- {name: first, text: 007, size: 5}\n"
    '- {name: "sec,ond", text: "{{ no }}", size: ""}\n',
    "vars.yml": "- {name: first, vars: {text: 007, size: 5, name: first}}\n"
    '- {name: "sec,ond", vars: {text: "{{ no }}", size: "", name: "sec,ond"}}\n',
}


@pytest.mark.parametrize("name", FILES)
def test_cases_of_a_file(play: Play, name: str) -> None:
    """All kinds of files mean the same; what looks like a template in them is plain text."""
    Path("data").mkdir()
    Path("data", name).write_bytes(FILES[name].encode())
    ran = play(
        f"name: F\ncases: {{file: data/{name}}}\n{BODY}"
        '  - log: "{{ name }} {{ text }} {{ size == 5 }} {{ case.size }}"\n'
    )
    assert ran.code == 0, ran.err + ran.out
    assert names(ran) == ["F [first]", "F [sec,ond]"]
    assert notes(ran) == ["first 007 true 5", "sec,ond {{ no }} false "]
    assert ran.events("run_started")[0]["plan"][1]["place"]["file"] == "test.yaml"


def test_numbers_in_a_table_keep_their_looks(play: Play) -> None:
    cells = ["1", "1.50", "1e3", "007", "true", "TRUE", "null", "", "12:30", "-3", " x "]
    text = "v\n" + "".join(f'"{each}"\n' for each in cells)
    Path("rows.csv").write_text(text)
    ran = play(f'name: T\ncases: {{file: rows.csv}}\n{BODY}  - log: "<{{{{ v }}}}>"\n')
    assert notes(ran) == [f"<{each}>" for each in cells]


def test_a_wrong_file_is_told_before_anything_is_played(play: Play) -> None:
    Path("rows.csv").write_text("a,b\n1\n")
    ran = play(f"name: T\ncases: {{file: rows.csv}}\n{BODY}  - get_routes\n")
    assert ran.code == 2
    assert "rows.csv:2: 1 cells, but the first line names 2" in ran.err


SECRET = """\
name: Secret rows
secrets: [password]
cases:
  - vars: {user: ada, password: pass-of-ada, link: "http://x/?t=pass-of-ada"}
  - name: bob with pass-of-bob
    vars: {user: bob, password: pass-of-bob, link: none}
"""


def test_secret_columns_are_masked(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("password", "of-the-environment")
    ran = play(
        SECRET + BODY + "  - navigate: /login\n"
        '  - fill: {target: Email, text: "{{ password }}"}\n'
        "  - screenshot: a.png\n"
        '  - log: "{{ user }} {{ case.password }} {{ link }}"\n'
        '  - expect: {value: {of: Email, is: "no {{ password }}"}}\n',
        options=("--verbose",),
    )
    assert ran.code == 1
    assert names(ran) == [
        "Secret rows [1: user=ada, link=http://x/?t=***]",
        "Secret rows [bob with ***]",
    ]
    assert notes(ran) == ["ada *** http://x/?t=***", "bob *** none"]
    for path in ran.folder.rglob("*.*"):
        assert b"pass-of-" not in path.read_bytes(), path
    assert "pass-of-" not in ran.out + ran.err


def test_the_command_line_knows_better(play: Play) -> None:
    text = f'name: T\ncases: [{{vars: {{v: 1}}}}]\n{BODY}  - log: "{{{{ v }}}}{{{{ case.v }}}}"\n'
    assert notes(play(text, options=("--var", "v=2"))) == ["22"]


def test_random_values_differ(play: Play) -> None:
    ran = play(
        "name: T\ncases: [{vars: {v: 1}}, {vars: {v: 2}}]\n"
        + BODY
        + '  - log: "{{ random.text(12) }}"\n'
    )
    assert len(set(notes(ran))) == 2


def test_a_template_of_a_row(play: Play) -> None:
    """It may use what every template can, and what stands before it in the row."""
    ran = play(
        'name: T\ncases: [{vars: {n: 2, twice: "{{ case.n * 2 }}"}}]\n'
        'vars: {thrice: "{{ n * 3 }}"}\n' + BODY + '  - log: "{{ twice }} {{ thrice }}"\n'
    )
    assert ran.code == 0, ran.err + ran.out
    assert notes(ran) == ["4 6"]

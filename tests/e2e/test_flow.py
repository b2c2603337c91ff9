"""Blocks and fragments: what is done, what is told of it, and what a failure inside means."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.conftest import Play
from tests.e2e.tool import Ran, outcomes, started

HEAD = "name: Test\napp: demo\ntimeout: 150ms\n"


def steps(text: str, head: str = HEAD) -> str:
    """A scenario of steps, written without indentation."""
    return head + "steps:\n" + "".join(f"  {line}\n" for line in text.strip("\n").splitlines())


def file(name: str, text: str) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def within(ran: Ran, step: str) -> list[str]:
    begun = next(each for each in ran.events("step_started") if each["step"] == step)
    return list(begun.get("within", []))


def titles(ran: Ran) -> list[str]:
    return [each["title"] for each in ran.events("step_started")]


def notes(ran: Ran) -> list[str]:
    return [each["text"] for each in ran.events("note")]


# Blocks


def test_every_step_has_an_id_of_its_own(play: Play) -> None:
    ran = play(
        steps("""
- repeat:
    times: 2
    steps:
      - get_routes
      - for_each: {in: [a, b], steps: [{group: {steps: [get_routes, get_routes]}}]}
- retry: {steps: [get_routes]}
- get_routes
""")
    )
    assert ran.code == 0, ran.out
    ids = [each["step"] for each in ran.steps]
    assert len(ids) == len(set(ids))
    assert ids[:6] == [
        "steps.1(1).1",
        "steps.1(1).2(1).1.1",
        "steps.1(1).2(1).1.2",
        "steps.1(1).2(2).1.1",
        "steps.1(1).2(2).1.2",
        "steps.1(2).1",
    ]
    assert ids[-2:] == ["steps.2(1).1", "steps.3"]
    assert within(ran, "steps.1(2).2(1).1.1") == [
        "repeat, round 2 of 2",
        "for_each, item 1 of 2: a",
        "group",
    ]


def test_a_block_has_a_name(play: Play) -> None:
    ran = play(
        "name: Test\napp: demo\nvars: {who: Ada}\nsteps:\n"
        '  - name: "Hello {{ who }}"\n    group: {steps: [get_routes]}\n'
    )
    assert within(ran, "steps.1.1") == ["Hello Ada"]


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        ("repeat: {times: 0, steps: [get_routes]}", "times is 0"),
        ('repeat: {times: "{{ 1 - 1 }}", steps: [get_routes]}', "times is 0"),
        (
            "repeat: {while: {visible: Nothing}, steps: [get_routes]}",
            'while: visible does not hold: nothing on screen matches "Nothing"',
        ),
        ('for_each: {in: "{{ [] }}", steps: [get_routes]}', "the list is empty"),
        ('group: {steps: [get_routes]}\n  when: "{{ 1 > 2 }}"', "when: {{ 1 > 2 }} is false"),
    ],
)
def test_a_block_of_which_nothing_is_done_is_told(play: Play, block: str, reason: str) -> None:
    ran = play(steps(f"- {block}\n- get_routes"))
    assert ran.code == 0, ran.out
    assert outcomes(ran) == {"steps.1": "skipped", "steps.2": "passed"}
    assert ran.step("steps.1")["reason"] == reason


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ('repeat: {times: "{{ half }}", steps: [get_routes]}', "times: expected a whole number"),
        ('repeat: {times: "{{ less }}", steps: [get_routes]}', "times must be at least 0"),
        ('retry: {attempts: "{{ zero }}", steps: [get_routes]}', "attempts must be at least 1"),
        ('for_each: {in: "{{ half }}", steps: [get_routes]}', "for_each: in is 0.5, not a list"),
        ('for_each: {in: "{{ text }}", steps: [get_routes]}', 'for_each: in is "ab", not a list'),
        ('repeat: {while: "{{ half }}", steps: [get_routes]}', "while: {{ half }} is 0.5, neither"),
        ('group: {steps: [get_routes]}\n  when: "{{ half }}"', "when: {{ half }} is 0.5, neither"),
        ('group: {steps: [get_routes]}\n  optional: "{{ half }}"', "{{ half }} is 0.5, neither"),
    ],
)
def test_values_that_make_no_sense_are_errors(play: Play, block: str, message: str) -> None:
    """Errors of the scenario: nothing softens them."""
    head = HEAD + "vars: {half: 0.5, less: -1, zero: 0, text: ab}\n"
    ran = play(steps(f"- {block}\n- get_routes", head))
    assert ran.code == 2
    assert ran.fault["kind"] == "value"
    assert ran.fault["message"].startswith(message)
    assert outcomes(ran) == {"steps.1": "error", "steps.2": "skipped"}


def test_a_while_that_never_ends(play: Play) -> None:
    block = "- repeat: {while: {visible: Sign in}, max: 3, steps: [get_routes]}\n"
    ran = play(steps(block + "- get_routes"))
    assert ran.code == 1
    assert ran.fault["message"] == "repeat: `while` still holds after 3 rounds"
    assert "max" in ran.fault["hint"]
    assert outcomes(ran) == {
        **{f"steps.1({n}).1": "passed" for n in (1, 2, 3)},
        "steps.1": "failed",
        "steps.2": "skipped",
    }
    ran = play(steps(block + "  optional: true\n- get_routes"))
    assert ran.code == 0
    assert outcomes(ran)["steps.1"] == "skipped"
    assert outcomes(ran)["steps.2"] == "passed"


def test_an_app_that_cannot_tell_a_while(play: Play, plain_demo: str) -> None:
    """A condition that cannot be told is an error, never the end of the loop."""
    block = "- repeat: {while: {checked: Remember me}, max: 3, steps: [get_routes]}"
    ran = play(steps(f"- navigate: /login\n{block}"), options=("--uri", plain_demo))
    assert ran.code == 3
    assert outcomes(ran)["steps.2"] == "error"


# Failures inside


FAILS = "expect: {visible: Nothing}"


def test_a_failure_in_a_block_ends_the_scenario(play: Play) -> None:
    ran = play(
        steps(f"""
- repeat:
    times: 2
    steps:
      - group: {{steps: [{{{FAILS}}}, get_routes]}}
      - get_routes
- get_routes
""")
    )
    assert ran.code == 1
    assert outcomes(ran) == {
        "steps.1(1).1.1": "failed",
        "steps.1(1).1.2": "skipped",
        "steps.1(1).2": "skipped",
        "steps.2": "skipped",
    }


def test_an_optional_block(play: Play) -> None:
    ran = play(
        steps(f"""
- optional: true
  group: {{steps: [get_routes, {{{FAILS}}}, get_routes]}}
- get_routes
""")
    )
    assert ran.code == 0
    assert outcomes(ran) == {
        "steps.1.1": "passed",
        "steps.1.2": "skipped",
        "steps.1.3": "skipped",
        "steps.2": "passed",
    }
    assert ran.step("steps.1.2")["reason"].startswith("optional: visible: nothing")
    assert ran.step("steps.1.3")["reason"] == "an earlier step of the block did not pass"


def test_a_soft_block(play: Play) -> None:
    ran = play(
        steps(f"""
- soft: true
  repeat: {{times: 3, steps: [{{{FAILS}}}, get_routes]}}
- get_routes
""")
    )
    assert ran.code == 1
    assert outcomes(ran) == {
        "steps.1(1).1": "failed",
        "steps.1(1).2": "skipped",
        "steps.2": "passed",
    }
    assert ran.step("steps.1(1).1")["soft"] is True
    assert any(each.startswith("test/failure-steps.1-1.1.png") for each in ran.artifacts)


def test_a_retry_tells_every_attempt(play: Play) -> None:
    ran = play(
        steps("""
- navigate: /loading
- tap: Load orders
- retry:
    attempts: 20
    steps:
      - get_routes
      - expect: {visible: 3 orders}
      - get_routes
""")
    )
    assert ran.code == 0, ran.out
    tried = [each for each in ran.steps if each["step"].startswith("steps.3(")]
    assert tried[1]["outcome"] == "skipped"
    assert tried[1]["reason"].startswith("attempt 1 of 20, tried again: visible: nothing")
    assert tried[1]["fault"]["kind"] == "assertion"
    assert tried[2]["step"] == "steps.3(2).1"
    assert [each["outcome"] for each in tried[-3:]] == ["passed"] * 3
    assert ran.artifacts == []


def test_the_last_attempt_decides(play: Play) -> None:
    ran = play(steps(f"- retry: {{attempts: 2, steps: [{{{FAILS}}}]}}\n- get_routes"))
    assert ran.code == 1
    assert outcomes(ran) == {
        "steps.1(1).1": "skipped",
        "steps.1(2).1": "failed",
        "steps.2": "skipped",
    }


def test_mercies_inside_of_mercies(play: Play) -> None:
    """The innermost block that forgives a failure is where it ends."""
    ran = play(
        steps(f"""
- soft: true
  group:
    steps:
      - retry:
          attempts: 2
          steps:
            - group: {{steps: [{{{FAILS}}}]}}
              optional: true
            - get_routes
      - retry: {{attempts: 2, steps: [{{{FAILS}}}]}}
      - get_routes
- get_routes
""")
    )
    assert ran.code == 1
    assert outcomes(ran) == {
        "steps.1.1(1).1.1": "skipped",
        "steps.1.1(1).2": "passed",
        "steps.1.2(1).1": "skipped",
        "steps.1.2(2).1": "failed",
        "steps.1.3": "skipped",
        "steps.2": "passed",
    }


def test_a_step_that_forgives_itself_inside(play: Play) -> None:
    ran = play(
        steps(f"""
- retry:
    attempts: 3
    steps:
      - {FAILS}
        optional: true
      - {FAILS}
        soft: true
      - get_routes
""")
    )
    assert ran.code == 1
    assert list(outcomes(ran).values()) == ["skipped", "failed", "passed"]


@pytest.mark.parametrize("kind", ["optional: true", "soft: true", "retry"])
def test_nothing_softens_a_mistake_of_the_scenario(play: Play, kind: str) -> None:
    wrong = 'tap: "{{ env.NOT_THERE_AT_ALL }}"'
    block = f"- group: {{steps: [{{{wrong}}}]}}\n  {kind}"
    if kind == "retry":
        block = f"- retry: {{attempts: 3, steps: [{{{wrong}}}]}}"
    ran = play(steps(f"{block}\n- get_routes"))
    assert ran.code == 2
    assert list(outcomes(ran).values()) == ["error", "skipped"]


# Values


def test_the_item_of_a_loop_hides_and_gives_back(play: Play) -> None:
    ran = play(
        steps(
            """
- for_each:
    in: [{name: a, sizes: [1, 2]}, {name: b, sizes: [3]}]
    as: row
    steps:
      - for_each: {in: "{{ row.sizes }}", as: size, steps: [log: "{{ row.name }}{{ size }}"]}
      - for_each: {in: [x], as: row, steps: [log: "{{ row }}"]}
      - log: "after {{ row.name }}"
- log: "{{ row }}"
""",
            HEAD + "vars: {row: mine}\n",
        )
    )
    assert ran.code == 0, ran.out
    assert notes(ran) == ["a1", "a2", "x", "after a", "b3", "x", "after b", "mine"]


def test_the_item_is_given_back_after_a_failure(play: Play) -> None:
    ran = play(
        steps(
            f"""
- optional: true
  for_each: {{in: [a], as: row, steps: [{{{FAILS}}}]}}
- log: "{{{{ row }}}}"
""",
            HEAD + "vars: {row: mine}\n",
        )
    )
    assert notes(ran) == ["mine"]


def test_values_that_are_set_and_read(play: Play) -> None:
    ran = play(
        steps("""
- navigate: /form
- fill: {target: Quantity, text: 3}
- read: {target: Quantity, as: quantity}
- read: {target: Size, as: size}
- read: {target: {key: total}, as: total}
- read: {target: {role: heading}, as: title}
- group:
    steps:
      - set: {twice: "{{ quantity | int * 2 }}", list: ["{{ size }}", {a: "{{ total }}"}]}
- log: "{{ title }}: {{ twice + 1 }} {{ list }}"
""")
    )
    assert ran.code == 0, ran.out
    assert notes(ran) == ["Order form: 7 ['M', {'a': '$22.50'}]"]


def test_what_is_read_has_to_be_there(play: Play) -> None:
    ran = play(steps("- read: {target: Nothing, as: x}"))
    assert ran.code == 1
    assert ran.fault["kind"] == "not_found"
    assert titles(ran) == ['read "Nothing" as x']


# Fragments


SIGN_IN = """\
name: Sign in
params:
  email: {default: "ada@example.com"}
  password: {secret: true}
steps:
  - navigate: /login
  - fill: {target: Email, text: "{{ email }}"}
  - fill: {target: Password, text: "{{ password }}"}
  - tap: {target: Sign in, until: Welcome back}
"""


def test_a_fragment_knows_its_params_only(play: Play) -> None:
    file(
        "flows/inner.yaml",
        "params: {greeting: {}, who: {default: '{{ greeting }} Ada'}}\nsteps:\n"
        '  - set: {greeting: changed}\n  - log: "{{ greeting }}, {{ who }}, {{ vars.who }}"\n',
    )
    ran = play(
        steps(
            """
- use: flows/inner.yaml
  with: {greeting: "{{ greeting }} there"}
- use: flows/inner.yaml
  with: {greeting: ["{{ 1 + 1 }}"], who: 7}
- log: "{{ greeting }}"
""",
            HEAD + "vars: {greeting: hello}\n",
        )
    )
    assert ran.code == 0, ran.out
    assert notes(ran) == [
        "changed, hello there Ada, hello there Ada",
        "changed, 7, 7",
        "hello",
    ]


def test_files_are_looked_for_beside_the_one_that_names_them(play: Play) -> None:
    file("a/one.yaml", "kind: fragment\nsteps: [{use: b/two.yaml}, {use: ../three.yaml}]\n")
    file("a/b/two.yaml", "kind: fragment\nsteps: [{log: two}]\n")
    file("three.yaml", "kind: fragment\nsteps: [{log: three}]\n")
    ran = play(steps("- use: a/one.yaml"))
    assert ran.code == 0, ran.err
    assert notes(ran) == ["two", "three"]


def test_a_failure_shows_the_chain_of_files_and_lines(play: Play) -> None:
    file("flows/outer.yaml", "kind: fragment\nsteps:\n  - get_routes\n  - use: inner.yaml\n")
    file(
        "flows/inner.yaml",
        "name: Inner\nkind: fragment\nsteps:\n"
        "  - for_each:\n      in: [a]\n      steps:\n        - expect: {visible: Nothing}\n",
    )
    ran = play(steps("- get_routes\n- name: All of it\n  use: flows/outer.yaml"))
    assert ran.code == 1
    fault = ran.fault
    assert fault["place"] == {"file": "flows/inner.yaml", "line": 7, "column": 20}
    chain = [
        "in flows/inner.yaml:4:5: for_each, item 1 of 1: a",
        "in flows/outer.yaml:4:5: use inner.yaml",
        "in test.yaml:7:5: All of it",
    ]
    assert fault["details"][-3:] == chain
    for line in (*chain, "flows/inner.yaml:7:20", "7 │         - expect: {visible: Nothing}"):
        assert line in ran.out
    text = ran.problem.text or ""
    for line in (*chain, "flows/inner.yaml:7:20"):
        assert line in text
    assert ran.artifacts[0].startswith("test/failure-steps.2.2.1-1.1")


def test_secrets_of_params_are_masked(play: Play) -> None:
    """From the beginning on, and in whatever the fragment does with them."""
    file("flows/sign-in.yaml", SIGN_IN)
    file(
        "flows/again.yaml",
        "params: {word: {secret: true, default: two-secret-words}}\nsteps:\n"
        '  - use: sign-in.yaml\n    with: {password: "{{ word }}-inside"}\n'
        '  - log: "{{ word }}"\n',
    )
    ran = play(
        steps(
            """
- log: correct-horse and two-secret-words-inside
- use: flows/sign-in.yaml
  with: {password: "{{ words | join('-') }}"}
- fill: {target: Email, text: correct-horse}
  optional: true
- use: flows/again.yaml
- expect: {visible: correct-horse}
""",
            HEAD + "vars: {words: [correct, horse]}\n",
        ),
        options=("--verbose",),
    )
    assert ran.code == 1
    assert notes(ran)[0] == "*** and ***-inside" or notes(ran)[0] == "*** and ***"
    for path in (*ran.folder.rglob("*.*"),):
        for secret in ("correct-horse", "two-secret-words"):
            assert secret.encode() not in path.read_bytes(), path
            assert secret not in ran.out + ran.err


def test_secrets_of_set_and_read(play: Play) -> None:
    ran = play(
        steps("""
- navigate: /login
- set: {token: ["set-secret", {a: 4711147}]}
  secret: true
- fill: {target: Email, text: read-secret}
  secret: true
- fill: {target: Email, text: gone}
- read: {target: {role: heading}, as: title}
  secret: true
- log: "{{ token }} {{ title }}"
""")
    )
    assert ran.code == 0, ran.out
    assert notes(ran) == ["['***', {'a': ***}] ***"]


def test_a_fragment_by_itself(play: Play) -> None:
    file("sign-in.yaml", SIGN_IN)
    ran = play(Path("sign-in.yaml"))
    assert ran.code == 2
    assert "fragment" in ran.err


def test_a_wrong_fragment_is_told_with_its_own_lines(play: Play) -> None:
    file("flows/wrong.yaml", "kind: fragment\nsteps:\n  - tapp: Save\n")
    ran = play(steps("- use: flows/wrong.yaml"))
    assert ran.code == 2
    assert "flows/wrong.yaml:3:5: error: there is no verb or modifier" in ran.err
    assert "3 |   - tapp: Save" in ran.err
    assert ran.fault["message"].startswith("flows/wrong.yaml:3:5: error:")


# What fragments know, and give back

PRICE = """\
params: {quantity: {}}
steps:
  - navigate: /form
  - fill: {target: Quantity, text: "{{ quantity }}"}
  - read: {target: {key: total}, as: shown}
returns:
  total: "{{ shown }}"
  order: {lines: ["{{ quantity }}", 2], "size": M}
  other: "{{ nothing_yet }}"
"""


def price(other: str) -> str:
    return PRICE.replace("{{ nothing_yet }}", other)


def test_a_fragment_gives_back(play: Play) -> None:
    """Texts, lists and maps; of what is not asked for, nothing is made."""
    file("flows/price.yaml", price("{{ shown.no }}"))
    ran = play(
        steps("""
- use: flows/price.yaml
  with: {quantity: 3}
  save: {total: total, first: order.lines.0, all: order}
- log: "{{ total }} {{ first + 1 }} {{ all.size }}"
- for_each:
    in: [4, 5]
    steps:
      - use: flows/price.yaml
        with: {quantity: "{{ item }}"}
        save: {total: total}
- log: "{{ total }}"
- use: flows/price.yaml
  with: {quantity: 9}
- use: flows/price.yaml
  with: {quantity: 9}
  save: {total: total}
  when: "{{ total == 'another' }}"
- log: "still {{ total }}"
""")
    )
    assert ran.code == 0, ran.out
    assert notes(ran) == ["$22.50 4 M", "$37.50", "still $37.50"]


def test_through_several_fragments(play: Play) -> None:
    """Each gives on what it wants; a secret is masked all the way."""
    file(
        "a/inner.yaml",
        "params: {word: {secret: true}}\nsteps: [get_routes]\nreturns: {w: '{{ word }}!'}\n",
    )
    file(
        "a/outer.yaml",
        "steps:\n  - use: inner.yaml\n    with: {word: hush-hush}\n    save: {inside: w}\n"
        "returns: {told: '{{ inside }}?'}\n",
    )
    ran = play(steps('- use: a/outer.yaml\n  save: {told: told}\n- log: "it is {{ told }}"'))
    assert ran.code == 0, ran.err
    assert notes(ran) == ["it is ***!?"]


@pytest.mark.parametrize(
    ("other", "save", "code", "says", "details"),
    [
        (
            "{{ shown.no.more }}",
            "other",
            2,
            '{{ shown.no.more }}: the text has no "no"',
            ["in test.yaml:7:7: use flows/price.yaml", "in test.yaml:5:3: group"],
        ),
        (
            "x",
            "order.lines.7",
            1,
            "what flows/price.yaml gives back has nothing at order.lines.7 to save as kept",
            ["it has: order", "in test.yaml:5:3: group"],
        ),
    ],
)
def test_what_cannot_be_given_back(
    play: Play, other: str, save: str, code: int, says: str, details: list[str]
) -> None:
    file("flows/price.yaml", price(other))
    ran = play(
        "name: Test\napp: demo\nvars: {kept: before}\nsteps:\n- group:\n    steps:\n"
        f"    - use: flows/price.yaml\n      with: {{quantity: 3}}\n      save: {{kept: {save}}}\n"
        'teardown:\n- log: "kept {{ kept }}"\n'
    )
    assert ran.code == code
    assert ran.fault["message"] == says
    assert ran.fault["details"][-len(details) :] == details
    if code == 2:
        assert ran.fault["place"] == {"file": "flows/price.yaml", "line": 9, "column": 3}
    assert notes(ran) == ["kept before"]


@pytest.mark.parametrize(
    ("softly", "ends"), [("optional: true", "passed"), ("soft: true", "failed")]
)
def test_a_fragment_that_did_not_get_there_gives_nothing(
    play: Play, softly: str, ends: str
) -> None:
    file("flows/price.yaml", price("x").replace("key: total", "key: nowhere"))
    ran = play(
        steps(
            f"""
- use: flows/price.yaml
  with: {{quantity: 3}}
  save: {{total: total}}
  {softly}
- log: "{{{{ total }}}}"
""",
            HEAD + "vars: {total: none}\n",
        )
    )
    assert ran.events("scenario_finished")[0]["outcome"] == ends
    assert notes(ran) == ["none"]


KNOWS = """\
params: {theirs: {default: "{{ base }}-default"}, name: {default: param}}
secrets: [TOKEN]
steps:
  - set: {base: "{{ base }}"}
  - log: "{{ base }} {{ theirs }} {{ name }} {{ vars.base }} {{ vars.name }} {{ made == again }}"
  - log: "{{ TOKEN }}"
"""


def test_fragments_see_what_the_project_defines(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their own params win; a scenario's own value holds in the fragments that it uses."""
    monkeypatch.setenv("TOKEN", "hunter-two")
    file(
        "tapir-replay.yaml",
        "apps: {demo: demo}\nvars:\n  base: project\n  name: project\n"
        '  made: "{{ random.text(9) }}"\n  again: "{{ made }}"\n',
    )
    file("flows/knows.yaml", KNOWS)
    plain = 'steps:\n  - use: flows/knows.yaml\n  - log: "{{ name }}"\n'
    own = (
        "vars: {base: mine}\nsteps:\n  - set: {base: set, name: set}\n"
        "  - use: flows/knows.yaml\n    with: {theirs: given}\n"
    )
    ran = play(plain, own)
    assert ran.code == 0, ran.err + ran.out
    assert notes(ran) == [
        "project project-default param project param true",
        "***",
        "project",
        "mine given param mine param true",
        "***",
    ]
    ran = play(plain, options=("--var", "base=line"))
    assert notes(ran)[0] == "line line-default param line param true"
    file("tapir-replay.yaml", "apps: {demo: demo}\n")
    ran = play(plain)
    assert ran.code == 2
    assert 'flows/knows.yaml:1:32: error: the name "base" is not defined here' in ran.err


def test_secrets_of_fragments(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the environment, an env file, `--var` or `vars`; masked from the first line on."""
    file("flows/deep.yaml", 'secrets: [TOKEN]\nkind: fragment\nsteps: [{log: "{{ TOKEN }}"}]\n')
    file("flows/use.yaml", "kind: fragment\nsteps: [{group: {steps: [{use: deep.yaml}]}}]\n")
    file("a.env", "TOKEN=hunter-two\n")
    text = steps("- log: is it hunter-two\n- use: flows/use.yaml", "app: demo\n{}")
    monkeypatch.delenv("TOKEN", raising=False)
    for head, options in (
        ("", ("--env-file", "a.env")),
        ("", ("--var", "TOKEN=hunter-two")),
        ("vars: {TOKEN: hunter-two}\n", ()),
        ("cases: [{vars: {TOKEN: hunter-two}, name: one}]\n", ()),
        ("vars: {TOKEN: other-value}\n", ("--env-file", "a.env")),
    ):
        ran = play(text.format(head), options=options)
        assert ran.code == 0, ran.out
        assert notes(ran) == ["is it ***", "***"]
        for path in ran.folder.rglob("*.*"):
            assert b"hunter-two" not in path.read_bytes()
        assert "hunter-two" not in ran.out
    ran = play(text.format(""))
    assert ran.code == 2
    assert ran.fault["message"] == "the secret TOKEN is not set; flows/deep.yaml needs it"
    assert list(outcomes(ran).values()) == ["skipped"] * 2
    ran = play(text.format("").replace("is it hunter-two", '"{{ TOKEN }}"'))
    assert 'the name "TOKEN" is not defined here' in ran.err


# Hooks and interruption


def test_on_failure(play: Play) -> None:
    """Done after a failure, before the teardown, each step whatever became of the last."""
    hooks = (
        "on_failure:\n  - group: {steps: [{snap: broken.txt}]}\n"
        f"  - {FAILS}\n  - screenshot: broken.png\nteardown:\n  - get_routes\n"
    )
    ran = play(steps(f"- {FAILS}") + hooks)
    assert ran.code == 1
    assert outcomes(ran) == {
        "steps.1": "failed",
        "on_failure.1.1": "passed",
        "on_failure.2": "failed",
        "on_failure.3": "passed",
        "teardown.1": "passed",
    }
    assert ran.events("scenario_finished")[0]["step"] == "steps.1"
    assert {"test/broken.txt", "test/broken.png"} <= set(ran.artifacts)
    ran = play(steps("- get_routes") + hooks)
    assert outcomes(ran) == {"steps.1": "passed", "teardown.1": "passed"}
    ran = play(steps("- get_routes") + f"setup:\n  - {FAILS}\n" + hooks)
    assert outcomes(ran)["on_failure.1.1"] == "passed"


def test_on_failure_after_a_soft_failure(play: Play) -> None:
    hooks = "on_failure:\n  - log: sorry\n"
    ran = play(steps(f"- {FAILS}\n  soft: true\n- get_routes") + hooks)
    assert notes(ran) == ["sorry"]


def test_interrupted_inside_of_blocks(tmp_path: Path) -> None:
    text = steps(
        """
- for_each:
    in: [a, b]
    steps:
      - group: {steps: [{use: slow.yaml}, get_routes]}
- get_routes
""",
        HEAD.replace("150ms", "60s"),
    )
    (tmp_path / "test.yaml").write_text(
        f"{text}on_failure: [get_routes]\nteardown: [{{log: tidied up}}]\n"
    )
    (tmp_path / "slow.yaml").write_text(
        "kind: fragment\nsteps:\n  - log: here\n  - expect: {visible: Nothing}\n"
    )
    arguments = ("run", "test.yaml", "--output", "out", "--color", "never")
    with started(*arguments, cwd=tmp_path) as process:
        process.wait_for_line('log "here"')
        process.process.terminate()
        assert process.end() == 130
    ran = Ran(130, "".join(process.lines), "", tmp_path / "out")
    assert outcomes(ran) == {
        "steps.1(1).1.1.1": "passed",
        "steps.1(1).1.1.2": "error",
        "steps.2": "skipped",
        "teardown.1": "passed",
    }
    assert ran.events("scenario_finished")[0]["step"] == "steps.1(1).1.1.2"
    assert "tidied up" in notes(ran)


# Scrolling


def test_scroll_until(play: Play) -> None:
    ran = play(
        steps("""
- navigate: /list
- scroll_until: {target: Item 60, within: {key: items}, pixels: 600}
- tap: Item 60
- scroll_until: {target: Item 1, within: {key: items}, direction: up, pixels: 2000}
""")
    )
    assert ran.code == 0, ran.out
    assert 2 < ran.step("steps.2")["tries"] < 12


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (
            "{target: Item 201, within: {key: items}, pixels: 5000}",
            '"Item 201" did not show, and there is no more to scroll',
        ),
        (
            "{target: Item 199, within: {key: items}, max: 2}",
            '"Item 199" did not show after scrolling 2 times down',
        ),
        ("{target: Item 9, within: Nothing}", "nothing on screen matches"),
    ],
)
def test_scroll_until_there_is_no_more(play: Play, step: str, message: str) -> None:
    wanted = step.replace("Item 9,", "Item 99,")
    ran = play(steps(f"- navigate: /list\n- scroll_until: {wanted}"))
    assert ran.code == 1
    assert ran.fault["kind"] == "not_found"
    assert ran.fault["message"].startswith(message)


def test_random_values_differ_each_time(play: Play) -> None:
    """A scenario that is played again does not sign up with the same address."""
    text = "app: demo\nsteps:\n  - log: 'it is {{ random.email() }}'\n"
    ran = play(text, options=("--repeat", "3"))
    told = {each["text"] for each in ran.events("note") if each["text"].startswith("it is ")}
    assert len(told) == 3


def test_a_short_secret_is_told(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """Masking every `q7z` may make a report hard to read; one should know why."""
    monkeypatch.setenv("PIN", "q7z")
    ran = play("app: demo\nsecrets: [PIN]\nsteps: [get_routes]\n")
    assert ran.code == 0
    assert any("fewer than 4 characters" in each["text"] for each in ran.events("note"))

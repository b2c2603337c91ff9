"""Files that use files: read once, told about with their own lines, and no end is missed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tapir_replay.scenario.load import Library, Loaded, load
from tapir_replay.scenario.steps import MAX_USES


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, *steps: str, head: str = "kind: fragment\n") -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{head}steps:\n" + "".join(f"  - {each}\n" for each in steps))
    return path


def scenario(name: str, *steps: str) -> Path:
    return write(name, *steps, head=f"name: {name}\n")


def messages(loaded: Loaded) -> list[str]:
    return [str(each) for each in loaded.diagnostics]


def test_a_fragment_is_right_and_no_scenario() -> None:
    for head, required in (
        ("kind: fragment\n", {}),
        ("params: {}\n", {}),
        ("params: {a: , b: {default: 1}}\n", {"a": True, "b": False}),
    ):
        found = load(write("a.yaml", "get_routes", head=head))
        assert found.ok
        assert (found.scenarios, found.scenario, found.diagnostics) == ((), None, ())
        assert found.fragment is not None
        assert {each.name: each.required for each in found.fragment.params} == required


def test_each_file_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    write("used.yaml", "get_routes")
    files = [scenario(f"{name}.yaml", "use: used.yaml", "use: used.yaml") for name in "abc"]
    read: list[str] = []
    plain = Path.read_bytes

    def reading(path: Path) -> bytes:
        read.append(path.name)
        return plain(path)

    monkeypatch.setattr(Path, "read_bytes", reading)
    library = Library()
    loaded = [library.load(each) for each in files]
    assert sorted(read) == ["a.yaml", "b.yaml", "c.yaml", "used.yaml"]
    steps = [step for each in loaded if each.scenario for step in each.scenario.steps]
    assert len({id(step.fragment) for step in steps}) == 1


def test_the_texts_of_all_files_are_kept() -> None:
    write("a/one.yaml", "use: two.yaml")
    write("a/two.yaml", "wait: 1s")
    found = load(scenario("main.yaml", "use: a/one.yaml"))
    assert found.ok
    assert set(found.sources) == {"main.yaml", "a/one.yaml", "a/two.yaml"}
    (warning,) = found.diagnostics
    assert (warning.file, warning.code) == ("a/two.yaml", "plain-wait")


def test_a_mistake_of_a_fragment_is_told_once() -> None:
    write("used.yaml", "tapp: x")
    write("between.yaml", "use: used.yaml", "use: used.yaml")
    found = load(scenario("main.yaml", "use: between.yaml", "use: used.yaml"))
    assert not found.ok
    assert messages(found) == ['used.yaml:3:5: error: there is no verb or modifier "tapp"']


@pytest.mark.parametrize("start", ["a.yaml", "b.yaml", "c.yaml"])
def test_circles_from_everywhere(start: str) -> None:
    for name, other in zip("abc", "bca", strict=True):
        write(f"{name}.yaml", f"use: {other}.yaml")
    for found in (load(Path(start)), load(scenario("main.yaml", f"use: {start}"))):
        assert not found.ok
        (message,) = messages(found)
        assert "this goes round in circles" in message
        assert message.count(start) == 2


@pytest.mark.parametrize("order", [1, -1])
def test_how_deep_does_not_depend_on_the_order(order: int) -> None:
    """The same file is too deep whichever is read first."""
    last = MAX_USES + 3
    for number in range(1, last):
        write(f"{number}.yaml", f"use: {number + 1}.yaml")
    write(f"{last}.yaml", "get_routes")
    library = Library()
    numbers = range(1, last + 1)[::order]
    wrong = [each for each in numbers if not library.load(Path(f"{each}.yaml")).ok]
    assert sorted(wrong) == [1, 2]
    (message,) = messages(library.load(Path("2.yaml")))
    assert message == "2.yaml:3:10: error: fragments use each other more than 8 levels deep"


def test_far_too_deep() -> None:
    for number in range(1, 200):
        write(f"{number}.yaml", f"use: {number + 1}.yaml")
    write("200.yaml", "get_routes")
    assert any("levels deep" in each for each in messages(load(Path("1.yaml"))))


def test_what_a_fragment_saves_stays_inside() -> None:
    write("a.yaml", "read: {target: x, as: kept}", 'tap: "{{ kept }}"')
    found = load(scenario("main.yaml", "use: a.yaml", 'tap: "{{ kept }}"'))
    assert messages(found) == ['main.yaml:4:14: error: the name "kept" is not defined here']


def test_what_blocks_save_is_known_afterwards() -> None:
    block = "group: {steps: [{retry: {steps: [{read: {target: x, as: kept}}]}}, {set: {more: 1}}]}"
    assert load(scenario("main.yaml", block, 'tap: "{{ kept }}{{ more }}"')).ok


def test_names_from_outside_are_the_scenario_s() -> None:
    write("a.yaml", 'tap: "{{ user }}"')
    path = scenario("main.yaml", "use: a.yaml", 'tap: "{{ user }}"')
    assert messages(load(path, names=["user"])) == [
        'a.yaml:3:14: error: the name "user" is not defined here'
    ]


def test_names_of_the_project_are_everybody_s() -> None:
    write("a.yaml", 'tap: "{{ user }}"')
    path = scenario("main.yaml", "use: a.yaml", 'tap: "{{ user }}"')
    assert Library(shared=["user"]).load(path).ok


def test_what_is_returned_is_known_afterwards() -> None:
    """By the name it is saved under, and only from there on."""
    write("a.yaml", "set: {x: 1}", head="returns: {y: '{{ x }}'}\n")
    use = "use: a.yaml\n    save: {kept: y}"
    assert load(scenario("main.yaml", use, 'tap: "{{ kept }}"')).ok
    found = load(scenario("main.yaml", 'tap: "{{ kept }}{{ y }}"', use))
    assert [each.hint for each in found.diagnostics] == [
        "it is defined further down only",
        "known names: case, env, now, random, run, vars",
    ]


def test_all_fragments_of_a_scenario() -> None:
    """Those inside of blocks, hooks and other fragments, each once."""
    for name, other in (("a", "b"), ("b", "c")):
        write(f"{name}.yaml", f"group: {{steps: [{{use: {other}.yaml}}]}}")
    write("c.yaml", "get_routes")
    path = scenario("main.yaml", "use: b.yaml", "use: a.yaml")
    path.write_text(path.read_text() + "teardown: [{use: c.yaml}]\n")
    found = load(path).scenario
    assert found is not None
    assert [each.file for each in found.fragments] == ["b.yaml", "c.yaml", "a.yaml"]
